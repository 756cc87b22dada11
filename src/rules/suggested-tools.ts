import { lookUpTool } from "../catalogue/look-up.ts"
import { canonicalTools, hosts } from "../catalogue/tools.ts"
import { ownTools } from "./named-tool.ts"
import { nearNames } from "./near-names.ts"
import type { CheckedAgent, Surroundings } from "./rule.ts"

/** The tools that an unknown name may have meant: ours by spelling, else those of other hosts by theirs. */
export function suggestedTools(
  name: string,
  checked: CheckedAgent,
  surroundings: Surroundings,
): readonly string[] {
  const ours = nearNames(name, [...canonicalTools, ...ownTools(checked, surroundings)])
  if (ours.length > 0) return ours
  const theirs = nearNames(name, hostNames()).flatMap((near) => {
    const known = lookUpTool(near)
    return known.type === "equivalent" ? [known.name, ...(known.also ?? [])] : []
  })
  return [...new Set(theirs)]
}

let names: readonly string[] | undefined

function hostNames(): readonly string[] {
  names ??= hosts.flatMap(({ equivalents }) =>
    Object.values(equivalents).flatMap((listed) => listed.split(" ")),
  )
  return names
}
