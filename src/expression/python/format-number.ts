import { toFloat } from "../arithmetic.ts"
import type { Failure } from "../failure.ts"
import type { Meter } from "../meter.ts"
import { exponentText, floatText, longFixedText, significantDigits } from "../number-text.ts"
import { lengthOf } from "../text.ts"
import type { FormatSpec } from "./format-spec.ts"
import { padded } from "./format-value.ts"

/** A number without its sign, taken apart for what is put between and before its digits. */
interface Written {
  /** `0x` and its like. */
  readonly prefix: string
  /** What is grouped. */
  readonly digits: string
  /** Everything behind that: a point and what follows, an exponent, a percent sign. */
  readonly rest: string
}

export function formatNumber(number: bigint | number, spec: FormatSpec, meter: Meter): string {
  const isWhole = typeof number === "bigint" && !(spec.type !== "" && "eEfFgG%".includes(spec.type))
  const written = isWhole
    ? writtenInteger(number, spec, meter)
    : writtenFloat(Math.abs(toFloat(number, meter)), spec, meter)
  const isNegative = number < 0 || Object.is(number, -0)
  const isNothing = spec.flags.z && !/[1-9a-df-z]/i.test(written.digits + written.rest.replace(/e.*/i, ""))
  const sign = isNegative && !isNothing ? "-" : spec.sign === "+" || spec.sign === " " ? spec.sign : ""
  return assembled(sign, written, spec, meter)
}

const bases: Readonly<Record<string, number>> = { "": 10, d: 10, n: 10, b: 2, o: 8, x: 16, X: 16 }

function writtenInteger(number: bigint, spec: FormatSpec, meter: Meter): Written {
  const { type, grouping, flags, precision, sign } = spec
  if (precision !== undefined || flags.z)
    throw meter.failure("The format of an integer has no precision. Write f behind it for one of a float.")
  if (type === "c") {
    if (sign !== undefined || flags.alternate || grouping !== undefined || number < 0n || number > 0x10ffffn)
      throw meter.failure("The format c takes the number of a character, without sign, # and groups.")
    return { prefix: "", digits: "", rest: String.fromCodePoint(Number(number)) }
  }
  const base = bases[type]
  if (base === undefined) throw unknown(type, "an integer", "b, c, d, e, E, f, F, g, G, n, o, x, X, %", meter)
  if (grouping !== undefined && (type === "n" || (grouping === "," && base !== 10)))
    throw meter.failure(`The format ${type} has no groups with ${JSON.stringify(grouping)}.`)
  meter.spendPower(number === 0n ? 0 : number.toString(16).length * 4)
  const size = number < 0n ? -number : number
  const digits = base === 10 ? meter.integerText(size) : meter.text(size.toString(base))
  const prefix = flags.alternate && base !== 10 ? `0${type}` : ""
  return { prefix, digits: type === "X" ? digits.toUpperCase() : digits, rest: "" }
}

function writtenFloat(float: number, spec: FormatSpec, meter: Meter): Written {
  if (!"eEfFgGn%".includes(spec.type)) throw unknown(spec.type, "a float", "e, E, f, F, g, G, n, %", meter)
  if (spec.grouping !== undefined && spec.type === "n")
    throw meter.failure(`The format n has no groups with ${JSON.stringify(spec.grouping)}.`)
  meter.spend(20)
  const text = floatWritten(float, spec)
  const whole = spec.type === "E" || spec.type === "G" || spec.type === "F" ? text.toUpperCase() : text
  const [, digits = "", rest = ""] = /^(\d*)(.*)$/s.exec(whole) ?? []
  return { prefix: "", digits, rest: spec.type === "%" ? `${rest}%` : rest }
}

function floatWritten(float: number, { type, precision, flags }: FormatSpec): string {
  if (!Number.isFinite(float)) return floatText(float)
  const point = flags.alternate ? "." : ""
  switch (type.toLowerCase()) {
    case "f":
    case "%": {
      const places = precision ?? 6
      return longFixedText(type === "%" ? float * 100 : float, places) + (places === 0 ? point : "")
    }
    case "e":
      return exponential(significantDigits(float, (precision ?? 6) + 1), point)
    case "":
      return precision === undefined ? shortest(float, point) : general(float, precision || 1, "point", point)
    default:
      return general(float, precision === undefined ? 6 : precision || 1, "plain", point)
  }
}

interface Digits {
  readonly digits: string
  readonly exponent: number
}

function exponential({ digits, exponent }: Digits, point: string): string {
  const places = digits.slice(1)
  return digits[0]! + (places === "" ? point : `.${places}`) + exponentText(exponent)
}

function shortest(float: number, point: string): string {
  const text = floatText(float)
  return text.includes(".") ? text : text.replace("e", `${point}e`)
}

/** With an exponent where the number is too large or small to be written without one; `point`: never like an integer. */
function general(float: number, count: number, look: "plain" | "point", point: string): string {
  const found = significantDigits(float, count)
  const { exponent } = found
  const digits = point === "" ? found.digits.replace(/0+$/, "") || "0" : found.digits
  if (exponent < -4 || exponent >= (look === "point" ? Math.max(count - 1, 0) : count))
    return exponential({ digits, exponent }, point)
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`
  const places = digits.slice(exponent + 1)
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")
  return whole + (places !== "" ? `.${places}` : look === "point" ? ".0" : point)
}

function assembled(sign: string, { prefix, digits, rest }: Written, spec: FormatSpec, meter: Meter): string {
  const { fill, width, grouping, flags } = spec
  const align = spec.align ?? (flags.zero ? "=" : ">")
  const size = grouping === "_" && "boxX".includes(spec.type || "d") ? 4 : 3
  const around = sign.length + prefix.length + lengthOf(rest)
  const least = fill === "0" && align === "=" ? width - around : 0
  const shown = grouping === undefined || digits === "" ? digits : grouped(digits, size, grouping, least)
  const number = shown + rest
  if (align !== "=") return padded(sign + prefix + number, { fill, align, width }, meter)
  return (
    sign + prefix + padded(number, { fill, align, width: width - sign.length - prefix.length }, meter)
  )
}

/** With a sign between groups of digits, and zeros before them where they are to be so wide. */
function grouped(digits: string, size: number, sign: string, least: number): string {
  const groups: string[] = []
  let [left, missing] = [digits, least]
  for (;;) {
    const length = Math.min(size, Math.max(left.length, missing, 1))
    groups.unshift(left.slice(-length).padStart(length, "0"))
    left = left.slice(0, -length)
    missing -= length
    if (left === "" && missing <= 0) return groups.join(sign)
    missing -= sign.length
  }
}

const unknown = (type: string, what: string, known: string, meter: Meter): Failure =>
  meter.failure(`The format ${JSON.stringify(type)} is not known for ${what}. Known: ${known}.`)
