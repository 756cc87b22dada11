import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Json } from "../../ground/message.ts"

/** A call of an MCP server's tool, directly or through a proxy. */
export interface McpCall {
  /** The server that has the tool. Behind a proxy, it is not the proxy. */
  readonly server: string
  readonly tool: string
  readonly through?: "proxy"
}

/**
 * The MCP tool of a call. A tool `call_tool` with the arguments `server_name` and `tool_name` counts as a proxy, and the
 * arguments name the tool. Undefined: not an MCP tool.
 */
export function readMcpCall(tool: string, input: { readonly [name: string]: Json }): McpCall | undefined {
  const knownTool = lookUpTool(tool)
  if (knownTool.type !== "mcp" || knownTool.tool === undefined) return undefined
  const { server_name: server, tool_name: inner } = input
  return knownTool.tool === "call_tool" && typeof server === "string" && typeof inner === "string"
    ? { server, tool: inner, through: "proxy" }
    : { server: knownTool.server, tool: knownTool.tool }
}
