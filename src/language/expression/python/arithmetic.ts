import { calculate } from "../arithmetic.ts"
import { toNumericValue } from "../compare.ts"
import { makeMapping } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import type { Arithmetic } from "../node.ts"
import { describeValue, isType, type Value } from "../value.ts"
import { combineSets, requireDictEntries } from "./sets.ts"

/** The arithmetic of both dialects, and Python's operators for sets, dicts and bits. */
export function calculateInPython(operator: Arithmetic, left: Value, right: Value, meter: Meter): Value {
  switch (operator) {
    case "|":
      if (isType(left, "mapping") && isType(right, "mapping"))
        return makeMapping([...requireDictEntries(left, meter), ...requireDictEntries(right, meter)])
      return combineSets(operator, left, right, meter) ?? combineBits(operator, left, right, meter)
    case "&":
    case "^":
      return combineSets(operator, left, right, meter) ?? combineBits(operator, left, right, meter)
    case "<<":
    case ">>":
      return combineBits(operator, left, right, meter)
    case "-":
      return combineSets(operator, left, right, meter) ?? calculate(operator, left, right, meter)
    case "+":
      if ((typeof left === "string") !== (typeof right === "string"))
        throw meter.failure(`${without(operator, left, right)} Write str(…) or an f-string to join texts.`)
      return calculate(operator, left, right, meter)
    default:
      return calculate(operator, left, right, meter)
  }
}

/** Python's `~`. */
export function invert(operand: Value, meter: Meter): Value {
  const number = toNumericValue(operand)
  if (typeof number === "bigint") return ~number
  throw meter.failure(
    `"~" does not work on ${describeValue(operand)}.${typeof operand === "string" ? " Write + or an f-string to join texts." : ""}`,
  )
}

const without = (operator: Arithmetic, left: Value, right: Value): string =>
  `"${operator}" does not work on ${describeValue(left)} and ${describeValue(right)}.`

type Bits = "|" | "&" | "^" | "<<" | ">>"

function combineBits(operator: Bits, left: Value, right: Value, meter: Meter): Value {
  const [one, other] = [toNumericValue(left), toNumericValue(right)]
  if (typeof one !== "bigint" || typeof other !== "bigint")
    throw meter.failure(without(operator, left, right))
  if (operator === "<<" || operator === ">>") return shifted(operator, one, other, meter)
  meter.spendSum(one, other)
  const result = operator === "|" ? one | other : operator === "&" ? one & other : one ^ other
  return typeof left === "boolean" && typeof right === "boolean" ? result !== 0n : result
}

/** The most bits of an integer. */
const mostBits = 14_300n

function shifted(operator: "<<" | ">>", number: bigint, bits: bigint, meter: Meter): bigint {
  if (bits < 0n) throw meter.failure("Bits cannot be shifted by a negative number.")
  meter.spendSum(number, number)
  if (operator === ">>") return bits > mostBits ? (number < 0n ? -1n : 0n) : number >> bits
  if (number === 0n) return 0n
  if (bits > mostBits) throw meter.tooManyDigits()
  return meter.integer(number << bits)
}
