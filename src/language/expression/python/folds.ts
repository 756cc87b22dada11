import { calculate } from "../arithmetic.ts"
import { numberOf } from "../compare.ts"
import { roundTo } from "../filters/number.ts"
import { integerGiven } from "../given.ts"
import type { Meter } from "../meter.ts"
import { fixedText } from "../number-text.ts"
import { itemsOf, pullFrom, sizeOf } from "../sequence.ts"
import { type Callable, describe, list, tuple, type Value } from "../value.ts"
import { calculateInPython } from "./arithmetic.ts"
import { isLess } from "./compare.ts"
import { callWith, type Named, taking, takingMany } from "./function.ts"
import { callable } from "./loops.ts"
import { isOfType } from "./types.ts"

/** Functions that make one value of what they are given. */
export const folds: readonly Named[] = [
  ["abs", taking(["x"], ([value], meter) => absolute(value!, meter))],
  ["divmod", taking(["a", "b"], ([left, right], meter) => divided(left!, right!, meter))],
  ["isinstance", taking(["object", "classinfo"], ([value, types], meter) => isOfType(value!, types!, meter))],
  ["len", taking(["object"], ([value], meter) => BigInt(sizeOf(value!, meter)))],
  ["max", extreme("max", (item, best, meter) => isLess(best, item, meter))],
  ["min", extreme("min", (item, best, meter) => isLess(item, best, meter))],
  [
    "pow",
    taking(["base", "exp"], ([base, exponent], meter) => calculate("**", base!, exponent!, meter), [
      "base",
      "exp",
    ]),
  ],
  [
    "round",
    taking(["number", "ndigits?"], ([number, places], meter) => rounded(number!, places ?? null, meter), [
      "number",
      "ndigits",
    ]),
  ],
  ["sorted", takingMany(["key?", "reverse?"], sorted)],
  ["sum", taking(["iterable", "start?"], sum, ["start"])],
]

type Given = readonly (Value | undefined)[]

function absolute(value: Value, meter: Meter): Value {
  const number = numberOf(value)
  if (number === undefined) throw meter.failure(`A number is needed here, not ${describe(value)}.`)
  return number < 0 || Object.is(number, -0) ? -number : number
}

function divided(left: Value, right: Value, meter: Meter): Value {
  for (const side of [left, right])
    if (numberOf(side) === undefined) throw meter.failure(`divmod takes numbers, not ${describe(side)}.`)
  return tuple([calculate("//", left, right, meter), calculate("%", left, right, meter)])
}

/** The first of the best: of the items of a list, or of several arguments. */
function extreme(
  name: string,
  isBetter: (item: Value, best: Value, meter: Meter) => boolean,
): Callable["call"] {
  return takingMany(["key?", "default?"], (positional, [key, otherwise], meter) => {
    if (positional.length === 0) throw meter.failure(`${name} takes a list, or several values.`)
    if (positional.length > 1 && otherwise !== undefined)
      throw meter.failure(`${name} takes a default only for a list.`)
    const pull = pullFrom(positional.length === 1 ? positional[0]! : list(positional), meter)
    const keyed = keyFunction(key, meter)
    let best: { item: Value; key: Value } | undefined
    for (let item = pull(); item !== undefined; item = pull()) {
      meter.spend(1)
      const next = { item, key: keyed(item) }
      if (best === undefined || isBetter(next.key, best.key, meter)) best = next
    }
    const found = best === undefined ? otherwise : best.item
    if (found === undefined)
      throw meter.failure(
        `${name} finds nothing in an empty list. Give it a default: ${name}(…, default=None).`,
      )
    return found
  })
}

function keyFunction(key: Value | undefined, meter: Meter): (item: Value) => Value {
  return key == null ? (item) => item : (item) => callWith(callable(key, meter), [item], meter)
}

function sorted([items, ...more]: readonly Value[], [key, reverse]: Given, meter: Meter): Value {
  if (items === undefined || more.length > 0)
    throw meter.failure("sorted takes one list; key and reverse are given by their names.")
  const keyed = keyFunction(key, meter)
  const entries = itemsOf(items, meter).map((item) => ({ item, key: keyed(item) }))
  const direction = integerGiven(reverse, 0, meter) === 0 ? 1 : -1
  entries.sort((left, right) => {
    if (isLess(left.key, right.key, meter)) return -direction
    return isLess(right.key, left.key, meter) ? direction : 0
  })
  return list(entries.map(({ item }) => item))
}

function sum([items, start = 0n]: Given, meter: Meter): Value {
  if (typeof start === "string") throw meter.failure('sum adds no texts. Write "".join(…).')
  const pull = pullFrom(items!, meter)
  let total: Value = start
  for (let item = pull(); item !== undefined; item = pull()) {
    meter.spend(1)
    total = calculateInPython("+", total, item, meter)
  }
  return total
}

/** To so many places; without them, to an integer. Halves go to the even neighbour. */
function rounded(value: Value, places: Value, meter: Meter): Value {
  const number = numberOf(value)
  if (number === undefined) throw meter.failure(`A number is needed here, not ${describe(value)}.`)
  if (typeof number === "number" && places === null) {
    if (!Number.isFinite(number)) throw meter.failure("Only a finite number can be made an integer.")
    return BigInt(fixedText(number, 0))
  }
  return roundTo(number, places === null ? 0 : integerGiven(places, 0, meter), meter)
}
