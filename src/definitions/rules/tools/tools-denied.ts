import type { DiagnosticRule } from "../rule.ts"

export const toolsDenied: DiagnosticRule = {
  code: "tools-denied",
  severity: "error",
  title: "A tool list with nothing left",
  why: "The agent lists tools, but all of them are denied, or a pattern matches no tool here. Without its tools it could only guess, so it does not start.",
  fix: "Remove the denial, or list tools that are not denied. To give an agent no tools, write `tools: []`.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\ntools: mcp__github__*\n---\n\nSort the issues.\n",
  },
}
