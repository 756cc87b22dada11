import { itemOf } from "../access.ts"
import type { Meter } from "../meter.ts"
import type { Value } from "../value.ts"

/** What the argument `attribute="a.b.0"` of a filter picks from an item; without it, the item itself. */
export function pickAttribute(attribute: Value | undefined, item: Value, meter: Meter): Value {
  if (attribute == null) return item
  if (typeof attribute !== "string") return itemOf(item, attribute, meter)
  meter.spendReading(attribute)
  let picked = item
  for (const part of attribute.split(".")) {
    meter.spend(1)
    picked = itemOf(picked, /^\d{1,9}$/.test(part) ? BigInt(part) : part, meter)
  }
  return picked
}

/** What sorting and searching look at unless they are told to keep upper and lower case apart. */
export function foldCase(value: Value, meter: Meter): Value {
  return typeof value === "string" ? meter.text(value.toLowerCase()) : value
}
