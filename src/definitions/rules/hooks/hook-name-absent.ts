import type { DiagnosticRule } from "../rule.ts"

export const hookNameAbsent: DiagnosticRule = {
  code: "hook-name-absent",
  severity: "warning",
  title: "A name that is always null at this event",
  why: "The hook's event does not provide it, so the condition or the text does not mean what its author intended.",
  fix: "Use a name that this event provides, or move the hook to an event that provides the name.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - block: "Not after {{ result }}."\n---\n\nLead the work.\n',
  },
}
