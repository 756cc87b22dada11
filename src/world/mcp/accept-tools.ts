import { changeLines, compareTools, type ToolChanges } from "./compare-pins.ts"
import { identifyEntry, type PinnedEntry } from "./pinned-entry.ts"
import type { PinStore, ServerPin } from "./pins.ts"
import type { ServerListing } from "./read-listing.ts"

/** Makes the pin of a server's list. */
const createPin = (entry: PinnedEntry, { list, instructions }: ServerListing): ServerPin => ({
  version: 1,
  entry: identifyEntry(entry),
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
  entry: PinnedEntry,
  listing: ServerListing,
  onChange: "refuse" | "accept",
): ToolChanges | undefined {
  const isFirst = pins.read(entry) === undefined
  const changes = findToolChanges(pins, entry, listing)
  if (!isFirst && (!changes || onChange === "refuse")) return changes
  pins.write(entry, createPin(entry, listing))
  return undefined
}

/**
 * Compares a server's list with the accepted one. Keeps a list that differs, so that the user can accept it. Undefined:
 * nothing changed, or nothing was accepted yet.
 */
export function findToolChanges(
  pins: PinStore,
  entry: PinnedEntry,
  listing: ServerListing,
): ToolChanges | undefined {
  const now = createPin(entry, listing)
  const accepted = pins.read(entry)
  const changes = accepted && compareTools(accepted, now)
  if (changes) pins.propose(entry, now)
  return changes
}

/**
 * Accepts the list for which a run was refused: exactly the list whose difference was shown. Returns its changes as lines
 * for a person. Empty: no list waits to be accepted. With `look`, nothing is accepted.
 */
export function acceptTools(pins: PinStore, entry: PinnedEntry, mode: "accept" | "look"): readonly string[] {
  const proposed = pins.proposed(entry)
  if (!proposed) return []
  const accepted = pins.read(entry)
  const changes = accepted && compareTools(accepted, proposed)
  if (mode === "accept") pins.write(entry, proposed)
  return changes ? changeLines(changes) : []
}

/** The message of a refused run, in words that follow the agent's name. */
export const refusalText = (server: string, changes: ToolChanges): string =>
  `the MCP server ${server} has changed since its tools were accepted:\n${changeLines(changes)
    .map((line) => `    ${line}`)
    .join("\n")}\nRead the difference, then run \`cadre trust --server ${server}\` to accept it`
