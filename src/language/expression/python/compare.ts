import { areEqual, compare, contains, inOrder, type Order } from "../compare.ts"
import type { Meter } from "../meter.ts"
import { isSetLike, itemsOf, sizeOf } from "../sequence.ts"
import { isType, type Sequence, type Value } from "../value.ts"

/** Python's `<` and its like: a set comes before what has all of its members, a list goes by its first other item. */
export function isOrdered(operator: Order, left: Value, right: Value, meter: Meter): boolean {
  if (isSetLike(left) && isSetLike(right)) return isPart(operator, left, right, meter)
  if (isType(left, "sequence") && isType(right, "sequence") && left.kind === right.kind)
    if (left.kind === "list" || left.kind === "tuple")
      return meter.nested(() => areOrdered(operator, left, right, meter))
  return inOrder(operator, compare(left, right, meter))
}

/** Whether the one comes before the other when they are sorted. */
export const isLess = (left: Value, right: Value, meter: Meter): boolean => isOrdered("<", left, right, meter)

/**
 * Python's `is`. Of texts and numbers it says itself that the answer is left open, so here those of one kind that are equal
 * are one.
 */
export function areOne(left: Value, right: Value): boolean {
  return Object.is(left, right) || (isEmptyTuple(left) && isEmptyTuple(right))
}

const isEmptyTuple = (value: Value): boolean =>
  isType(value, "sequence") && value.kind === "tuple" && value.items.length === 0

function isPart(operator: Order, left: Value, right: Value, meter: Meter): boolean {
  if (operator === ">" || operator === ">=") return isPart(operator === ">" ? "<" : "<=", right, left, meter)
  const [size, other] = [sizeOf(left, meter), sizeOf(right, meter)]
  if (operator === "<" ? size >= other : size > other) return false
  return itemsOf(left, meter).every((item) => contains(right, item, meter))
}

function areOrdered(operator: Order, left: Sequence, right: Sequence, meter: Meter): boolean {
  const both = Math.min(left.items.length, right.items.length)
  for (let index = 0; index < both; index++) {
    const [one, other] = [left.items[index]!, right.items[index]!]
    if (!areEqual(one, other, meter)) return isOrdered(operator, one, other, meter)
  }
  return inOrder(operator, left.items.length - right.items.length)
}
