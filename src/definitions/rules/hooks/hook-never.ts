import type { DiagnosticRule } from "../rule.ts"

export const hookNever: DiagnosticRule = {
  code: "hook-never",
  severity: "warning",
  title: "A hook that never does anything",
  why: "Its condition can never hold or always fails, it is only for runs that it exempts, or no agent selects its set. So it protects nothing.",
  fix: "Fix the condition, name another agent, or remove the hook.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - when: event == "after_tool"\n      block: "No."\n---\n\nLead the work.\n',
  },
}
