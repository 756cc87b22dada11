import { isMap, type Json } from "../../ground/message.ts"
import type { ConfigurationKey } from "./keys.ts"

/** The source of a value. Later sources override earlier ones, in this order. */
export type LayerSource = "default" | "user" | "project" | "environment"

/** The depth to which the entries of a key are settings of their own. */
export const getSettingDepth = ({ key }: ConfigurationKey): number => (key === "providers" ? 2 : 1)

/** Combines two layers of one key: maps entry by entry, other values with `combineValue`. */
export function combine(
  setting: ConfigurationKey,
  before: Json | undefined,
  value: Json,
  of: LayerSource,
  depth = getSettingDepth(setting),
): Json {
  // Hooks of all layers take effect, and it matters which layer they come from.
  if (setting.type === "hooks") return { ...(isMap(before) && before), [of]: value }
  if (depth === 0 || !isMap(before) || !isMap(value)) return combineValue(setting, before, value, of)
  const entries = Object.entries(value).map(([name, entry]) => [
    name,
    combine(setting, before[name], entry, of, depth - 1),
  ])
  return { ...before, ...Object.fromEntries(entries) }
}

/** The later value overrides the earlier one, but a project cannot undo what the user has forbidden or limited. */
export function combineValue(
  { type, narrow }: ConfigurationKey,
  before: Json | undefined,
  value: Json,
  of: LayerSource,
): Json {
  if (type === "patterns") return [...new Set([...((before ?? []) as string[]), ...(value as string[])])]
  // A model must be in every list, so a project can only narrow the user's.
  if (type === "model-lists") return [...((before ?? []) as Json[]), ...(value as Json[])]
  if (of === "project" && narrow !== undefined && before === narrow) return before
  // The name stands for a program or a server of the user, which a project must not replace.
  if ((type === "executors" || type === "mcpServers") && of === "project" && before !== undefined)
    return before
  if (
    (type === "limits" || type === "price") &&
    of === "project" &&
    typeof before === "number" &&
    typeof value === "number"
  )
    return Math.min(before, value)
  return value
}

/** Removes the values that a layer may not set: a project may not set variables that the user has locked. */
export function removeLocked(
  { key }: ConfigurationKey,
  value: Json | undefined,
  of: LayerSource,
  merged: ReadonlyMap<string, Json>,
): Json | undefined {
  const locked = merged.get("locked_variables")
  if (key !== "variables" || of !== "project" || !isMap(value) || !Array.isArray(locked)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !locked.includes(name)))
}
