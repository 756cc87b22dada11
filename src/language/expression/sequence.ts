import type { Meter } from "./meter.ts"
import { lengthOf } from "./text.ts"
import { describeValue, type ExpressionSequence, isType, isUndefined, type Value } from "./value.ts"

/** The items of a loop: items of a list, characters of a text, keys of a dict. An undefined value has none. */
export function iterableItems(value: Value, meter: Meter): readonly Value[] {
  if (typeof value === "string") {
    meter.reserveItems(value.length)
    return Array.from(value)
  }
  if (value !== null && typeof value === "object") {
    if (isUndefined(value)) return []
    if (value.type === "sequence") {
      meter.spend(value.items.length)
      return value.items
    }
    if (value.type === "mapping") {
      meter.spend(value.entries.size)
      return Array.from(value.entries.values(), ({ key }) => key)
    }
    if (value.type === "set") {
      meter.spend(value.members.size)
      return [...value.members.values()]
    }
    if (value.type === "iterator") return collectItems(value.next, meter)
  }
  throw meter.failure(`${describeValue(value)} cannot be looped over: only lists, strings and dicts can.`)
}

/** Reads the items of a loop one by one. Undefined is the end. */
export function pullFrom(value: Value, meter: Meter): () => Value | undefined {
  if (isType(value, "iterator")) return value.next
  const items = iterableItems(value, meter)
  let at = 0
  return () => items[at++]
}

/** Collects all items in a list. */
export function collectItems(next: () => Value | undefined, meter: Meter): Value[] {
  const items: Value[] = []
  for (let item = next(); item !== undefined; item = next()) {
    meter.spend(1)
    items.push(item)
    if (items.length > meter.limits.items) meter.reserveItems(items.length)
  }
  return items
}

/** True for values with indexes and slices, besides texts. */
export function hasIndexes(value: Value): value is ExpressionSequence {
  return (
    isType(value, "sequence") && (value.kind === "list" || value.kind === "tuple" || value.kind === "range")
  )
}

/** True for values that are compared by their members, in any order. */
export function isSetLike(value: Value): boolean {
  if (isType(value, "set")) return true
  return isType(value, "sequence") && (value.kind === "dict_keys" || value.kind === "dict_items")
}

/** Python's `len`. */
export function sizeOf(value: Value, meter: Meter): number {
  if (typeof value === "string") {
    meter.spend(value.length >> 6)
    return lengthOf(value)
  }
  if (value !== null && typeof value === "object") {
    if (isUndefined(value)) return 0
    if (value.type === "sequence" && value.kind !== "iterator") return value.items.length
    if (value.type === "mapping") return value.entries.size
    if (value.type === "set") return value.members.size
    if (value.type === "special") return value.length
  }
  throw meter.failure(`${describeValue(value)} has no length.${adviceFor(value)}`)
}

function adviceFor(value: Value): string {
  if (isType(value, "iterator")) return " Make a list of it: list(…)."
  return isType(value, "sequence") ? " Put |list before it." : ""
}

/** A slice of items, as in Python. */
export function sliceOf<Item>(
  items: readonly Item[],
  from: bigint | undefined,
  to: bigint | undefined,
  step: bigint,
): Item[] {
  const { start, end } = sliceBounds(items.length, from, to, step)
  const sliced: Item[] = []
  for (let at = start; step > 0n ? at < end : at > end; at += step) sliced.push(items[Number(at)]!)
  return sliced
}

/** The first index of a slice, and the first index after it. */
export function sliceBounds(
  count: number,
  from: bigint | undefined,
  to: bigint | undefined,
  step: bigint,
): { readonly start: bigint; readonly end: bigint } {
  const length = BigInt(count)
  const [lowest, highest] = step > 0n ? [0n, length] : [-1n, length - 1n]
  const place = (index: bigint): bigint => {
    const counted = index < 0n ? index + length : index
    if (counted < lowest) return lowest
    if (counted > highest) return highest
    return counted
  }
  const start = from === undefined ? (step > 0n ? lowest : highest) : place(from)
  const end = to === undefined ? (step > 0n ? highest : lowest) : place(to)
  return { start, end }
}
