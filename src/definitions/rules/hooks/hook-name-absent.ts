import type { DiagnosticRule } from "../rule.ts"

export const hookNameAbsent: DiagnosticRule = {
  code: "hook-name-absent",
  severity: "warning",
  title: "A name that is always null there",
  why: "The event of the hook does not offer it, so the condition or the text says something else than its author thought.",
  fix: "Use a name that the event offers, or ask at an event that offers this one.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - block: "Not after {{ result }}."\n---\n\nLead the work.\n',
  },
}
