import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { digestServer } from "../../agent/server-choice.ts"
import type { ToolEffect } from "../../agent/tool.ts"
import { messageOf } from "../../ground/errors.ts"
import { charactersPerToken } from "../../run/decide/compaction.ts"
import { defaultMcpBounds } from "./bounds.ts"
import type { McpConnection } from "./connection.ts"
import { openServer } from "./open-server.ts"
import { cleanText } from "./plain-text.ts"
import { listTools } from "./read-tools.ts"
import { createServerTools } from "./server-tools.ts"
import type { ServerPlace } from "./start-program.ts"
import { rewriteToolSchema } from "./tool-schema.ts"

/** One tool of a server, as runs get it. */
export interface InspectedTool {
  /** The name for models and rules. */
  readonly name: string
  /** The server's own name for it. */
  readonly tool: string
  readonly description: string
  readonly effect: ToolEffect
  /** `rewritten`: providers would refuse the server's own schema. */
  readonly schema: "unchanged" | "rewritten"
  /** Constraints that the rewritten schema had to drop. The server still checks them. */
  readonly lost: readonly string[]
  /** The estimated tokens of its name, description and schema in every request. */
  readonly tokens: number
}

/** A server that was asked for its tools, or the reason why it could not be asked. */
export type ServerInspection =
  | {
      readonly state: "works"
      readonly version?: string
      readonly protocol?: string
      readonly tools: readonly InspectedTool[]
      readonly leftOut: readonly { readonly name: string; readonly why: string }[]
      readonly tokens: number
    }
  | { readonly state: "failed"; readonly why: string }

/** Starts a server, or connects to it, reads its tools, and closes it again. Never throws. */
export async function inspectServer(
  name: string,
  settings: McpServerSettings,
  place: ServerPlace,
): Promise<ServerInspection> {
  const bounds = { ...defaultMcpBounds, start: settings.startTimeout ?? defaultMcpBounds.start }
  let connection: McpConnection | undefined
  try {
    connection = await openServer(name, settings, place, bounds)
    const list = await listTools(connection, bounds)
    const noCall = () => Promise.reject(new TypeError("an inspected tool is not called"))
    const { tools, leftOut } = createServerTools(
      { name, entry: digestServer(name, settings) },
      settings,
      list,
      noCall,
    )
    const inspected = tools.flatMap((tool): readonly InspectedTool[] => {
      if (tool.kind !== "function") return []
      const own = tool.original ?? tool.name
      const listed = list.tools.find((one) => own.endsWith(`__${one.name}`))
      const schema = listed && rewriteToolSchema(listed.input)
      const isSame = JSON.stringify(listed?.input) === JSON.stringify(tool.input)
      const { description, input } = tool
      return [
        {
          name: tool.name,
          tool: listed?.name ?? own,
          description,
          effect: tool.effect,
          schema: isSame ? "unchanged" : "rewritten",
          lost: schema && "omitted" in schema ? schema.omitted : [],
          tokens: estimateTokens(JSON.stringify({ name: tool.name, description, input })),
        },
      ]
    })
    const { about } = connection
    const instructions = cleanText(connection.instructions ?? "", bounds.description)
    return {
      state: "works",
      ...(about.version !== undefined && { version: about.version }),
      ...(about.protocol !== undefined && { protocol: about.protocol }),
      tools: inspected,
      leftOut,
      tokens: inspected.reduce((sum, { tokens }) => sum + tokens, estimateTokens(instructions)),
    }
  } catch (error) {
    return { state: "failed", why: messageOf(error) }
  } finally {
    await connection?.close()
  }
}

/** The same ratio by which histories are shortened. It is careful: most providers count fewer tokens. */
const estimateTokens = (text: string): number => Math.ceil(text.length / charactersPerToken)
