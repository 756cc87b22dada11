import type { DiagnosticRule } from "../rule.ts"

export const hookInvalid: DiagnosticRule = {
  code: "hook-invalid",
  severity: "error",
  title: "Hooks that cannot be followed",
  why: "A hook that cannot be read might have forbidden something, so nothing runs under it.",
  fix: "Mend what the message names. The pages on the lifecycle and on hook names say what hooks can do and ask for.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - when: tool_nam == "Bash"\n      block: "No."\n---\n\nLead the work.\n',
  },
}
