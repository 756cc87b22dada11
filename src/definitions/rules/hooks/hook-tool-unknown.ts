import type { DiagnosticRule } from "../rule.ts"

export const hookToolUnknown: DiagnosticRule = {
  code: "hook-tool-unknown",
  severity: "error",
  title: "A hook for a tool that does not exist",
  why: "No call is ever of that tool, so the hook silently does nothing for it.",
  fix: "Write the suggested name. `tool_name` is always cadre's name of the tool.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - tools: Bsh\n      block: "No."\n---\n\nLead the work.\n',
  },
}
