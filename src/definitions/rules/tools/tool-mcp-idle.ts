import type { DiagnosticRule } from "../rule.ts"

export const toolMcpIdle: DiagnosticRule = {
  code: "tool-mcp-idle",
  severity: "warning",
  title: "A pattern that matches no tool of an MCP server",
  why: "The accepted list of the server has no tool that the pattern matches, so the agent has less than its author meant. An agent whose list matches nothing at all does not start.",
  fix: "Write a name or a pattern that fits a tool in the message, or `mcp__SERVER__*` for every tool of the server.",
  example: { unreproducible: "It needs a server whose tools you have accepted." },
}
