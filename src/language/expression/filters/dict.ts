import { type Filter, withParameters } from "../bind-arguments.ts"
import { compare } from "../compare.ts"
import type { Meter } from "../meter.ts"
import {
  type DictEntry,
  describeValue,
  isTrue,
  isType,
  isUndefined,
  listValue,
  makeLazySequence,
  makeTuple,
  type Value,
} from "../value.ts"
import { foldCase } from "./attribute.ts"

export const dictFilters: readonly [string, Filter][] = [
  [
    "items",
    withParameters([], (value, _given, meter) =>
      makeLazySequence(isUndefined(value) ? [] : entriesOf(value, meter).map(pair)),
    ),
  ],
  ["dictsort", withParameters(["case_sensitive?", "by?", "reverse?"], dictsort)],
]

function dictsort(
  value: Value,
  [caseSensitive = false, by = "key", reverse = false]: readonly (Value | undefined)[],
  meter: Meter,
): Value {
  if (by !== "key" && by !== "value") throw meter.failure('dictsort goes by "key" or by "value".')
  const sortKey = (entry: DictEntry): Value =>
    isTrue(caseSensitive) ? entry[by] : foldCase(entry[by], meter)
  const direction = isTrue(reverse) ? -1 : 1
  const sorted = entriesOf(value, meter).sort(
    (left, right) => direction * compare(sortKey(left), sortKey(right), meter),
  )
  return listValue(sorted.map(pair))
}

function entriesOf(value: Value, meter: Meter): DictEntry[] {
  if (isUndefined(value)) throw meter.failure(value.explain())
  if (!isType(value, "mapping")) throw meter.failure(`A dict is needed here, not ${describeValue(value)}.`)
  meter.spend(value.entries.size)
  return [...value.entries.values()]
}

function pair({ key, value }: DictEntry): Value {
  return makeTuple([key, value])
}
