import type { DiagnosticRule } from "../rule.ts"

export const hookToolUnknown: DiagnosticRule = {
  code: "hook-tool-unknown",
  severity: "error",
  title: "A hook for a tool that nobody has",
  why: "No call is ever one of it, so the hook does nothing there, without a word.",
  fix: "Write the name as it is suggested. `tool_name` is always cadre's name of the tool.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - tools: Bsh\n      block: "No."\n---\n\nLead the work.\n',
  },
}
