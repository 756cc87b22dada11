import { identifyKey } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { computeSize, isSetLike, listIterableItems } from "./sequence.ts"
import { compareText } from "./text.ts"
import { describeValue, isType, isUndefined, type Mapping, type Value } from "./value.ts"

/** Python's `==`: values of different kinds differ, but 1, 1.0 and true are equal. */
export function areEqual(left: Value, right: Value, meter: Meter): boolean {
  meter.spend(1)
  const [leftNumber, rightNumber] = [toNumericValue(left), toNumericValue(right)]
  if (leftNumber !== undefined && rightNumber !== undefined)
    // Two comparisons, because a bigint and a number are never identical, and NaN equals nothing.
    return leftNumber <= rightNumber && leftNumber >= rightNumber
  if (typeof left === "string" && typeof right === "string") {
    meter.spend(Math.min(left.length, right.length) >> 6)
    return left === right
  }
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object")
    return left === right
  if (isUndefined(left)) return isUndefined(right)
  if (isSetLike(left) && isSetLike(right)) return haveSameMembers(left, right, meter)
  if (isType(left, "sequence") && isType(right, "sequence"))
    return (
      left.kind === right.kind &&
      left.kind !== "dict_values" &&
      meter.nested(() => areAllEqual(left.items, right.items, meter))
    )
  if (isType(left, "mapping") && isType(right, "mapping"))
    return meter.nested(() => areMappingsEqual(left, right, meter))
  return left === right
}

export type Order = "<" | "<=" | ">" | ">="

/** Converts the result of `compare` to the answer of an operator. */
export function satisfiesOrder(operator: Order, order: number): boolean {
  switch (operator) {
    case "<":
      return order < 0
    case "<=":
      return order <= 0
    case ">":
      return order > 0
    case ">=":
      return order >= 0
  }
}

/** Negative if left comes first, positive if right comes first. Fails for values without an order. */
export function compare(left: Value, right: Value, meter: Meter): number {
  meter.spend(1)
  for (const side of [left, right]) if (isUndefined(side)) throw meter.failure(side.explain())
  const [leftNumber, rightNumber] = [toNumericValue(left), toNumericValue(right)]
  if (leftNumber !== undefined && rightNumber !== undefined) {
    if (leftNumber < rightNumber) return -1
    if (leftNumber > rightNumber) return 1
    return leftNumber >= rightNumber ? 0 : Number.NaN
  }
  if (typeof left === "string" && typeof right === "string") {
    meter.spend(Math.min(left.length, right.length) >> 6)
    return compareText(left, right)
  }
  if (isType(left, "sequence") && isType(right, "sequence") && left.kind === right.kind)
    if (left.kind === "list" || left.kind === "tuple")
      return meter.nested(() => compareItems(left.items, right.items, meter))
  throw meter.failure(`${describeValue(left)} and ${describeValue(right)} cannot be compared by size.`)
}

/** Python's `in`: a part of a text, an item of a list, or a key of a dict. */
export function contains(container: Value, wanted: Value, meter: Meter): boolean {
  if (typeof container === "string") {
    if (typeof wanted !== "string")
      throw meter.failure(`Only a string can be in a string, not ${describeValue(wanted)}.`)
    meter.spendReading(container)
    meter.spendSearch(container, wanted)
    return container.includes(wanted)
  }
  if (isType(container, "mapping")) {
    const id = identifyKey(wanted, meter)
    if (id === undefined) throw meter.failure(`${describeValue(wanted)} cannot be a key of a dict.`)
    return container.entries.has(id)
  }
  if (isType(container, "set")) {
    const id = identifyKey(wanted, meter)
    if (id !== undefined) return container.members.has(id)
    // Python would look for a frozenset, which does not exist here.
    if (isType(wanted, "set")) return false
    throw meter.failure(`${describeValue(wanted)} cannot be in a set.`)
  }
  if (isType(container, "iterator")) {
    for (let item = container.next(); item !== undefined; item = container.next())
      if (areEqual(item, wanted, meter)) return true
    return false
  }
  return listIterableItems(container, meter).some((item) => areEqual(item, wanted, meter))
}

/** The number that a value counts as: a boolean is 0 or 1. */
export function toNumericValue(value: Value): bigint | number | undefined {
  if (typeof value === "boolean") return value ? 1n : 0n
  return typeof value === "bigint" || typeof value === "number" ? value : undefined
}

function haveSameMembers(left: Value, right: Value, meter: Meter): boolean {
  if (computeSize(left, meter) !== computeSize(right, meter)) return false
  return listIterableItems(left, meter).every((item) => contains(right, item, meter))
}

function areAllEqual(left: readonly Value[], right: readonly Value[], meter: Meter): boolean {
  return left.length === right.length && left.every((item, index) => areEqual(item, right[index]!, meter))
}

function areMappingsEqual(left: Mapping, right: Mapping, meter: Meter): boolean {
  if (left.entries.size !== right.entries.size) return false
  return [...left.entries].every(([id, { value }]) => {
    const other = right.entries.get(id)
    return other !== undefined && areEqual(value, other.value, meter)
  })
}

function compareItems(left: readonly Value[], right: readonly Value[], meter: Meter): number {
  const different = left.findIndex(
    (item, index) => index >= right.length || !areEqual(item, right[index]!, meter),
  )
  if (different < 0 || different >= right.length) return left.length - right.length
  return compare(left[different]!, right[different]!, meter)
}
