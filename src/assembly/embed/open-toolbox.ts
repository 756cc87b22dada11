import { findMcpServerProblem, isMcpServerName, type McpServerSettings } from "../../agent/mcp-server.ts"
import { digestServer } from "../../agent/server-choice.ts"
import type { Tool, ToolContext } from "../../agent/tool.ts"
import { makeRandomUuid } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import { boundText } from "../../run/words/text.ts"
import { defaultMcpBounds } from "../../world/mcp/bounds.ts"
import { ServerFailure } from "../../world/mcp/failure.ts"
import { openServer } from "../../world/mcp/open-server.ts"
import { readListing } from "../../world/mcp/read-listing.ts"
import { ServerLine } from "../../world/mcp/server-line.ts"
import { createServerTools } from "../../world/mcp/server-tools.ts"
import type { McpTool, McpToolbox, McpToolsOptions } from "./mcp-toolbox.ts"

/** Starts the server of a toolbox and asks it for its tools. */
export async function openToolbox(
  name: string,
  settings: McpServerSettings,
  { cwd = process.cwd(), sandbox = "preferred" }: McpToolsOptions,
): Promise<McpToolbox> {
  const problem = isMcpServerName(name)
    ? findMcpServerProblem(settings)
    : "has an invalid name: it must fit into the names of tools"
  if (problem !== undefined) throw serverError(name, problem)
  const bounds = defaultMcpBounds
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
  key: makeRandomUuid(),
  agent: "foreign",
  depth: 0,
  cwd,
  signal,
  seen: () => undefined,
  permits: () => true,
})
