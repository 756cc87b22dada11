import type { CheckedAgent, RuleFacts } from "../rule.ts"
import { listEntryTools, readToolEntries } from "../tools/named-tool.ts"

/** An agent that another names in `Agent(…)`. */
export interface Delegate {
  readonly name: string
  /** The entry of the tool list that names it. */
  readonly entry: string
  readonly index: number
}

/** The agents that an agent may call, if it names them. Undefined: it may call none, or every agent. */
export function listDelegates(
  checked: CheckedAgent,
  surroundings: RuleFacts,
): readonly Delegate[] | undefined {
  const { allow, deny } = checked.agent.tools
  const isDelegation = (tool: ReturnType<typeof readToolEntries>[number]) =>
    listEntryTools(tool).includes("Agent")
  const granting = readToolEntries(allow, checked, surroundings).filter(isDelegation)
  const refusing = readToolEntries(deny, checked, surroundings).filter(isDelegation)
  if (granting.length === 0 || granting.some(({ argument }) => !argument)) return undefined
  if (refusing.some(({ argument }) => !argument)) return undefined
  const refused = new Set(refusing.flatMap(({ argument }) => splitAgentNames(argument!)))
  return granting.flatMap(({ argument, text, index }) =>
    splitAgentNames(argument!)
      .filter((name) => !refused.has(name))
      .map((name) => ({ name, entry: text, index })),
  )
}

export const splitAgentNames = (argument: string): readonly string[] =>
  argument
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
