import { areEqual, compare, contains, type Order, satisfiesOrder } from "../compare.ts"
import type { Meter } from "../meter.ts"
import { computeSize, isSetLike, listIterableItems } from "../sequence.ts"
import { type ExpressionSequence, isType, type Value } from "../value.ts"

/** Python's `<`, `<=`, `>` and `>=`. A set is less than a superset. Lists compare by the first item that differs. */
export function isOrdered(operator: Order, left: Value, right: Value, meter: Meter): boolean {
  if (isSetLike(left) && isSetLike(right)) return isPart(operator, left, right, meter)
  if (isType(left, "sequence") && isType(right, "sequence") && left.kind === right.kind)
    if (left.kind === "list" || left.kind === "tuple")
      return meter.nested(() => areOrdered(operator, left, right, meter))
  return satisfiesOrder(operator, compare(left, right, meter))
}

/** True if left comes before right in a sorted list. */
export const isLess = (left: Value, right: Value, meter: Meter): boolean => isOrdered("<", left, right, meter)

/**
 * Python's `is`. For texts and numbers Python leaves the answer open, so here equal ones of the same kind are one.
 */
export function areOne(left: Value, right: Value): boolean {
  return Object.is(left, right) || (isEmptyTuple(left) && isEmptyTuple(right))
}

const isEmptyTuple = (value: Value): boolean =>
  isType(value, "sequence") && value.kind === "tuple" && value.items.length === 0

function isPart(operator: Order, left: Value, right: Value, meter: Meter): boolean {
  if (operator === ">" || operator === ">=") return isPart(operator === ">" ? "<" : "<=", right, left, meter)
  const [size, other] = [computeSize(left, meter), computeSize(right, meter)]
  if (operator === "<" ? size >= other : size > other) return false
  return listIterableItems(left, meter).every((item) => contains(right, item, meter))
}

function areOrdered(
  operator: Order,
  left: ExpressionSequence,
  right: ExpressionSequence,
  meter: Meter,
): boolean {
  const both = Math.min(left.items.length, right.items.length)
  for (let index = 0; index < both; index++) {
    const [one, other] = [left.items[index]!, right.items[index]!]
    if (!areEqual(one, other, meter)) return isOrdered(operator, one, other, meter)
  }
  return satisfiesOrder(operator, left.items.length - right.items.length)
}
