import type { DiagnosticRule } from "../rule.ts"

export const toolMcp: DiagnosticRule = {
  code: "tool-mcp",
  severity: "error",
  title: "A tool of an MCP server",
  why: "The command line starts no MCP servers yet, so an agent that is granted such a tool would have to do without it, and does not start.",
  fix: "Take the name out of the list. A program that names the server (`createRuntime({ mcpServers })`), or registers a tool of that name, can run the agent as it is.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\ntools: Read, mcp__github__list_issues\n---\n\nSort the issues.\n",
  },
}
