import { calculate } from "../arithmetic.ts"
import { requireInteger } from "../bind-arguments.ts"
import { toNumericValue } from "../compare.ts"
import { roundTo } from "../filters/number.ts"
import type { Meter } from "../meter.ts"
import { writeFixedPlaces } from "../number-text.ts"
import { computeSize, listIterableItems, pullFrom } from "../sequence.ts"
import { type Callable, describeValue, listValue, makeTuple, type Value } from "../value.ts"
import { calculateInPython } from "./arithmetic.ts"
import { isLess } from "./compare.ts"
import { callWith, makeFunction, makeVariadicFunction, type NamedFunction } from "./function.ts"
import { requireCallable } from "./loops.ts"
import { isOfType } from "./types.ts"

/** Functions that compute one value from their arguments. */
export const folds: readonly NamedFunction[] = [
  ["abs", makeFunction(["x"], ([value], meter) => absolute(value!, meter))],
  ["divmod", makeFunction(["a", "b"], ([left, right], meter) => divided(left!, right!, meter))],
  [
    "isinstance",
    makeFunction(["object", "classinfo"], ([value, types], meter) => isOfType(value!, types!, meter)),
  ],
  ["len", makeFunction(["object"], ([value], meter) => BigInt(computeSize(value!, meter)))],
  ["max", extreme("max", (item, best, meter) => isLess(best, item, meter))],
  ["min", extreme("min", (item, best, meter) => isLess(item, best, meter))],
  [
    "pow",
    makeFunction(["base", "exp"], ([base, exponent], meter) => calculate("**", base!, exponent!, meter), [
      "base",
      "exp",
    ]),
  ],
  [
    "round",
    makeFunction(
      ["number", "ndigits?"],
      ([number, places], meter) => rounded(number!, places ?? null, meter),
      ["number", "ndigits"],
    ),
  ],
  ["sorted", makeVariadicFunction(["key?", "reverse?"], sorted)],
  ["sum", makeFunction(["iterable", "start?"], sum, ["start"])],
]

type Given = readonly (Value | undefined)[]

function absolute(value: Value, meter: Meter): Value {
  const number = toNumericValue(value)
  if (number === undefined) throw meter.failure(`A number is needed here, not ${describeValue(value)}.`)
  return number < 0 || Object.is(number, -0) ? -number : number
}

function divided(left: Value, right: Value, meter: Meter): Value {
  for (const side of [left, right])
    if (toNumericValue(side) === undefined)
      throw meter.failure(`divmod takes numbers, not ${describeValue(side)}.`)
  return makeTuple([calculate("//", left, right, meter), calculate("%", left, right, meter)])
}

/** The first smallest or largest item of a list, or of several arguments. */
function extreme(
  name: string,
  isBetter: (item: Value, best: Value, meter: Meter) => boolean,
): Callable["call"] {
  return makeVariadicFunction(["key?", "default?"], (positional, [key, otherwise], meter) => {
    if (positional.length === 0) throw meter.failure(`${name} takes a list, or several values.`)
    if (positional.length > 1 && otherwise !== undefined)
      throw meter.failure(`${name} takes a default only for a list.`)
    const pull = pullFrom(positional.length === 1 ? positional[0]! : listValue(positional), meter)
    const keyed = keyFunction(key, meter)
    let best: { item: Value; key: Value } | undefined
    for (let item = pull(); item !== undefined; item = pull()) {
      meter.spend(1)
      const next = { item, key: keyed(item) }
      if (best === undefined || isBetter(next.key, best.key, meter)) best = next
    }
    const result = best === undefined ? otherwise : best.item
    if (result === undefined)
      throw meter.failure(
        `${name} finds nothing in an empty list. Give it a default: ${name}(…, default=None).`,
      )
    return result
  })
}

function keyFunction(key: Value | undefined, meter: Meter): (item: Value) => Value {
  return key == null ? (item) => item : (item) => callWith(requireCallable(key, meter), [item], meter)
}

function sorted([items, ...more]: readonly Value[], [key, reverse]: Given, meter: Meter): Value {
  if (items === undefined || more.length > 0)
    throw meter.failure("sorted takes one list. Write key and reverse with their names.")
  const keyed = keyFunction(key, meter)
  const entries = listIterableItems(items, meter).map((item) => ({ item, key: keyed(item) }))
  const direction = requireInteger(reverse, 0, meter) === 0 ? 1 : -1
  entries.sort((left, right) => {
    if (isLess(left.key, right.key, meter)) return -direction
    return isLess(right.key, left.key, meter) ? direction : 0
  })
  return listValue(entries.map(({ item }) => item))
}

function sum([items, start = 0n]: Given, meter: Meter): Value {
  if (typeof start === "string") throw meter.failure('sum does not add texts. Write "".join(…).')
  const pull = pullFrom(items!, meter)
  let total: Value = start
  for (let item = pull(); item !== undefined; item = pull()) {
    meter.spend(1)
    total = calculateInPython("+", total, item, meter)
  }
  return total
}

/** Rounds to a number of decimal places, or without them to an integer. Halves go to the even neighbour. */
function rounded(value: Value, places: Value, meter: Meter): Value {
  const number = toNumericValue(value)
  if (number === undefined) throw meter.failure(`A number is needed here, not ${describeValue(value)}.`)
  if (typeof number === "number" && places === null) {
    if (!Number.isFinite(number)) throw meter.failure("Only a finite number can be made an integer.")
    return BigInt(writeFixedPlaces(number, 0))
  }
  return roundTo(number, places === null ? 0 : requireInteger(places, 0, meter), meter)
}
