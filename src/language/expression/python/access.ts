import { readBound, refusePrivate, sliceValue } from "../access.ts"
import { identifyKey } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { hasIndexes, sliceBounds } from "../sequence.ts"
import { describeValue, type ExpressionSequence, isType, type Value } from "../value.ts"
import { findPythonMethod } from "./methods.ts"

/**
 * Looks up an attribute for a condition. Unlike in Python, an attribute of a dict is its value of that name. A missing key,
 * index or attribute is null, and so is every key of null.
 */
export function lookUpPythonAttribute(owner: Value, name: string, meter: Meter): Value {
  refusePrivate(name, meter)
  return findPythonMethod(owner, name) ?? storedIn(owner, name, meter)
}

export function lookUpPythonItem(owner: Value, key: Value, meter: Meter): Value {
  if (typeof key === "string") refusePrivate(key, meter)
  if (owner === null) return null
  if (isType(owner, "mapping") || typeof key === "string") return storedIn(owner, key, meter)
  const index = typeof key === "boolean" ? BigInt(key) : key
  if (typeof index !== "bigint") throw meter.failure(`An index is an integer, not ${describeValue(key)}.`)
  if (typeof owner === "string") {
    meter.spend(owner.length >> 4)
    return itemAt(Array.from(owner), index)
  }
  if (hasIndexes(owner)) return itemAt(owner.items, index)
  throw meter.failure(`${describeValue(owner)} has no items by index.`)
}

export function slicePythonValue(owner: Value, bounds: Bounds, meter: Meter): Value {
  const sliced = sliceValue(owner, bounds, meter)
  if (!isType(owner, "sequence") || owner.kind !== "range" || !isType(sliced, "sequence")) return sliced
  return { ...sliced, kind: "range", text: rangeText(owner, bounds, meter) }
}

interface Bounds {
  readonly from: Value
  readonly to: Value
  readonly step: Value
}

/** The text of a slice of a range, which is a range again. */
function rangeText({ text, items }: ExpressionSequence, { from, to, step }: Bounds, meter: Meter): string {
  const [first = 0n, , every = 1n] = Array.from(text?.matchAll(/-?\d+/g) ?? [], ([digits]) => BigInt(digits))
  const stride = readBound(step, meter) ?? 1n
  const { start, end } = sliceBounds(items.length, readBound(from, meter), readBound(to, meter), stride)
  const written = `${first + start * every}, ${first + end * every}`
  return every * stride === 1n ? `range(${written})` : `range(${written}, ${every * stride})`
}

function storedIn(owner: Value, key: Value, meter: Meter): Value {
  if (!isType(owner, "mapping")) return null
  const id = identifyKey(key, meter)
  if (id === undefined) throw meter.failure(`${describeValue(key)} cannot be a key of a dict.`)
  return owner.entries.get(id)?.value ?? null
}

const itemAt = (items: readonly Value[], index: bigint): Value => items.at(Number(index)) ?? null
