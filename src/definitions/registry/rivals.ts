import type { Candidate } from "./entry.ts"
import type { NameClaim } from "./name-claims.ts"

/**
 * The definitions that decide what a name comes to, in the order of all: those of that name, those with it as another
 * name, and those that have the names of these as other names, and so on. What else there is has no part in it.
 */
export function rivalsFor(
  candidates: readonly Candidate[],
  claims: readonly NameClaim[],
): (name: string) => [candidates: readonly Candidate[], claims: readonly NameClaim[]] {
  const places = new Map(candidates.map((candidate, place) => [candidate, place]))
  const byName = groupedBy(candidates, ({ agent }) => [agent.name])
  const byAlias = groupedBy(candidates, ({ agent }) => agent.aliases ?? [])
  const claimed = groupedBy(claims, (claim) => [claim.name])
  return (name) => {
    const names = new Set([name])
    for (const one of names) for (const { agent } of byAlias.get(one) ?? []) names.add(agent.name)
    const rivals = [...names].flatMap((one) => byName.get(one) ?? [])
    return [
      rivals.sort((one, other) => places.get(one)! - places.get(other)!),
      [...names].flatMap((one) => claimed.get(one) ?? []),
    ]
  }
}

function groupedBy<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items)
    for (const key of keysOf(item)) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  return groups
}
