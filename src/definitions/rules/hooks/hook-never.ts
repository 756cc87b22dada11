import type { DiagnosticRule } from "../rule.ts"

export const hookNever: DiagnosticRule = {
  code: "hook-never",
  severity: "warning",
  title: "A hook that never does anything",
  why: "Its condition cannot hold or always fails, it is only for runs that it spares, or nobody picks its set: what it was to guard is not guarded.",
  fix: "Mend the condition, name another agent, or remove the hook.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - when: event == "after_tool"\n      block: "No."\n---\n\nLead the work.\n',
  },
}
