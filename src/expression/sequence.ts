import type { Meter } from "./meter.ts"
import { lengthOf } from "./text.ts"
import { describe, isType, isUndefined, type Sequence, type Value } from "./value.ts"

/** What a loop goes through: items, characters of a text, keys of a dict, nothing for an undefined value. */
export function itemsOf(value: Value, meter: Meter): readonly Value[] {
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
  }
  throw meter.failure(`${describe(value)} cannot be looped over: only lists, strings and dicts can.`)
}

/** What `[0]` and `[1:]` work on, besides text. */
export function hasIndexes(value: Value): value is Sequence {
  return (
    isType(value, "sequence") && (value.kind === "list" || value.kind === "tuple" || value.kind === "range")
  )
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
    if (value.type === "special") return value.length
  }
  throw meter.failure(
    `${describe(value)} has no length.${describe(value) === "an iterator" ? " Put |list before it." : ""}`,
  )
}

/** The items of a list with another start, end or step, as in Python. */
export function sliceOf<Item>(
  items: readonly Item[],
  from: bigint | undefined,
  to: bigint | undefined,
  step: bigint,
): Item[] {
  const length = BigInt(items.length)
  const [lowest, highest] = step > 0n ? [0n, length] : [-1n, length - 1n]
  const place = (index: bigint): bigint => {
    const counted = index < 0n ? index + length : index
    if (counted < lowest) return lowest
    if (counted > highest) return highest
    return counted
  }
  const start = from === undefined ? (step > 0n ? lowest : highest) : place(from)
  const end = to === undefined ? (step > 0n ? highest : lowest) : place(to)
  const sliced: Item[] = []
  for (let at = start; step > 0n ? at < end : at > end; at += step) sliced.push(items[Number(at)]!)
  return sliced
}
