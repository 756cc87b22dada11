import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { defineTool, type Effect, type Tool, type ToolContext, type ToolOutput } from "../../agent/tool.ts"
import { messageOf } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { type McpBounds, usualBounds } from "./bounds.ts"
import { plainText } from "./plain-text.ts"
import { readResult } from "./read-result.ts"
import type { ListedTool, ToolList } from "./read-tools.ts"
import { toolNames } from "./tool-names.ts"
import { toolSchema } from "./tool-schema.ts"

/** Asks a server, wherever it is, for one call of one of its tools. Throws where it cannot be asked, or does not answer. */
export type CallServer = (tool: string, input: JsonMap, context: ToolContext) => Promise<Json>

export interface ServerTools {
  readonly tools: readonly Tool[]
  /** What of its list is no tool here, with the reason in words that follow the name. */
  readonly leftOut: ToolList["leftOut"]
}

/** The tools of a server as runs have them. */
export function serverTools(
  server: string,
  settings: McpServerSettings,
  list: ToolList,
  call: CallServer,
  bounds: McpBounds = usualBounds,
): ServerTools {
  const names = toolNames(
    server,
    list.tools.map(({ name }) => name),
  )
  const host = hostOf(settings)
  const tools: Tool[] = []
  const leftOut = [...list.leftOut]
  for (const [index, listed] of list.tools.entries()) {
    const schema = toolSchema(listed.input)
    if ("why" in schema) {
      leftOut.push({ name: plainText(listed.name, 100), why: schema.why })
      continue
    }
    try {
      tools.push(
        defineTool<JsonMap>({
          ...names[index]!,
          description: descriptionOf(server, listed, schema.unsaid, bounds),
          input: schema.input,
          effect: effectOf(listed, settings),
          resultBytes: bounds.result,
          ...(host !== undefined && { accesses: () => [{ type: "host", host }] }),
          ...(settings.timeout !== undefined && { timeout: settings.timeout }),
          execute: (input, context) => execute(server, listed.name, input, context, call),
        }),
      )
    } catch (error) {
      leftOut.push({ name: plainText(listed.name, 100), why: `cannot be offered: ${messageOf(error)}` })
    }
  }
  return { tools, leftOut }
}

/** What rules about hosts are about, too. A name that is filled in later nobody can judge by. */
const hostOf = (settings: McpServerSettings): string | undefined =>
  "url" in settings && URL.canParse(settings.url) ? new URL(settings.url).hostname : undefined

/** What a server claims of its tools counts where the user says that it may be believed. */
function effectOf(
  { claims }: ListedTool,
  { annotations = "ignored" }: Pick<McpServerSettings, "annotations">,
): Effect {
  if (annotations === "ignored") return "opaque"
  if (claims.readOnly) return "read"
  return claims.repeatable ? "idempotent" : "opaque"
}

function descriptionOf(
  server: string,
  { description, name }: ListedTool,
  unsaid: readonly string[],
  bounds: McpBounds,
): string {
  const told = unsaid.length === 0 ? "" : `\nIts arguments must also fit: ${unsaid.join("; ")}.`
  const words =
    description.trim() === "" ? `The tool ${plainText(name, 100)} of the MCP server ${server}.` : description
  return plainText(words + told, bounds.description)
}

async function execute(
  server: string,
  tool: string,
  input: JsonMap,
  context: ToolContext,
  call: CallServer,
): Promise<ToolOutput> {
  let result: Json
  try {
    result = await call(tool, input, context)
  } catch (error) {
    // That the run stops is no fault of the server.
    context.signal.throwIfAborted()
    return { text: `The MCP server ${server} did not do this: ${messageOf(error)}`, isError: true }
  }
  return readResult(result, server)
}
