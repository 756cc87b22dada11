import type { CheckedAgent, Surroundings } from "../rule.ts"
import { namedTools, toolsOf } from "../tools/named-tool.ts"

/** An agent that another names in `Agent(…)`. */
export interface Delegate {
  readonly name: string
  /** The entry of the tool list that names it. */
  readonly entry: string
  readonly index: number
}

/** The agents that may be delegated to, where they are named. Undefined: nobody, or whoever is there. */
export function delegatesOf(
  checked: CheckedAgent,
  surroundings: Surroundings,
): readonly Delegate[] | undefined {
  const { allow, deny } = checked.agent.tools
  const isDelegation = (tool: ReturnType<typeof namedTools>[number]) => toolsOf(tool).includes("Agent")
  const granting = namedTools(allow, checked, surroundings).filter(isDelegation)
  const refusing = namedTools(deny, checked, surroundings).filter(isDelegation)
  if (granting.length === 0 || granting.some(({ argument }) => !argument)) return undefined
  if (refusing.some(({ argument }) => !argument)) return undefined
  const refused = new Set(refusing.flatMap(({ argument }) => namesIn(argument!)))
  return granting.flatMap(({ argument, text, index }) =>
    namesIn(argument!)
      .filter((name) => !refused.has(name))
      .map((name) => ({ name, entry: text, index })),
  )
}

export const namesIn = (argument: string): readonly string[] =>
  argument
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
