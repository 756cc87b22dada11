import { type McpServerSettings, notOffered, offersTool } from "../../agent/mcp-server.ts"
import {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOutput,
  type ToolServer,
} from "../../agent/tool.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { CallStep } from "./asking-call.ts"
import { defaultMcpBounds, type McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { cleanText } from "./plain-text.ts"
import { readResult } from "./read-result.ts"
import type { ServerListedTool, ServerToolList } from "./read-tools.ts"
import type { CalledTool } from "./server-line.ts"
import { nameServerTools } from "./tool-names.ts"
import { rewriteToolSchema } from "./tool-schema.ts"

/** Calls one tool of a server. Rejects if the server cannot be reached, does not answer, refuses the request or has changed. */
export type CallServer = (tool: CalledTool, input: JsonMap, context: ToolContext) => Promise<CallStep>

export interface ServerTools {
  readonly tools: readonly Tool[]
  /** Tools of the server that cannot be used. `name` and `why` together are one sentence. */
  readonly leftOut: ServerToolList["leftOut"]
}

/** Turns a server's list into tools for runs. `mark`: a part of every name, where the server's name is ambiguous. */
export function createServerTools(
  { mark, ...tag }: ToolServer & { readonly mark?: string },
  settings: McpServerSettings,
  list: ServerToolList,
  call: CallServer,
  bounds: McpBounds = defaultMcpBounds,
): ServerTools {
  const server = tag.name
  const names = nameServerTools(
    server,
    list.tools.map(({ name }) => name),
    mark,
  )
  const host = hostOf(settings)
  const tools: Tool[] = []
  const leftOut = [...list.leftOut]
  for (const [index, listed] of list.tools.entries()) {
    if (!offersTool(settings, listed.name)) {
      leftOut.push({ name: cleanText(listed.name, 100), why: notOffered })
      continue
    }
    const schema = rewriteToolSchema(listed.input)
    if ("why" in schema) {
      leftOut.push({ name: cleanText(listed.name, 100), why: schema.why })
      continue
    }
    // The protocol defines these methods as reading.
    const effect = listed.method ? "read" : effectOf(listed, settings)
    try {
      tools.push(
        defineTool<JsonMap>({
          ...names[index]!,
          listed: listed.hash,
          server: tag,
          description: descriptionOf(server, listed, schema.omitted, bounds),
          input: schema.input,
          effect,
          resultBytes: bounds.result,
          ...(host !== undefined && { accesses: () => [{ type: "host", host }] }),
          ...(settings.timeout !== undefined && { timeout: settings.timeout }),
          execute: (input, context) => execute(server, { ...listed, effect }, input, context, call),
        }),
      )
    } catch (error) {
      leftOut.push({ name: cleanText(listed.name, 100), why: `cannot be offered: ${describeThrown(error)}` })
    }
  }
  return { tools, leftOut }
}

/** The host of a server's address, for rules about hosts. Undefined if a variable keeps the address from being a URL. */
const hostOf = (settings: McpServerSettings): string | undefined =>
  "url" in settings && URL.canParse(settings.url) ? new URL(settings.url).hostname : undefined

/** A server may say that a tool only reads. That counts only if the user's configuration sets `annotations: believed`. */
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
  omitted: readonly string[],
  bounds: McpBounds,
): string {
  const note = omitted.length === 0 ? "" : `\nIts arguments must also fit: ${omitted.join("; ")}.`
  const words =
    description.trim() === "" ? `The tool ${cleanText(name, 100)} of the MCP server ${server}.` : description
  return cleanText(words + note, bounds.description)
}

async function execute(
  server: string,
  { name, hash, effect }: ServerListedTool & { readonly effect: ToolEffect },
  input: JsonMap,
  context: ToolContext,
  call: CallServer,
): Promise<ToolOutput> {
  let step: CallStep
  try {
    step = await call({ name, hash: context.listed ?? hash, effect }, input, context)
  } catch (error) {
    // The call was aborted because the run is stopping, so this is not the server's failure.
    context.signal.throwIfAborted()
    if (error instanceof ServerFailure && error.type === "changed")
      return {
        text: `Not run: ${error.message} on the MCP server ${server} since this run began. Do without it.`,
        isError: true,
      }
    if (error instanceof ServerFailure && error.type === "lost")
      return { text: `The outcome is unknown: ${error.message}`, isUnknown: true }
    return { text: `The MCP server ${server} failed: ${describeThrown(error)}`, isError: true }
  }
  switch (step.type) {
    case "asks":
      return { text: "", asks: step.question }
    case "samples":
      return { text: "", samples: step.request }
    case "result":
      return readResult(step.result, server)
  }
}
