import type { DiagnosticRule } from "../rule.ts"

export const hookInvalid: DiagnosticRule = {
  code: "hook-invalid",
  severity: "error",
  title: "Invalid hooks",
  why: "An invalid hook might have forbidden something, so no agent runs under it.",
  fix: "Fix what the message names. The pages on the lifecycle and on hook names list the effects and the names that hooks can use.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - when: tool_nam == "Bash"\n      block: "No."\n---\n\nLead the work.\n',
  },
}
