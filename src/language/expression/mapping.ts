import type { Meter } from "./meter.ts"
import { type DictEntry, describeValue, isType, isUndefined, type Mapping, type Value } from "./value.ts"

export function makeMapping(entries: readonly (DictEntry & { readonly id: string })[]): Mapping {
  const entryMap = new Map<string, DictEntry>()
  // As in Python, a repeated key keeps its first spelling and place, and gets the last value.
  for (const { id, key, value } of entries)
    entryMap.set(id, { key: entryMap.has(id) ? entryMap.get(id)!.key : key, value })
  return { type: "mapping", entries: entryMap }
}

/** The id of a key. Keys that are equal in Python have the same id. Fails for values that cannot be keys. */
export function requireKeyId(value: Value, meter: Meter): string {
  const id = identifyKey(value, meter)
  if (id === undefined)
    throw meter.failure(`${describeValue(value)} cannot be a key, and cannot be compared with others here.`)
  return id
}

/** The id of an object that is a key only by identity. */
const identityOf = (value: object): string => {
  const identity = identities.get(value) ?? `#${++identified}`
  identities.set(value, identity)
  return identity
}

const identities = new WeakMap<object, string>()
let identified = 0

/** The id of a key. Undefined: the value cannot be a key. */
export function identifyKey(value: Value, meter: Meter): string | undefined {
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
    const ids = value.items.map((item) => identifyKey(item, meter))
    if (ids.includes(undefined)) return undefined
    return meter.join(
      ids.map((id) => `(${id!.length}:${id}`),
      "",
    )
  })
}
