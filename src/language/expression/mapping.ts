import type { Meter } from "./meter.ts"
import { describe, type Entry, isType, isUndefined, type Mapping, type Value } from "./value.ts"

export function mapping(entries: readonly (Entry & { readonly id: string })[]): Mapping {
  const found = new Map<string, Entry>()
  // As in Python, a repeated key keeps its first spelling and place and takes the last value.
  for (const { id, key, value } of entries)
    found.set(id, { key: found.has(id) ? found.get(id)!.key : key, value })
  return { type: "mapping", entries: found }
}

/** The same text for what Python counts as the same key; fails for what cannot be a key. */
export function keyOf(value: Value, meter: Meter): string {
  const id = idOf(value, meter)
  if (id === undefined)
    throw meter.failure(`${describe(value)} cannot be a key or be told apart from others here.`)
  return id
}

/** What has no value of its own is the same key as itself and as nothing else. */
const identityOf = (value: object): string => {
  const known = identities.get(value) ?? `#${++identified}`
  identities.set(value, known)
  return known
}

const identities = new WeakMap<object, string>()
let identified = 0

/** Undefined for what cannot be a key. */
export function idOf(value: Value, meter: Meter): string | undefined {
  if (value === null) return "none"
  switch (typeof value) {
    case "string":
      meter.spendReading(value)
      return `"${value}`
    case "boolean":
      return value ? "1" : "0"
    case "bigint":
      return meter.integerText(value)
    case "number":
      return Number.isInteger(value) ? BigInt(value).toString() : String(value)
    default:
      break
  }
  if (isUndefined(value)) return "undefined"
  if (value.type === "iterator" || (value.type === "callable" && value.kind === "function"))
    return identityOf(value)
  if (!isType(value, "sequence") || value.kind !== "tuple") return undefined
  return meter.nested(() => {
    const ids = value.items.map((item) => idOf(item, meter))
    if (ids.includes(undefined)) return undefined
    return meter.join(
      ids.map((id) => `(${id!.length}:${id}`),
      "",
    )
  })
}
