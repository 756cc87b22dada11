import type { ExpressionFailure } from "../failure.ts"
import type { Meter } from "../meter.ts"
import { countCharacters } from "../text.ts"
import { toFloat } from "../to-float.ts"
import { formatFloat } from "./format-float.ts"
import type { FormatSpec } from "./format-spec.ts"
import { padText } from "./padded.ts"

/** The parts of a number without its sign, so that separators and zeros can be added. */
interface Written {
  /** The prefix, such as `0x`. */
  readonly prefix: string
  /** The digits that are grouped. */
  readonly digits: string
  /** The rest: a point and decimal places, an exponent, a percent sign. */
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
    throw meter.failure("The format of an integer has no precision. Add f to format it as a float.")
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
  const { type, precision, flags } = spec
  const whole = formatFloat(float, { type, precision, alternate: flags.alternate })
  const [, digits = "", rest = ""] = /^(\d*)(.*)$/s.exec(whole) ?? []
  return { prefix: "", digits, rest: spec.type === "%" ? `${rest}%` : rest }
}

function assembled(sign: string, { prefix, digits, rest }: Written, spec: FormatSpec, meter: Meter): string {
  const { fill, width, grouping, flags } = spec
  const align = spec.align ?? (flags.zero ? "=" : ">")
  const size = grouping === "_" && "boxX".includes(spec.type || "d") ? 4 : 3
  const around = sign.length + prefix.length + countCharacters(rest)
  const least = fill === "0" && align === "=" ? width - around : 0
  const shown = grouping === undefined || digits === "" ? digits : grouped(digits, size, grouping, least)
  const number = shown + rest
  if (align !== "=") return padText(sign + prefix + number, { fill, align, width }, meter)
  return sign + prefix + padText(number, { fill, align, width: width - sign.length - prefix.length }, meter)
}

/** Puts a separator between groups of digits, and zeros before them up to a width. */
function grouped(digits: string, size: number, sign: string, least: number): string {
  const groups: string[] = []
  let [remaining, missing] = [digits, least]
  for (;;) {
    const length = Math.min(size, Math.max(remaining.length, missing, 1))
    groups.unshift(remaining.slice(-length).padStart(length, "0"))
    remaining = remaining.slice(0, -length)
    missing -= length
    if (remaining === "" && missing <= 0) return groups.join(sign)
    missing -= sign.length
  }
}

const unknown = (type: string, what: string, knownTypes: string, meter: Meter): ExpressionFailure =>
  meter.failure(`Unknown format ${JSON.stringify(type)} for ${what}. Known: ${knownTypes}.`)
