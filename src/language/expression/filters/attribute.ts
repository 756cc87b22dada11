import { lookUpItem } from "../access.ts"
import type { Meter } from "../meter.ts"
import type { Value } from "../value.ts"

/** The part of an item that the argument `attribute="a.b.0"` of a filter selects. Without the argument, the item itself. */
export function pickAttribute(attribute: Value | undefined, item: Value, meter: Meter): Value {
  if (attribute == null) return item
  if (typeof attribute !== "string") return lookUpItem(item, attribute, meter)
  meter.spendReading(attribute)
  let picked = item
  for (const part of attribute.split(".")) {
    meter.spend(1)
    picked = lookUpItem(picked, /^\d{1,9}$/.test(part) ? BigInt(part) : part, meter)
  }
  return picked
}

/** The value by which sorting and searching compare when they ignore case. */
export function foldCase(value: Value, meter: Meter): Value {
  return typeof value === "string" ? meter.text(value.toLowerCase()) : value
}
