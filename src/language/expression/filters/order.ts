import { type Filter, withParameters } from "../bind-arguments.ts"
import { areEqual, compare } from "../compare.ts"
import { requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { listIterableItems } from "../sequence.ts"
import { isTrue, listValue, makeLazySequence, makeUndefined, type Value } from "../value.ts"
import { foldCase, pickAttribute } from "./attribute.ts"

type Given = readonly (Value | undefined)[]

export const orderFilters: readonly [string, Filter][] = [
  ["sort", withParameters(["reverse?", "case_sensitive?", "attribute?"], sort)],
  ["unique", withParameters(["case_sensitive?", "attribute?"], unique)],
  [
    "min",
    withParameters(["case_sensitive?", "attribute?"], (value, callArguments, meter) =>
      extreme(value, callArguments, -1, meter),
    ),
  ],
  [
    "max",
    withParameters(["case_sensitive?", "attribute?"], (value, callArguments, meter) =>
      extreme(value, callArguments, 1, meter),
    ),
  ],
]

function sort(value: Value, [reverse = false, caseSensitive = false, attribute]: Given, meter: Meter): Value {
  const attributes = typeof attribute === "string" ? attribute.split(",") : [attribute]
  const direction = isTrue(reverse) ? -1 : 1
  const sorted = listIterableItems(value, meter)
    .map((item) => ({
      item,
      keys: attributes.map((each) => sortKey(item, each, caseSensitive, meter)),
    }))
    .sort((left, right) => {
      for (const [index, key] of left.keys.entries()) {
        const other = right.keys[index]!
        // Equal keys are not ordered, so a missing attribute does not matter if all items lack it.
        if (!areEqual(key, other, meter)) return direction * compare(key, other, meter)
      }
      return 0
    })
  return listValue(sorted.map(({ item }) => item))
}

function unique(value: Value, [caseSensitive = false, attribute]: Given, meter: Meter): Value {
  const seen = new Set<string>()
  return makeLazySequence(
    listIterableItems(value, meter).filter((item) => {
      const id = requireKeyId(sortKey(item, attribute, caseSensitive, meter), meter)
      if (seen.has(id)) return false
      seen.add(id)
      return true
    }),
  )
}

function extreme(
  value: Value,
  [caseSensitive = false, attribute]: Given,
  wanted: -1 | 1,
  meter: Meter,
): Value {
  let best: { item: Value; key: Value } | undefined
  for (const item of listIterableItems(value, meter)) {
    const key = sortKey(item, attribute, caseSensitive, meter)
    if (best === undefined || compare(key, best.key, meter) * wanted > 0) best = { item, key }
  }
  return best === undefined
    ? makeUndefined(() => "An empty list has no smallest or largest item.")
    : best.item
}

function sortKey(item: Value, attribute: Value | undefined, caseSensitive: Value, meter: Meter): Value {
  const key = pickAttribute(attribute, item, meter)
  return isTrue(caseSensitive) ? key : foldCase(key, meter)
}
