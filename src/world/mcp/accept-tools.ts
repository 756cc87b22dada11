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

/** The result of comparing a server's list with the accepted one. */
export type Pinning =
  | { readonly type: "accepted" }
  /** Nothing was accepted before, so there was nothing to compare with. */
  | { readonly type: "first" }
  /** The user has not accepted these changes. */
  | { readonly type: "changed"; readonly changes: ToolChanges }

/**
 * Compares a server's list with the accepted one. The first list of an entry is accepted: the user wrote the entry, or
 * has trusted it. `accept` accepts every list.
 */
export function pinTools(
  pins: PinStore,
  entry: PinnedEntry,
  listing: ServerListing,
  onChange: "refuse" | "accept",
): Pinning {
  const isFirst = pins.read(entry) === undefined
  const changes = findToolChanges(pins, entry, listing)
  if (changes && onChange === "refuse") return { type: "changed", changes }
  if (isFirst || changes) pins.write(entry, createPin(entry, listing))
  return { type: isFirst ? "first" : "accepted" }
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

/** The warning for runs whose project brings a server that was never asked before. `tools`: their names here. */
export const describeFirstList = (server: string, tools: readonly string[]): string => {
  const others = tools.length - mostNames
  const names = `${tools.slice(0, mostNames).join(", ")}${others > 0 ? ` and ${others} more` : ""}`
  return `The MCP server ${server} of this project was asked for its tools for the first time, and its list is accepted from now on: ${tools.length === 0 ? "no tools" : names}. \`cadre mcp tools ${server}\` shows them; a change will be asked about.`
}

const mostNames = 20

/** The message of a refused run, in words that follow the agent's name. */
export const describeChangedTools = (server: string, changes: ToolChanges): string =>
  `the MCP server ${server} has changed since its tools were accepted:\n${changeLines(changes)
    .map((line) => `    ${line}`)
    .join("\n")}\nRead the difference, then run \`cadre trust --server ${server}\` to accept it`
