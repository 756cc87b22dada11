import { isMcpServerName, type McpServerSettings, mcpServerProblem } from "../../agent/mcp-server.ts"
import type { Tool, ToolContext, ToolOutput } from "../../agent/tool.ts"
import { randomUUID } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { boundText } from "../../run/words/text.ts"
import { usualBounds } from "../../world/mcp/bounds.ts"

/** A tool of a server, for a loop that is not cadre's. */
export interface McpTool {
  /** `mcp__SERVER__TOOL`, as every provider takes it. */
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** Asks the server. What goes wrong is a result that says so; only the signal makes it throw. */
  call(input: JsonMap, options?: { readonly signal?: AbortSignal }): Promise<ToolOutput>
}

export interface McpToolbox {
  readonly tools: readonly McpTool[]
  /** The server's own words for models. They are a foreign program's: tell the model so. */
  readonly instructions?: string
  /** What of its list is no tool here, with the reason in words that follow the name. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
  /** Ends the server. Nothing of it is left. */
  close(): Promise<void>
}

export interface McpToolsOptions {
  /** Where it works. Default: the working directory. */
  readonly cwd?: string
  /** Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
}

/**
 * Starts a server and gives its tools to a loop that is not cadre's. No rule and no person is asked about their calls: that
 * is for the loop to do. Throws MCP_SERVER_INVALID where the server cannot be asked for its tools.
 */
export async function mcpTools(
  name: string,
  settings: McpServerSettings,
  { cwd = process.cwd(), sandbox = "preferred" }: McpToolsOptions = {},
): Promise<McpToolbox> {
  const problem = isMcpServerName(name)
    ? mcpServerProblem(settings)
    : "has a name that cannot be a part of a tool's"
  if (problem !== undefined) throw invalid(name, problem)
  const [{ openServer }, { listTools }, { ServerLine }, { serverTools }] = await Promise.all([
    import("../../world/mcp/open-server.ts"),
    import("../../world/mcp/read-tools.ts"),
    import("../../world/mcp/server-line.ts"),
    import("../../world/mcp/server-tools.ts"),
  ])
  const bounds = { ...usualBounds, start: settings.startTimeout ?? usualBounds.start }
  const place = { root: cwd, cwd, sandbox }
  const line = new ServerLine(() => openServer(name, settings, place, bounds))
  try {
    const connection = await line.use(new AbortController().signal)
    const list = await listTools(connection, bounds)
    const { tools, leftOut } = serverTools(
      name,
      settings,
      list,
      (tool, input, { signal }) =>
        line.call(tool, input, { signal, timeout: settings.timeout ?? usualTimeout }),
      bounds,
    )
    return {
      tools: tools.flatMap((tool) => (tool.kind === "function" ? [offered(tool, cwd)] : [])),
      ...(connection.instructions !== undefined && { instructions: connection.instructions }),
      leftOut,
      close: () => line.close(),
    }
  } catch (error) {
    await line.close()
    throw invalid(
      name,
      `cannot be asked for its tools: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** As for a tool of a run. */
const usualTimeout = 300_000

const invalid = (name: string, problem: string): CadreError =>
  new CadreError("MCP_SERVER_INVALID", `The MCP server ${JSON.stringify(name)} ${problem}.`)

const offered = (tool: Extract<Tool, { kind: "function" }>, cwd: string): McpTool => ({
  name: tool.name,
  description: tool.description,
  input: tool.input,
  async call(input, { signal = new AbortController().signal } = {}) {
    const checked = await tool.validate(input)
    if ("problem" in checked) return { text: `The arguments do not fit: ${checked.problem}`, isError: true }
    const output = await tool.execute(checked.value, contextOf(tool.name, cwd, signal))
    if (typeof output === "string") return { text: output }
    const { text } = boundText(output.text, tool.resultBytes ?? usualBounds.result)
    return { ...output, text }
  },
})

/** There is no run: nothing was seen, and nothing is forbidden. */
const contextOf = (tool: string, cwd: string, signal: AbortSignal): ToolContext => ({
  run: "foreign",
  call: tool,
  key: randomUUID(),
  agent: "foreign",
  depth: 0,
  cwd,
  signal,
  seen: () => undefined,
  permits: () => true,
})
