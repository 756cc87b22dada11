import { toNumericValue } from "./compare.ts"
import { identifyKey } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { escapeNonAscii, printValue, represent } from "./print.ts"
import { formatFloat } from "./python/format-float.ts"
import { hasIndexes } from "./sequence.ts"
import { countCharacters } from "./text.ts"
import { toFloat } from "./to-float.ts"
import { describeValue, isType, isUndefined, type Value } from "./value.ts"

/** Python's `template % operand`. `operand` is one value, a tuple of values, or a dict for `%(name)s`. */
export function format(template: string, operand: Value, meter: Meter): string {
  const values = isType(operand, "sequence") && operand.kind === "tuple" ? operand.items : [operand]
  const parts: string[] = []
  let used = 0
  let end = 0
  const next = (): Value => {
    if (used >= values.length) throw meter.failure("There are not enough values for this format.")
    return values[used++]!
  }
  const sizeOf = (written: string | undefined): number | undefined =>
    written === "*" ? Number(integerOf(next(), meter)) : written === undefined ? undefined : Number(written)
  // All repeats are bounded, so no text makes the pattern backtrack.
  for (const match of template.matchAll(
    /%(?:\(([^()]{0,100})\))?([-+ 0#]{0,5})(\*|\d{0,7})(?:\.(\*|\d{0,3}))?[hlL]?(.?)/gsu,
  )) {
    meter.spend(1)
    const [whole, name, flags = "", wide, precise, type = ""] = match
    parts.push(template.slice(end, match.index))
    end = match.index + whole.length
    if (type === "%") {
      parts.push("%")
      continue
    }
    const [width = 0, precision] = [sizeOf(wide), sizeOf(precise)]
    const value = name === undefined ? next() : named(operand, name, meter)
    // After a place with a name, places without a name have no values left.
    if (name !== undefined) used = values.length
    const layout = { flags: width < 0 ? `${flags}-` : flags, width: Math.abs(width), type }
    parts.push(padded(converted(value, { ...layout, precision }, meter), layout, meter))
  }
  if (used < values.length && !isMaybeMapping(operand))
    throw meter.failure("Not all values are used by this format.")
  parts.push(template.slice(end))
  return meter.join(parts, "")
}

/** The layout of one value. */
interface Layout {
  readonly flags: string
  readonly width: number
  readonly type: string
}

/** True if Python treats a value as a dict here, which need not be used up: anything with items except a tuple. */
function isMaybeMapping(value: Value): boolean {
  if (hasIndexes(value)) return value.kind !== "tuple"
  return isType(value, "mapping") || isUndefined(value)
}

function named(value: Value, name: string, meter: Meter): Value {
  if (!isType(value, "mapping")) throw meter.failure(`This format needs a dict for %(${name}).`)
  const entry = value.entries.get(identifyKey(name, meter)!)
  if (entry === undefined) throw meter.failure(`The dict has no key "${name}" for this format.`)
  return entry.value
}

function converted(
  value: Value,
  { type, flags, precision }: Layout & { readonly precision: number | undefined },
  meter: Meter,
): string {
  switch (type) {
    case "s":
      return shortened(printValue(value, meter), precision, meter)
    case "r":
      return shortened(represent(value, meter), precision, meter)
    case "a":
      return shortened(escapeNonAscii(represent(value, meter)), precision, meter)
    case "c":
      return characterOf(value, meter)
    case "d":
    case "i":
    case "u":
      return withDigits(meter.integerText(integerOf(value, meter)), "", precision, meter)
    case "x":
    case "X":
    case "o": {
      const digits = bitsOf(value, meter).toString(type === "o" ? 8 : 16)
      const prefix = flags.includes("#") ? `0${type.toLowerCase()}` : ""
      const text = withDigits(digits, prefix, precision, meter)
      return type === "X" ? text.toUpperCase() : text
    }
    case "f":
    case "F":
    case "e":
    case "E":
    case "g":
    case "G":
      meter.spend(20)
      return formatFloat(toFloat(realOf(value, meter), meter), {
        type,
        precision,
        alternate: flags.includes("#"),
      })
    default:
      throw meter.failure(
        `The format "%${type}" is not known. Known: %s, %r, %a, %c, %d, %i, %u, %x, %X, %o, %f, %F, %e, %E, %g, %G, %%.`,
      )
  }
}

function shortened(text: string, precision: number | undefined, meter: Meter): string {
  meter.spendReading(text)
  return precision === undefined ? text : Array.from(text).slice(0, precision).join("")
}

/** The precision of an integer is the least number of its digits. */
function withDigits(text: string, prefix: string, least: number | undefined, meter: Meter): string {
  const [sign, digits] = text.startsWith("-") ? ["-", text.slice(1)] : ["", text]
  meter.reserveText(least ?? 0)
  return sign + prefix + digits.padStart(least ?? 0, "0")
}

function characterOf(value: Value, meter: Meter): string {
  if (typeof value === "string" && countCharacters(value) === 1) return value
  const code = typeof value === "string" ? undefined : bitsOf(value, meter)
  if (code === undefined || code < 0n || code > 0x10ffffn)
    throw meter.failure("The format %c takes one character, or the number of one.")
  return String.fromCodePoint(Number(code))
}

function padded(body: string, { flags, width, type }: Layout, meter: Meter): string {
  const isNumber = !"sarc".includes(type)
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : ""
  const text = isNumber && !body.startsWith("-") ? sign + body : body
  const missing = width - countCharacters(text)
  if (missing <= 0) return text
  meter.reserveText(width)
  if (flags.includes("-")) return text + " ".repeat(missing)
  if (!isNumber || !flags.includes("0")) return " ".repeat(missing) + text
  const [before = ""] = /^[-+ ]?(?:0[xXo])?/.exec(text) ?? []
  return before + "0".repeat(missing) + text.slice(before.length)
}

function realOf(value: Value, meter: Meter): bigint | number {
  if (isUndefined(value)) throw meter.failure(value.explain())
  const number = toNumericValue(value)
  if (number === undefined) throw meter.failure(`This format needs a number, not ${describeValue(value)}.`)
  return number
}

function integerOf(value: Value, meter: Meter): bigint {
  const number = realOf(value, meter)
  if (typeof number === "bigint") return number
  if (!Number.isFinite(number)) throw meter.failure("This format needs a finite number.")
  return BigInt(Math.trunc(number))
}

/** The integer to write by its bits. Fails for other values. */
function bitsOf(value: Value, meter: Meter): bigint {
  const number = realOf(value, meter)
  if (typeof number === "bigint") return number
  throw meter.failure(`This format needs an integer, not ${describeValue(value)}.`)
}
