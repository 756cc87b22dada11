import type { Meter } from "../meter.ts"
import { range } from "../range.ts"
import { hasIndexes, listIterableItems, pullFrom } from "../sequence.ts"
import { type Callable, describeValue, isTrue, isType, makeTuple, type Value } from "../value.ts"
import { callWith, makeFunction, makeVariadicFunction, type NamedFunction } from "./function.ts"
import { createIterator } from "./iterator.ts"

/** Functions over items. Most of them are lazy. */
export const loops: readonly NamedFunction[] = [
  [
    "all",
    makeFunction(
      ["iterable"],
      ([items], meter) => first(items!, (item) => !isTrue(item), meter) === undefined,
    ),
  ],
  ["any", makeFunction(["iterable"], ([items], meter) => first(items!, isTrue, meter) !== undefined)],
  [
    "enumerate",
    makeFunction(["iterable", "start?"], ([items, start = 0n], meter) => enumerate(items!, start, meter), [
      "iterable",
      "start",
    ]),
  ],
  ["filter", makeFunction(["function", "iterable"], ([test, items], meter) => filter(test!, items!, meter))],
  ["iter", makeFunction(["iterable"], ([items], meter) => createIterator(pullFrom(items!, meter), meter))],
  ["map", makeVariadicFunction([], map)],
  ["next", makeFunction(["iterator", "default?"], next)],
  ["range", range.call],
  ["reversed", makeFunction(["sequence"], ([items], meter) => reversed(items!, meter))],
  [
    "zip",
    makeVariadicFunction(["strict?"], ([...lists], [strict = false], meter) =>
      zip(lists, isTrue(strict), meter),
    ),
  ],
]

function first(items: Value, wanted: (item: Value) => boolean, meter: Meter): Value | undefined {
  const pull = pullFrom(items, meter)
  for (let item = pull(); item !== undefined; item = pull()) {
    meter.spend(1)
    if (wanted(item)) return item
  }
  return undefined
}

function enumerate(items: Value, start: Value, meter: Meter): Value {
  if (typeof start !== "bigint")
    throw meter.failure(`enumerate starts at an integer, not ${describeValue(start)}.`)
  const pull = pullFrom(items, meter)
  let count = start
  return createIterator(() => {
    const item = pull()
    return item === undefined ? undefined : makeTuple([count++, item])
  }, meter)
}

function filter(test: Value, items: Value, meter: Meter): Value {
  const holds =
    test === null ? isTrue : (item: Value) => isTrue(callWith(requireCallable(test, meter), [item], meter))
  const pull = pullFrom(items, meter)
  return createIterator(() => {
    for (let item = pull(); item !== undefined; item = pull()) {
      meter.spend(1)
      if (holds(item)) return item
    }
    return undefined
  }, meter)
}

function map([change, ...lists]: readonly Value[], _named: unknown, meter: Meter): Value {
  if (lists.length === 0) throw meter.failure("map takes a function and at least one list of its arguments.")
  const pulls = lists.map((items) => pullFrom(items, meter))
  return createIterator(() => {
    const items = pullEach(pulls)
    return items.length < pulls.length ? undefined : callWith(requireCallable(change!, meter), items, meter)
  }, meter)
}

/** One item of each source, up to the first source that has ended. */
function pullEach(pulls: readonly (() => Value | undefined)[]): readonly Value[] {
  const items: Value[] = []
  for (const pull of pulls) {
    const item = pull()
    if (item === undefined) break
    items.push(item)
  }
  return items
}

function zip(lists: readonly Value[], isStrict: boolean, meter: Meter): Value {
  const pulls = lists.map((items) => pullFrom(items, meter))
  return createIterator(() => {
    const items = pullEach(pulls)
    if (items.length === pulls.length && pulls.length > 0) return makeTuple(items)
    const isUneven = () => items.length > 0 || pulls.slice(1).some((pull) => pull() !== undefined)
    if (isStrict && isUneven()) throw meter.failure("The arguments of zip have different lengths.")
    return undefined
  }, meter)
}

function next([iterator, otherwise]: readonly (Value | undefined)[], meter: Meter): Value {
  if (!isType(iterator!, "iterator"))
    throw meter.failure(`next takes an iterator, not ${describeValue(iterator!)}. Write next(iter(…)).`)
  const next = iterator.next()
  const item = next === undefined ? otherwise : next
  if (item === undefined) throw meter.failure("next has no more items. Give it a default: next(…, None).")
  return item
}

function reversed(items: Value, meter: Meter): Value {
  const isOrdered =
    typeof items === "string" || hasIndexes(items) || isType(items, "mapping") || isType(items, "sequence")
  if (!isOrdered) throw meter.failure(`${describeValue(items)} cannot be reversed: it has no order.`)
  const backwards = [...listIterableItems(items, meter)].reverse()
  let at = 0
  return createIterator(() => backwards[at++], meter)
}

export function requireCallable(value: Value, meter: Meter): Callable {
  if (isType(value, "callable")) return value
  throw meter.failure(`A function is needed here, not ${describeValue(value)}.`)
}
