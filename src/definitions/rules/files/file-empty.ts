import type { DiagnosticRule } from "../rule.ts"

export const fileEmpty: DiagnosticRule = {
  code: "file-empty",
  severity: "error",
  title: "An empty file",
  why: "It defines no agent, although its name suggests one.",
  fix: "Write the agent or delete the file.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "",
  },
}
