import { calculate } from "../arithmetic.ts"
import { type Filter, requireInteger, withParameters } from "../bind-arguments.ts"
import { toNumericValue } from "../compare.ts"
import type { Meter } from "../meter.ts"
import { divideToEven, writeFixedPlaces } from "../number-text.ts"
import { listIterableItems } from "../sequence.ts"
import { describeValue, isUndefined, type Value } from "../value.ts"
import { pickAttribute } from "./attribute.ts"

export const numberFilters: readonly [string, Filter][] = [
  [
    "abs",
    withParameters([], (value, _given, meter) => {
      const number = numberGiven(value, meter)
      if (typeof number === "number") return Math.abs(number)
      return number < 0n ? -number : number
    }),
  ],
  ["round", withParameters(["precision?", "method?"], round)],
  [
    "sum",
    withParameters(["attribute?", "start?"], (value, [attribute, start = 0n], meter) =>
      listIterableItems(value, meter).reduce<Value>(
        (sum, item) => calculate("+", sum, pickAttribute(attribute, item, meter), meter),
        start,
      ),
    ),
  ],
]

/** No float has more decimal places. */
const mostPlaces = 330

function round(
  value: Value,
  [precision, method = "common"]: readonly (Value | undefined)[],
  meter: Meter,
): Value {
  const number = numberGiven(value, meter)
  const places = requireInteger(precision, 0, meter)
  if (method !== "common") {
    if (method !== "ceil" && method !== "floor")
      throw meter.failure('round takes "common", "ceil" or "floor".')
    const factor = 10 ** places
    return Math[method](Number(number) * factor) / factor
  }
  return roundTo(number, places, meter)
}

/** Rounds a number. Halves go to the even neighbour. */
export function roundTo(number: bigint | number, places: number, meter: Meter): bigint | number {
  if (typeof number === "bigint") return places >= 0 ? number : roundInteger(number, -places, meter)
  if (places > mostPlaces || !Number.isFinite(number)) return number
  return places < -mostPlaces ? 0 : Number(writeFixedPlaces(number, places))
}

function roundInteger(integer: bigint, zeros: number, meter: Meter): bigint {
  if (zeros > 4300) return 0n
  meter.spendPower(zeros * 4)
  const unit = 10n ** BigInt(zeros)
  meter.spendProduct(integer, unit)
  meter.spendProduct(integer, unit)
  const rounded = divideToEven(integer < 0n ? -integer : integer, unit) * unit
  return integer < 0n ? -rounded : rounded
}

function numberGiven(value: Value, meter: Meter): bigint | number {
  if (isUndefined(value)) throw meter.failure(value.explain())
  const number = toNumericValue(value)
  if (number === undefined) throw meter.failure(`A number is needed here, not ${describeValue(value)}.`)
  return number
}
