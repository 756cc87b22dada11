import type { McpServerSettings } from "../../agent/mcp-server.ts"
import {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOutput,
} from "../../agent/tool.ts"
import { messageOf } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { defaultMcpBounds, type McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { cleanText } from "./plain-text.ts"
import { readResult } from "./read-result.ts"
import type { ServerListedTool, ServerToolList } from "./read-tools.ts"
import type { CalledTool } from "./server-line.ts"
import { nameServerTools } from "./tool-names.ts"
import { rewriteToolSchema } from "./tool-schema.ts"

/** Calls one tool of a server. Throws if the server cannot be reached, does not answer or has changed. */
export type CallServer = (tool: CalledTool, input: JsonMap, context: ToolContext) => Promise<Json>

export interface ServerTools {
  readonly tools: readonly Tool[]
  /** Tools of the server's list that cannot be used. The reason is a phrase that follows the name. */
  readonly leftOut: ServerToolList["leftOut"]
}

/** Turns a server's list into tools for runs. */
export function createServerTools(
  server: string,
  settings: McpServerSettings,
  list: ServerToolList,
  call: CallServer,
  bounds: McpBounds = defaultMcpBounds,
): ServerTools {
  const names = nameServerTools(
    server,
    list.tools.map(({ name }) => name),
  )
  const host = hostOf(settings)
  const tools: Tool[] = []
  const leftOut = [...list.leftOut]
  for (const [index, listed] of list.tools.entries()) {
    const schema = rewriteToolSchema(listed.input)
    if ("why" in schema) {
      leftOut.push({ name: cleanText(listed.name, 100), why: schema.why })
      continue
    }
    try {
      tools.push(
        defineTool<JsonMap>({
          ...names[index]!,
          listed: listed.hash,
          description: descriptionOf(server, listed, schema.omitted, bounds),
          input: schema.input,
          // The protocol defines these methods as reading.
          effect: listed.method ? "read" : effectOf(listed, settings),
          resultBytes: bounds.result,
          ...(host !== undefined && { accesses: () => [{ type: "host", host }] }),
          ...(settings.timeout !== undefined && { timeout: settings.timeout }),
          execute: (input, context) => execute(server, listed, input, context, call),
        }),
      )
    } catch (error) {
      leftOut.push({ name: cleanText(listed.name, 100), why: `cannot be offered: ${messageOf(error)}` })
    }
  }
  return { tools, leftOut }
}

/** The host of a server's address, for rules about hosts. An address with a variable in the host gives no host. */
const hostOf = (settings: McpServerSettings): string | undefined =>
  "url" in settings && URL.canParse(settings.url) ? new URL(settings.url).hostname : undefined

/** A server's claims about its tools count only if the user configured `annotations` to be trusted. */
function effectOf(
  { claims }: ServerListedTool,
  { annotations = "ignored" }: Pick<McpServerSettings, "annotations">,
): ToolEffect {
  if (annotations === "ignored") return "opaque"
  if (claims.readOnly) return "read"
  return claims.repeatable ? "idempotent" : "opaque"
}

function descriptionOf(
  server: string,
  { description, name }: ServerListedTool,
  unsaid: readonly string[],
  bounds: McpBounds,
): string {
  const note = unsaid.length === 0 ? "" : `\nIts arguments must also fit: ${unsaid.join("; ")}.`
  const words =
    description.trim() === "" ? `The tool ${cleanText(name, 100)} of the MCP server ${server}.` : description
  return cleanText(words + note, bounds.description)
}

async function execute(
  server: string,
  { name, hash }: ServerListedTool,
  input: JsonMap,
  context: ToolContext,
  call: CallServer,
): Promise<ToolOutput> {
  let result: Json
  try {
    result = await call({ name, hash: context.listed ?? hash }, input, context)
  } catch (error) {
    // If the run is stopping, the server is not at fault.
    context.signal.throwIfAborted()
    if (error instanceof ServerFailure && error.type === "changed")
      return {
        text: `Not run: ${error.message} on the MCP server ${server} since this run began. Do without it.`,
        isError: true,
      }
    return { text: `The MCP server ${server} failed: ${messageOf(error)}`, isError: true }
  }
  return readResult(result, server)
}
