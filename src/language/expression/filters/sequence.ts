import { type Filter, requireInteger, withParameters } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import { printValue } from "../print.ts"
import { computeSize, listIterableItems } from "../sequence.ts"
import { describeValue, isType, listValue, makeLazySequence, makeUndefined, type Value } from "../value.ts"
import { pickAttribute } from "./attribute.ts"

const lengthFilter: Filter = withParameters([], (value, _given, meter) => BigInt(computeSize(value, meter)))

export const sequenceFilters: readonly [string, Filter][] = [
  ["length", lengthFilter],
  ["count", lengthFilter],
  ["first", withParameters([], (value, _given, meter) => itemAt(0, value, meter))],
  ["last", withParameters([], last)],
  ["reverse", withParameters([], reverse)],
  [
    "join",
    withParameters(["d?", "attribute?"], (value, [separator = "", attribute], meter) =>
      meter.join(
        listIterableItems(value, meter).map((item) =>
          printValue(pickAttribute(attribute, item, meter), meter),
        ),
        printValue(separator, meter),
      ),
    ),
  ],
  ["batch", withParameters(["linecount", "fill_with?"], batch)],
  ["slice", withParameters(["slices", "fill_with?"], slice)],
]

function last(value: Value, _given: unknown, meter: Meter): Value {
  if (isType(value, "sequence") && value.kind === "iterator")
    throw meter.failure(`${describeValue(value)} has no last item yet. Put |list before it.`)
  return itemAt(-1, value, meter)
}

function itemAt(index: 0 | -1, value: Value, meter: Meter): Value {
  const item = listIterableItems(value, meter).at(index)
  return item === undefined ? makeUndefined(() => "An empty list has no first or last item.") : item
}

function reverse(value: Value, _given: unknown, meter: Meter): Value {
  const reversed = [...listIterableItems(value, meter)].reverse()
  if (typeof value === "string") return (reversed as string[]).join("")
  return isType(value, "sequence") && value.kind === "iterator"
    ? listValue(reversed)
    : makeLazySequence(reversed)
}

/** Splits items into rows of a given size. */
function batch(value: Value, [count, filler = null]: readonly (Value | undefined)[], meter: Meter): Value {
  const size = requireInteger(count, 1, meter)
  if (size < 1) throw meter.failure("batch makes rows of at least one item.")
  const items = listIterableItems(value, meter)
  const rows: Value[] = []
  for (let at = 0; at < items.length; at += size) {
    const row = items.slice(at, at + size)
    if (filler !== null) meter.reserveItems(size)
    rows.push(listValue(filler === null ? row : [...row, ...repeated(filler, size - row.length)]))
  }
  return makeLazySequence(rows)
}

/** Splits items into a given number of columns, as evenly as possible. */
function slice(value: Value, [count, filler = null]: readonly (Value | undefined)[], meter: Meter): Value {
  const columns = requireInteger(count, 1, meter)
  if (columns < 1) throw meter.failure("slice makes at least one column.")
  meter.reserveItems(columns)
  const items = listIterableItems(value, meter)
  const size = Math.floor(items.length / columns)
  const longer = items.length % columns
  return makeLazySequence(
    Array.from({ length: columns }, (_, index) => {
      const start = index * size + Math.min(index, longer)
      const column = items.slice(start, start + size + (index < longer ? 1 : 0))
      return listValue(filler !== null && index >= longer ? [...column, filler] : column)
    }),
  )
}

function repeated(item: Value, count: number): Value[] {
  return Array.from({ length: count }, () => item)
}
