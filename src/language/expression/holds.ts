import { areEqual, compare, contains, inOrder } from "./compare.ts"
import type { Dialect } from "./dialect.ts"
import type { Meter } from "./meter.ts"
import type { Comparison } from "./node.ts"
import { areOne, isOrdered } from "./python/compare.ts"
import type { Value } from "./value.ts"

/** Whether one comparison of a chain holds. */
export function holds(
  operator: Comparison,
  left: Value,
  right: Value,
  dialect: Dialect,
  meter: Meter,
): boolean {
  switch (operator) {
    case "==":
      return areEqual(left, right, meter)
    case "!=":
      return !areEqual(left, right, meter)
    case "<":
    case "<=":
    case ">":
    case ">=":
      return dialect === "python"
        ? isOrdered(operator, left, right, meter)
        : inOrder(operator, compare(left, right, meter))
    case "in":
      return isIn(left, right, dialect, meter)
    case "not in":
      return !isIn(left, right, dialect, meter)
    case "is":
      return areOne(left, right)
    case "is not":
      return !areOne(left, right)
  }
}

/** Nothing is in what is not there. */
function isIn(wanted: Value, container: Value, dialect: Dialect, meter: Meter): boolean {
  if (container === null && dialect === "python") return false
  return contains(container, wanted, meter)
}
