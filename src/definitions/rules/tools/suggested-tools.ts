import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, hosts } from "../../../agent/catalogue/tools.ts"
import { type KnownNames, knownNames, knownNamesOf } from "../near-names.ts"
import type { CheckedAgent, Surroundings } from "../rule.ts"
import { ownTools } from "./named-tool.ts"

/** Tells of unknown names which tools they may have meant: ours by spelling, else those of other hosts by theirs. */
export function toolSuggester(
  checked: CheckedAgent,
  surroundings: Surroundings,
): (name: string) => readonly string[] {
  let ours: KnownNames | undefined
  return (name) => {
    ours ??= oursFor(checked, surroundings)
    const near = ours.near(name)
    if (near.length > 0) return near
    const theirs = hostNames(surroundings)
      .near(name)
      .flatMap((other) => {
        const known = lookUpTool(other)
        return known.type === "equivalent" ? [known.name, ...(known.also ?? [])] : []
      })
    return [...new Set(theirs)]
  }
}

function oursFor(checked: CheckedAgent, surroundings: Surroundings): KnownNames {
  const own = ownTools(checked)
  return own.length === 0 ? sharedTools(surroundings) : knownNames([...toolsIn(surroundings), ...own])
}

const toolsIn = ({ tools }: Surroundings): readonly string[] => [...canonicalTools, ...tools, "submit_result"]

const sharedTools = knownNamesOf(toolsIn)

const hostNames = knownNamesOf((_: Surroundings) =>
  hosts.flatMap(({ equivalents }) => Object.values(equivalents).flatMap((listed) => listed.split(" "))),
)
