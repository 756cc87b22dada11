import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { changeLines, compareTools, type ToolChanges } from "./compare-pins.ts"
import { identifyEntry, type PinStore, type ServerPin } from "./pins.ts"
import type { ServerListing } from "./read-listing.ts"

/** Makes the pin of a server's list. */
const createPin = (settings: McpServerSettings, { list, instructions }: ServerListing): ServerPin => ({
  version: 1,
  entry: identifyEntry(settings),
  at: new Date().toISOString(),
  instructions,
  tools: Object.fromEntries(
    list.tools.map(({ name, hash, description, input }) => [name, { hash, description, input }]),
  ),
})

/**
 * Compares a server's list with the accepted one, and returns the changes that the user has not accepted. The first list
 * of an entry is accepted silently: the user wrote the entry. `accept` accepts every list.
 */
export function pinTools(
  pins: PinStore,
  settings: McpServerSettings,
  listing: ServerListing,
  onChange: "refuse" | "accept",
): ToolChanges | undefined {
  const now = createPin(settings, listing)
  const accepted = pins.read(settings)
  const changes = accepted && compareTools(accepted, now)
  if (accepted && !changes) return undefined
  if (!accepted || onChange === "accept") {
    pins.write(settings, now)
    return undefined
  }
  pins.propose(settings, now)
  return changes
}

/**
 * Accepts the list for which a run was refused: exactly the list whose difference was shown. Returns its changes as lines
 * for a person. Empty: no list waits to be accepted. With `look`, nothing is accepted.
 */
export function acceptTools(
  pins: PinStore,
  settings: McpServerSettings,
  mode: "accept" | "look",
): readonly string[] {
  const proposed = pins.proposed(settings)
  if (!proposed) return []
  const accepted = pins.read(settings)
  const changes = accepted && compareTools(accepted, proposed)
  if (mode === "accept") pins.write(settings, proposed)
  return changes ? changeLines(changes) : []
}

/** The message of a refused run, in words that follow the agent's name. */
export const refusalText = (server: string, changes: ToolChanges): string =>
  `the MCP server ${server} has changed since its tools were accepted:\n${changeLines(changes)
    .map((line) => `    ${line}`)
    .join("\n")}\nRead the difference, then run \`cadre trust --server ${server}\` to accept it`
