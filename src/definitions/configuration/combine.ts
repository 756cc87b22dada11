import { isMap, type Json } from "../../ground/message.ts"
import type { ConfigurationKey } from "./keys.ts"

/** Who says something: later ones win over earlier ones, in this order. */
export type LayerOf = "default" | "user" | "project" | "environment"

/** How deep the entries of a key are settings of their own. */
export const depthOf = ({ key }: ConfigurationKey): number => (key === "providers" ? 2 : 1)

/** Two layers of one key: a map entry by entry, anything else as `combineValue` says. */
export function combine(
  known: ConfigurationKey,
  before: Json | undefined,
  value: Json,
  of: LayerOf,
  depth = depthOf(known),
): Json {
  // Neither takes the place of the other, and it matters whose they are.
  if (known.type === "hooks") return { ...(isMap(before) && before), [of]: value }
  if (depth === 0 || !isMap(before) || !isMap(value)) return combineValue(known, before, value, of)
  const entries = Object.entries(value).map(([name, entry]) => [
    name,
    combine(known, before[name], entry, of, depth - 1),
  ])
  return { ...before, ...Object.fromEntries(entries) }
}

/** The later one wins, but nothing that a person has forbidden or bounded comes undone in a project. */
export function combineValue(
  { type, narrow }: ConfigurationKey,
  before: Json | undefined,
  value: Json,
  of: LayerOf,
): Json {
  if (type === "patterns") return [...new Set([...((before ?? []) as string[]), ...(value as string[])])]
  // Every list binds: one of a project narrows and never widens.
  if (type === "model-lists") return [...((before ?? []) as Json[]), ...(value as Json[])]
  if (of === "project" && narrow !== undefined && before === narrow) return before
  // By this name a person knows a program of theirs.
  if (type === "executors" && of === "project" && before !== undefined) return before
  if (
    (type === "limits" || type === "price") &&
    of === "project" &&
    typeof before === "number" &&
    typeof value === "number"
  )
    return Math.min(before, value)
  return value
}

/** What a layer may say of a key: of the variables, a project nothing of those that a person has locked. */
export function unlocked(
  { key }: ConfigurationKey,
  said: Json | undefined,
  of: LayerOf,
  settled: ReadonlyMap<string, Json>,
): Json | undefined {
  const locked = settled.get("locked_variables")
  if (key !== "variables" || of !== "project" || !isMap(said) || !Array.isArray(locked)) return said
  return Object.fromEntries(Object.entries(said).filter(([name]) => !locked.includes(name)))
}
