import { toNumericValue } from "./compare.ts"
import { format } from "./format.ts"
import type { Meter } from "./meter.ts"
import type { Arithmetic, BitOperator } from "./node.ts"
import { toFraction } from "./number-text.ts"
import { toFloat } from "./to-float.ts"
import { describeValue, type ExpressionSequence, isType, isUndefined, type Value } from "./value.ts"

/** The operators of both dialects. */
export type Sum = Exclude<Arithmetic, BitOperator>

/** Python's arithmetic. Integers stay integers of any size, and become floats beside a float. Texts and lists can be added and repeated. */
export function calculate(operator: Sum, left: Value, right: Value, meter: Meter): Value {
  if (operator === "%" && typeof left === "string") return format(left, right, meter)
  for (const side of [left, right]) if (isUndefined(side)) throw meter.failure(side.explain())
  const [leftNumber, rightNumber] = [toNumericValue(left), toNumericValue(right)]
  if (leftNumber !== undefined && rightNumber !== undefined)
    return calculateNumbers(operator, leftNumber, rightNumber, meter)
  if (operator === "+" && typeof left === "string" && typeof right === "string") {
    meter.reserveText(left.length + right.length)
    return left + right
  }
  if (operator === "+" && isList(left) && isList(right) && left.kind === right.kind) {
    meter.reserveItems(left.items.length + right.items.length)
    return { ...left, items: [...left.items, ...right.items] }
  }
  if (operator === "*") {
    if (typeof rightNumber === "bigint" && isRepeatable(left)) return repeat(left, rightNumber, meter)
    if (typeof leftNumber === "bigint" && isRepeatable(right)) return repeat(right, leftNumber, meter)
  }
  const advice =
    operator === "+" && (typeof left === "string" || typeof right === "string")
      ? " Write ~ to join texts."
      : ""
  throw meter.failure(
    `"${operator}" does not work on ${describeValue(left)} and ${describeValue(right)}.${advice}`,
  )
}

export function changeSign(operator: "-" | "+", operand: Value, meter: Meter): Value {
  if (isUndefined(operand)) throw meter.failure(operand.explain())
  const number = toNumericValue(operand)
  if (number === undefined) throw meter.failure(`"${operator}" does not work on ${describeValue(operand)}.`)
  return operator === "-" ? -number : number
}

function isList(value: Value): value is ExpressionSequence {
  return isType(value, "sequence") && (value.kind === "list" || value.kind === "tuple")
}

function isRepeatable(value: Value): value is string | ExpressionSequence {
  return typeof value === "string" || isList(value)
}

function repeat(value: string | ExpressionSequence, times: bigint, meter: Meter): Value {
  const count = times > 0n ? Number(times) : 0
  if (typeof value === "string") {
    meter.reserveText(value.length * count)
    return value === "" ? "" : value.repeat(count)
  }
  meter.reserveItems(value.items.length * count)
  const items = value.items.length === 0 ? [] : Array.from({ length: count }, () => value.items).flat()
  return { ...value, items }
}

function calculateNumbers(
  operator: Sum,
  left: bigint | number,
  right: bigint | number,
  meter: Meter,
): bigint | number {
  if ((operator === "/" || operator === "//" || operator === "%") && Number(right) === 0)
    throw meter.failure("This divides by zero.")
  const isNegativePower = operator === "**" && right < 0
  if (typeof left === "bigint" && typeof right === "bigint" && !isNegativePower)
    return operator === "/"
      ? divideIntegers(left, right, meter)
      : meter.integer(calculateIntegers(operator, left, right, meter))
  return calculateFloats(operator, toFloat(left, meter), toFloat(right, meter), meter)
}

function calculateIntegers(operator: Exclude<Sum, "/">, left: bigint, right: bigint, meter: Meter): bigint {
  switch (operator) {
    case "+":
      meter.spendSum(left, right)
      return left + right
    case "-":
      meter.spendSum(left, right)
      return left - right
    case "*":
      meter.spendProduct(left, right)
      return left * right
    case "//":
      // Computes a remainder and a quotient, so it costs two products.
      meter.spendProduct(left, right)
      meter.spendProduct(left, right)
      return (left - floorModulo(left, right)) / right
    case "%":
      meter.spendProduct(left, right)
      return floorModulo(left, right)
    case "**":
      return integerPower(left, right, meter)
  }
}

/** Divides to a float and rounds only once, even if an integer is too large for a float. */
function divideIntegers(left: bigint, right: bigint, meter: Meter): number {
  if (isExact(left) && isExact(right)) return Number(left) / Number(right)
  meter.spend(100)
  meter.spendProduct(left, right)
  const [numerator, denominator] = [left < 0n ? -left : left, right < 0n ? -right : right]
  const places = mostDigits - numerator.toString().length + denominator.toString().length
  const [scaled, divisor] =
    places >= 0
      ? [numerator * 10n ** BigInt(places), denominator]
      : [numerator, denominator * 10n ** BigInt(-places)]
  // A remainder only decides the rounding of an exact half, so one more digit stands for it.
  const float = Number(`${scaled / divisor}${scaled % divisor === 0n ? 0 : 1}e${-places - 1}`)
  if (!Number.isFinite(float)) throw meter.failure("This result is too large for a float.")
  return left < 0n === right < 0n ? float : -float
}

const isExact = (integer: bigint): boolean => integer <= 2n ** 53n && integer >= -(2n ** 53n)

/** The number half-way between two floats never has more digits. */
const mostDigits = 770

/** The result has the sign of the divisor, as in Python and unlike in JavaScript. */
function floorModulo(left: bigint, right: bigint): bigint {
  const rest = left % right
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest
}

function integerPower(base: bigint, exponent: bigint, meter: Meter): bigint {
  if (base >= -1n && base <= 1n) return exponent === 0n ? 1n : exponent % 2n === 0n ? base * base : base
  const size = base < 0n ? -base : base
  const leastBits = Math.max(1, (size.toString(16).length - 1) * 4)
  if (exponent * BigInt(leastBits) > 14_300n) throw meter.tooManyDigits()
  meter.spendPower(Number(exponent) * (leastBits + 4))
  return base ** exponent
}

function calculateFloats(operator: Sum, left: number, right: number, meter: Meter): number {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "/":
      return left / right
    case "//":
      return floorQuotient(left, right)
    case "%":
      return floatModulo(left, right)
    case "**":
      return floatPower(left, right, meter)
  }
}

function floatModulo(left: number, right: number): number {
  const rest = left % right
  if (rest === 0) return right < 0 ? -0 : 0
  return rest < 0 !== right < 0 ? rest + right : rest
}

function floorQuotient(left: number, right: number): number {
  const rest = left % right
  const isBetween = rest !== 0 && rest < 0 !== right < 0
  const quotient = (left - rest) / right - (isBetween ? 1 : 0)
  if (quotient === 0) return left / right < 0 || Object.is(left / right, -0) ? -0 : 0
  const floor = Math.floor(quotient)
  return quotient - floor > 0.5 ? floor + 1 : floor
}

function floatPower(base: number, exponent: number, meter: Meter): number {
  if (base === 0 && exponent < 0) throw meter.failure("This divides by zero.")
  // These powers are 1 in C and Python, but not in JavaScript.
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent))
    throw meter.failure("A root of a negative number is not supported.")
  const power = exactPower(base, exponent, meter) ?? base ** exponent
  if (!Number.isFinite(power) && Number.isFinite(base) && Number.isFinite(exponent))
    throw meter.failure("This result is too large for a float.")
  return power
}

/** A power that is rounded once. JavaScript's own power may be wrong in the last digit. Undefined: it would take too long. */
function exactPower(base: number, exponent: number, meter: Meter): number | undefined {
  const times = Math.abs(exponent)
  if (!Number.isFinite(base) || base === 0 || !Number.isInteger(exponent)) return undefined
  const { numerator, denominator } = toFraction(Math.abs(base))
  const bits = (numerator.toString(16).length + denominator.toString(16).length) * 4
  if (bits * times > 20_000) return undefined
  const [over, under] = [numerator ** BigInt(times), denominator ** BigInt(times)]
  const size = exponent < 0 ? divideIntegers(under, over, meter) : divideIntegers(over, under, meter)
  return base < 0 && times % 2 === 1 ? -size : size
}
