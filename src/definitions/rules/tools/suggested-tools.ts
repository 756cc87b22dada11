import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, hosts } from "../../../agent/catalogue/tools.ts"
import { createNamesCache, indexNames, type KnownNames } from "../near-names.ts"
import type { CheckedAgent, RuleFacts } from "../rule.ts"
import { listFileTools } from "./named-tool.ts"

/** Suggests tools for an unknown name: ours with a similar name, else the equivalents of other hosts' similar names. */
export function createToolSuggester(
  checked: CheckedAgent,
  surroundings: RuleFacts,
): (name: string) => readonly string[] {
  let ours: KnownNames | undefined
  return (name) => {
    ours ??= oursFor(checked, surroundings)
    const near = ours.near(name)
    if (near.length > 0) return near
    const theirs = hostNames(surroundings)
      .near(name)
      .flatMap((other) => {
        const equivalent = lookUpTool(other)
        return equivalent.type === "equivalent" ? [equivalent.name, ...(equivalent.also ?? [])] : []
      })
    return [...new Set(theirs)]
  }
}

function oursFor(checked: CheckedAgent, surroundings: RuleFacts): KnownNames {
  const own = listFileTools(checked)
  return own.length === 0 ? sharedTools(surroundings) : indexNames([...toolsIn(surroundings), ...own])
}

const toolsIn = ({ tools }: RuleFacts): readonly string[] => [...canonicalTools, ...tools, "submit_result"]

const sharedTools = createNamesCache(toolsIn)

const hostNames = createNamesCache((_: RuleFacts) =>
  hosts.flatMap(({ equivalents }) => Object.values(equivalents).flatMap((names) => names.split(" "))),
)
