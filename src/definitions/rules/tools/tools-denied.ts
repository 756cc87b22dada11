import type { DiagnosticRule } from "../rule.ts"

export const toolsDenied: DiagnosticRule = {
  code: "tools-denied",
  severity: "error",
  title: "A tool list of which nothing is left",
  why: "The agent lists tools, and all of it is taken away again, or a pattern fits no tool here. Without its tools it could only guess, so it is not started.",
  fix: "Take the denial back, or list tools that are left. An agent that is to have no tools says `tools: []`.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\ntools: mcp__github__*\n---\n\nSort the issues.\n",
  },
}
