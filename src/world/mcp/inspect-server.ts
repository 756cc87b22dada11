import type { ToolEffect } from "../../agent/tool.ts"
import { countTextTokens, countToolTokens } from "../../run/begin/tool-tokens.ts"
import type { ToolPlace } from "../../run/ports/tool-source.ts"
import { findToolChanges } from "./accept-tools.ts"
import { boundPlace, placeOfRun, type ServerBounds } from "./bound-place.ts"
import { defaultMcpBounds } from "./bounds.ts"
import { changeLines } from "./compare-pins.ts"
import type { McpConnection } from "./connection.ts"
import { explainFailure } from "./explain-failure.ts"
import type { KnownServer } from "./known-servers.ts"
import { openServer } from "./open-server.ts"
import { makePinnedEntry } from "./pinned-entry.ts"
import type { PinStore } from "./pins.ts"
import { readListing } from "./read-listing.ts"
import { createServerTools } from "./server-tools.ts"
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

/** The tools of a server, or the reason why they could not be read. */
export type ServerInspection =
  | {
      readonly state: "works"
      readonly version?: string
      readonly protocol?: string
      readonly tools: readonly InspectedTool[]
      readonly leftOut: readonly { readonly name: string; readonly why: string }[]
      /** The estimated tokens of all tools and of the server's instructions. */
      readonly tokens: number
      /** The changes since the user accepted the tools, as lines. Empty: none, or nothing was accepted yet. */
      readonly changes: readonly string[]
    }
  | { readonly state: "failed"; readonly why: string }

/** The place that servers are asked from. It is the same as for a run in this folder. */
export interface InspectionPlace extends Pick<ToolPlace, "cwd" | "forbidden"> {
  readonly bounds: ServerBounds
  readonly pins: PinStore
}

/**
 * Starts a server or connects to it, reads its tools, and closes the connection. A server that it started ends then. Compares
 * the tools with the accepted tools, but accepts nothing. Never throws.
 */
export async function inspectServer(
  server: KnownServer,
  { bounds: serverBounds, pins, ...place }: InspectionPlace,
): Promise<ServerInspection> {
  const { settings, tag } = server
  let connection: McpConnection | undefined
  try {
    const ownPlace = boundPlace(server, serverBounds, placeOfRun(serverBounds, place))
    connection = await openServer(tag.name, settings, ownPlace, defaultMcpBounds)
    const listing = await readListing(connection, defaultMcpBounds)
    const { list, instructions } = listing
    const changes = findToolChanges(pins, makePinnedEntry(server, serverBounds), listing)
    const noCall = () => Promise.reject(new TypeError("an inspected tool is not called"))
    const { tools, leftOut } = createServerTools(tag, settings, list, noCall)
    const inspected = tools.flatMap((tool): readonly InspectedTool[] => {
      if (tool.kind !== "function") return []
      const own = tool.original ?? tool.name
      const listed = list.tools.find(({ hash }) => hash === tool.listed)
      const schema = listed && rewriteToolSchema(listed.input)
      const isSame = JSON.stringify(listed?.input) === JSON.stringify(tool.input)
      const { description } = tool
      return [
        {
          name: tool.name,
          tool: listed?.name ?? own,
          description,
          effect: tool.effect,
          schema: isSame ? "unchanged" : "rewritten",
          lost: schema && "omitted" in schema ? schema.omitted : [],
          tokens: countToolTokens(tool),
        },
      ]
    })
    const { about } = connection
    return {
      state: "works",
      ...(about.version !== undefined && { version: about.version }),
      ...(about.protocol !== undefined && { protocol: about.protocol }),
      tools: inspected,
      leftOut,
      tokens: inspected.reduce((sum, { tokens }) => sum + tokens, countTextTokens(instructions)),
      changes: changes ? changeLines(changes) : [],
    }
  } catch (error) {
    return { state: "failed", why: explainFailure(error, settings) }
  } finally {
    await connection?.close()
  }
}
