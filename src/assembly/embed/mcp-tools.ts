import { isMcpServerName, type McpServerSettings, mcpServerProblem } from "../../agent/mcp-server.ts"
import { digestServer } from "../../agent/server-choice.ts"
import type { Tool, ToolContext, ToolOutput } from "../../agent/tool.ts"
import { randomUUID } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { boundText } from "../../run/words/text.ts"
import { defaultMcpBounds } from "../../world/mcp/bounds.ts"
import { ServerFailure } from "../../world/mcp/failure.ts"

/** A tool of a server, for a loop that is not cadre's. */
export interface McpTool {
  /** `mcp__SERVER__TOOL`, as every provider takes it. */
  readonly name: string
  /** The server's own description. It is foreign text, so treat it as data. */
  readonly description: string
  /** The JSON Schema of the arguments, as the server declares it. */
  readonly input: JsonSchema
  /** Calls the tool on the server. A failure is a result that describes it. Only an aborted signal makes this throw. */
  call(input: JsonMap, options?: { readonly signal?: AbortSignal }): Promise<ToolOutput>
}

/** The tools of a server that was started by `mcpTools`. Close it at the end. */
export interface McpToolbox {
  /** The tools that can be called. */
  readonly tools: readonly McpTool[]
  /** The server's own instructions for models. They come from a foreign program, so tell the model that. */
  readonly instructions?: string
  /** The entries of its list that cannot be used, each with a reason that can follow the name in a sentence. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
  /** Ends the server and all its processes. */
  close(): Promise<void>
}

/** The folder and the sandbox of a server. */
export interface McpToolsOptions {
  /** The folder that the server works in. Default: the working directory. */
  readonly cwd?: string
  /** Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
}

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
  { cwd = process.cwd(), sandbox = "preferred" }: McpToolsOptions = {},
): Promise<McpToolbox> {
  const problem = isMcpServerName(name)
    ? mcpServerProblem(settings)
    : "has an invalid name: it must fit into the names of tools"
  if (problem !== undefined) throw serverError(name, problem)
  const [{ openServer }, { readListing }, { ServerLine }, { createServerTools }] = await Promise.all([
    import("../../world/mcp/open-server.ts"),
    import("../../world/mcp/read-listing.ts"),
    import("../../world/mcp/server-line.ts"),
    import("../../world/mcp/server-tools.ts"),
  ])
  const bounds = { ...defaultMcpBounds, start: settings.startTimeout ?? defaultMcpBounds.start }
  // A foreign loop has no person to ask.
  const place = { root: cwd, cwd, sandbox, questions: "none" as const }
  const line = new ServerLine(
    () => openServer(name, settings, place, bounds),
    (connection) => readListing(connection, bounds),
  )
  try {
    const { list, instructions } = await line.list(new AbortController().signal)
    const { tools, leftOut } = createServerTools(
      { name, entry: digestServer(name, settings) },
      settings,
      list,
      // A server may ask although it was told that there is no person.
      async (tool, input, { signal }) => {
        const result = await line.call(tool, input, { signal, timeout: settings.timeout ?? usualTimeout })
        if (isMap(result) && result.resultType === "input_required")
          throw new ServerFailure("answer", "it asks a person before it answers, and this loop has none")
        return { type: "result", result }
      },
      bounds,
    )
    return {
      tools: tools.flatMap((tool) => (tool.kind === "function" ? [wrapTool(tool, cwd)] : [])),
      ...(instructions !== "" && { instructions }),
      leftOut,
      close: () => line.close(),
    }
  } catch (error) {
    await line.close()
    throw serverError(
      name,
      `cannot be asked for its tools: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The timeout of a tool in a run. */
const usualTimeout = 300_000

const serverError = (name: string, problem: string): CadreError =>
  new CadreError("MCP_SERVER_INVALID", `The MCP server ${JSON.stringify(name)} ${problem}.`)

const wrapTool = (tool: Extract<Tool, { kind: "function" }>, cwd: string): McpTool => ({
  name: tool.name,
  description: tool.description,
  input: tool.input,
  async call(input, { signal = new AbortController().signal } = {}) {
    const checked = await tool.validate(input)
    if ("problem" in checked) return { text: `Invalid arguments: ${checked.problem}`, isError: true }
    const output = await tool.execute(checked.value, contextOf(tool.name, cwd, signal))
    if (typeof output === "string") return { text: output }
    const { text } = boundText(output.text, tool.resultBytes ?? defaultMcpBounds.result)
    return { ...output, text }
  },
})

/** A context without a run: no file was read before, and nothing is forbidden. */
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
