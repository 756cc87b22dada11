import { areEqual, compare, contains, satisfiesOrder } from "./compare.ts"
import type { ExpressionDialect } from "./dialect.ts"
import type { Meter } from "./meter.ts"
import type { Comparison } from "./node.ts"
import { areOne, isOrdered } from "./python/compare.ts"
import type { Value } from "./value.ts"

/** True if one comparison of a chain holds. */
export function satisfiesComparison(
  operator: Comparison,
  left: Value,
  right: Value,
  dialect: ExpressionDialect,
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
        : satisfiesOrder(operator, compare(left, right, meter))
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

/** Python's `in`. In a condition, nothing is in null. */
function isIn(wanted: Value, container: Value, dialect: ExpressionDialect, meter: Meter): boolean {
  if (container === null && dialect === "python") return false
  return contains(container, wanted, meter)
}
