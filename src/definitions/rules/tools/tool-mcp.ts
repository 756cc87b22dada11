import type { DiagnosticRule } from "../rule.ts"

export const toolMcp: DiagnosticRule = {
  code: "tool-mcp",
  severity: "error",
  title: "A tool of an MCP server",
  why: "No MCP server of that name is configured, so an agent that is granted such a tool would have to do without it, and does not start.",
  fix: "Name the server in your own configuration (`mcpServers`), or in code (`createRuntime({ mcpServers })`); or take the name out of the list.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\ntools: Read, mcp__github__list_issues\n---\n\nSort the issues.\n",
  },
}
