import type { Meter } from "./meter.ts"
import { countCharacters } from "./text.ts"
import { describeValue, type ExpressionSequence, isType, isUndefined, type Value } from "./value.ts"

/** The items of a loop: characters of a string, keys of a dict, members of a set. An undefined value has no items. */
export function listIterableItems(value: Value, meter: Meter): readonly Value[] {
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
  throw meter.failure(`${describeValue(value)} cannot be looped over. Use a list, a string or a dict.`)
}

/** Reads the items of a loop one by one. The function returns JavaScript's undefined after the last item. */
export function pullFrom(value: Value, meter: Meter): () => Value | undefined {
  if (isType(value, "iterator")) return value.next
  const items = listIterableItems(value, meter)
  let at = 0
  return () => items[at++]
}

/** Reads all remaining items into an array. Throws if there are more than the limit. */
export function collectItems(next: () => Value | undefined, meter: Meter): Value[] {
  const items: Value[] = []
  for (let item = next(); item !== undefined; item = next()) {
    meter.spend(1)
    items.push(item)
    if (items.length > meter.limits.items) meter.reserveItems(items.length)
  }
  return items
}

/** True for lists, tuples and ranges. Strings also have indexes, but are not sequences here. */
export function hasIndexes(value: Value): value is ExpressionSequence {
  return (
    isType(value, "sequence") && (value.kind === "list" || value.kind === "tuple" || value.kind === "range")
  )
}

/** True for values that are equal if they have the same members, whatever the order. */
export function isSetLike(value: Value): boolean {
  if (isType(value, "set")) return true
  return isType(value, "sequence") && (value.kind === "dict_keys" || value.kind === "dict_items")
}

/** Python's `len`. */
export function computeSize(value: Value, meter: Meter): number {
  if (typeof value === "string") {
    meter.spend(value.length >> 6)
    return countCharacters(value)
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
  return isType(value, "sequence") ? " Make a list of it: |list." : ""
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

/** `start` is the first index in the slice. `end` is the first index that is no longer in it. */
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
