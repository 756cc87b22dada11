import type { DiagnosticRule } from "../rule.ts"

export const mcpServerShadowed: DiagnosticRule = {
  code: "mcp-server-shadowed",
  severity: "warning",
  title: "Two MCP servers with one name",
  why: "Rules and lists of tools name a server. A server of a project never takes the place of yours, so the project's is not used. An agent that brings another server under a configured name does not start.",
  fix: "Give one of the servers another name.",
  example: { unreproducible: "It needs a server of that name in your own configuration." },
}
