import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Json } from "../../ground/message.ts"

/** A tool of an MCP server that is called, directly or through a proxy. */
export interface McpCall {
  readonly server: string
  readonly tool: string
  readonly through?: "proxy"
}

/** Which one a call is of; of a proxy's `call_tool`, the one that it names. Undefined: it is none of a server's. */
export function mcpCallOf(tool: string, input: { readonly [name: string]: Json }): McpCall | undefined {
  const known = lookUpTool(tool)
  if (known.type !== "mcp" || known.tool === undefined) return undefined
  const { server_name: server, tool_name: inner } = input
  return known.tool === "call_tool" && typeof server === "string" && typeof inner === "string"
    ? { server, tool: inner, through: "proxy" }
    : { server: known.server, tool: known.tool }
}
