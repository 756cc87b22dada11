import type { JsonMap } from "../../ground/message.ts"
import type { HookCall } from "../../run/ports/hooked.ts"

type Called = Pick<HookCall, "input" | "aliases">

/**
 * The arguments under the names that the model used, under the tool's own names and under Claude Code's. So a hook that
 * reads an argument finds it under each of these names.
 */
export function gatherArguments({ input, aliases = {} }: Called): JsonMap {
  const allNames = { ...input, ...inOwnNames(input, aliases) }
  const claudes = Object.entries(namesOfClaude).filter(
    ([name, own]) => aliases[name] === own && allNames[own] !== undefined,
  )
  return { ...allNames, ...Object.fromEntries(claudes.map(([name, own]) => [name, allNames[own]!])) }
}

const namesOfClaude = { file_path: "path", subagent_type: "agent" } as const

/** Replaces some arguments, under any of their names. A value that is the same as before changes nothing. */
export function rewriteArguments(call: Called, wanted: JsonMap): JsonMap {
  const { input, aliases = {} } = call
  const before = gatherArguments(call)
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, before[name])),
  )
  const replaced = inOwnNames(changed, aliases)
  const unchanged = Object.entries(inOwnNames(input, aliases)).filter(
    ([name]) => !Object.hasOwn(replaced, name),
  )
  return { ...Object.fromEntries(unchanged), ...changed }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const inOwnNames = (input: JsonMap, aliases: Readonly<Record<string, string>>): JsonMap =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      Object.hasOwn(aliases, name) ? aliases[name]! : name,
      value,
    ]),
  )
