import type { AgentCandidate } from "./entry.ts"
import type { NameClaim } from "./name-claims.ts"

/**
 * Finds the definitions that decide what a name means, in their original order. These are the definitions of that name
 * and those with the name as an alias. Definitions with one of their names as an alias follow, and so on.
 */
export function createRivalFinder(
  candidates: readonly AgentCandidate[],
  claims: readonly NameClaim[],
): (name: string) => [candidates: readonly AgentCandidate[], claims: readonly NameClaim[]] {
  const places = new Map(candidates.map((candidate, place) => [candidate, place]))
  const byName = groupByKeys(candidates, ({ agent }) => [agent.name])
  const byAlias = groupByKeys(candidates, ({ agent }) => agent.aliases ?? [])
  const claimsByName = groupByKeys(claims, (claim) => [claim.name])
  return (name) => {
    const names = new Set([name])
    for (const one of names) for (const { agent } of byAlias.get(one) ?? []) names.add(agent.name)
    const rivals = [...names].flatMap((one) => byName.get(one) ?? [])
    return [
      rivals.sort((one, other) => places.get(one)! - places.get(other)!),
      [...names].flatMap((one) => claimsByName.get(one) ?? []),
    ]
  }
}

function groupByKeys<Item>(
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
