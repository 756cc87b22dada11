import type { DiagnosticRule } from "../rule.ts"

export const toolMcp: DiagnosticRule = {
  code: "tool-mcp",
  severity: "error",
  title: "A tool of an MCP server that is not configured",
  why: "No MCP server of that name is configured. The agent would have to do without the tool, so it does not start.",
  fix: "Add the server to your own configuration (`mcpServers`), or in code (`createRuntime({ mcpServers })`). Or remove the name from the list.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\ntools: Read, mcp__github__list_issues\n---\n\nSort the issues.\n",
  },
}
