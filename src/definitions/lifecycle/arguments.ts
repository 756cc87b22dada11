import type { JsonMap } from "../../ground/message.ts"
import type { HookedCall } from "../../run/ports/hooked.ts"

type Called = Pick<HookedCall, "input" | "aliases">

/**
 * Arguments as the model has written them, and by the tool's own names and Claude Code's: a hook that looks at one must not
 * miss it because the model calls it otherwise.
 */
export function argumentsOf({ input, aliases = {} }: Called): JsonMap {
  const named = { ...input, ...inOwnNames(input, aliases) }
  const claudes = Object.entries(namesOfClaude).filter(
    ([name, own]) => aliases[name] === own && named[own] !== undefined,
  )
  return { ...named, ...Object.fromEntries(claudes.map(([name, own]) => [name, named[own]!])) }
}

const namesOfClaude = { file_path: "path", subagent_type: "agent" } as const

/** The arguments with others in place of some, by whichever name. What is only repeated changes nothing. */
export function rewritten(call: Called, wanted: JsonMap): JsonMap {
  const { input, aliases = {} } = call
  const before = argumentsOf(call)
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, before[name])),
  )
  const replaced = inOwnNames(changed, aliases)
  const kept = Object.entries(inOwnNames(input, aliases)).filter(([name]) => !Object.hasOwn(replaced, name))
  return { ...Object.fromEntries(kept), ...changed }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const inOwnNames = (input: JsonMap, aliases: Readonly<Record<string, string>>): JsonMap =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      Object.hasOwn(aliases, name) ? aliases[name]! : name,
      value,
    ]),
  )
