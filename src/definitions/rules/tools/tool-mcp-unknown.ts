import type { DiagnosticRule } from "../rule.ts"

export const toolMcpUnknown: DiagnosticRule = {
  code: "tool-mcp-unknown",
  severity: "error",
  title: "A tool that its MCP server does not have",
  why: "The server is configured, but its accepted list has no usable tool of that name. The agent would have to do without the tool, so it does not start.",
  fix: "Write a name that the message lists, or `mcp__SERVER__*` for every tool of the server.",
  example: { unreproducible: "It needs a server whose tools you have accepted." },
}
