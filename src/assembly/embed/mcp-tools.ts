import type { McpServerSettings } from "../../agent/mcp-server.ts"
import type { McpToolbox, McpToolsOptions } from "./mcp-toolbox.ts"

/**
 * Starts a server and returns its tools for a loop that is not cadre's. No rule and no person is asked about their calls:
 * the loop has to do that. Throws MCP_SERVER_INVALID where the server cannot be asked for its tools.
 *
 * @example
 * ```ts
 * import { mcpTools } from "cadre"
 *
 * const toolbox = await mcpTools("github", { command: "github-mcp-server", args: ["stdio"] })
 * const [tool] = toolbox.tools
 * console.log(tool?.name, await tool?.call({}))
 * await toolbox.close()
 * ```
 */
export async function mcpTools(
  name: string,
  settings: McpServerSettings,
  options: McpToolsOptions = {},
): Promise<McpToolbox> {
  const { openToolbox } = await import("./open-toolbox.ts")
  return openToolbox(name, settings, options)
}
