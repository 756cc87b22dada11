import { numberOf } from "./compare.ts"
import { idOf } from "./mapping.ts"
import type { Meter } from "./meter.ts"
import { exponentText, fixedText, floatText } from "./number-text.ts"
import { represent, textOf } from "./print.ts"
import { hasIndexes } from "./sequence.ts"
import { lengthOf } from "./text.ts"
import { describe, isType, isUndefined, type Value } from "./value.ts"

/** Python's `template % given`, where given is one value, a tuple of values, or a dict for `%(name)s`. */
export function format(template: string, given: Value, meter: Meter): string {
  const values = isType(given, "sequence") && given.kind === "tuple" ? given.items : [given]
  const parts: string[] = []
  let used = 0
  let end = 0
  // Bounded repetition only, so that no text makes the pattern go back and forth.
  for (const match of template.matchAll(
    /%(?:\(([^()]{0,100})\))?([-+ 0#]{0,5})(\d{0,7})(?:\.(\d{0,3}))?(.?)/gsu,
  )) {
    meter.spend(1)
    const [whole, name, flags = "", width = "", precision, type = ""] = match
    parts.push(template.slice(end, match.index))
    end = match.index + whole.length
    if (type === "%") {
      parts.push("%")
      continue
    }
    if (name === undefined && used >= values.length)
      throw meter.failure("There are not enough values for this format.")
    const value = name === undefined ? values[used++]! : named(given, name, meter)
    const body = converted(type, value, precision === undefined ? undefined : Number(precision), meter)
    parts.push(padded(body, { flags, width: Number(width), isNumber: !"sr".includes(type) }, meter))
  }
  if (used < values.length && !isMaybeMapping(given))
    throw meter.failure("Not all values are used by this format.")
  parts.push(template.slice(end))
  return meter.join(parts, "")
}

/** Python takes whatever has items for a dict here, except for a tuple, and then does not ask for all to be used. */
function isMaybeMapping(given: Value): boolean {
  if (hasIndexes(given)) return given.kind !== "tuple"
  return isType(given, "mapping") || isUndefined(given)
}

function named(given: Value, name: string, meter: Meter): Value {
  if (!isType(given, "mapping")) throw meter.failure(`This format needs a dict for %(${name}).`)
  const entry = given.entries.get(idOf(name, meter)!)
  if (entry === undefined) throw meter.failure(`The dict has no key "${name}" for this format.`)
  return entry.value
}

function converted(type: string, value: Value, precision: number | undefined, meter: Meter): string {
  switch (type) {
    case "s":
      return shortened(textOf(value, meter), precision, meter)
    case "r":
      return shortened(represent(value, meter), precision, meter)
    case "d":
    case "i":
      return meter.integerText(integerOf(value, meter))
    case "x":
      return integerOf(value, meter).toString(16)
    case "X":
      return integerOf(value, meter).toString(16).toUpperCase()
    case "o":
      return integerOf(value, meter).toString(8)
    case "f":
    case "F":
      return fixedText(Number(realOf(value, meter)), precision ?? 6)
    case "e":
    case "E":
      return exponential(Number(realOf(value, meter)), Math.min(precision ?? 6, 100), type)
    default:
      throw meter.failure(
        `The format "%${type}" is not known. Known: %s, %r, %d, %i, %x, %X, %o, %f, %F, %e, %E, %%.`,
      )
  }
}

function shortened(text: string, precision: number | undefined, meter: Meter): string {
  meter.spendReading(text)
  return precision === undefined ? text : Array.from(text).slice(0, precision).join("")
}

function exponential(float: number, places: number, type: "e" | "E"): string {
  if (!Number.isFinite(float)) return floatText(float)
  const [mantissa, power] = float.toExponential(places).split("e") as [string, string]
  const text = mantissa + exponentText(Number(power))
  return type === "E" ? text.toUpperCase() : text
}

function padded(
  body: string,
  { flags, width, isNumber }: { readonly flags: string; readonly width: number; readonly isNumber: boolean },
  meter: Meter,
): string {
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : ""
  const text = isNumber && !body.startsWith("-") ? sign + body : body
  const missing = width - lengthOf(text)
  if (missing <= 0) return text
  meter.reserveText(width)
  if (flags.includes("-")) return text + " ".repeat(missing)
  if (!isNumber || !flags.includes("0")) return " ".repeat(missing) + text
  const signLength = /^[-+ ]/.test(text) ? 1 : 0
  return text.slice(0, signLength) + "0".repeat(missing) + text.slice(signLength)
}

function realOf(value: Value, meter: Meter): bigint | number {
  if (isUndefined(value)) throw meter.failure(value.explain())
  const number = numberOf(value)
  if (number === undefined) throw meter.failure(`This format needs a number, not ${describe(value)}.`)
  return number
}

function integerOf(value: Value, meter: Meter): bigint {
  const number = realOf(value, meter)
  if (typeof number === "bigint") return number
  if (!Number.isFinite(number)) throw meter.failure("This format needs a finite number.")
  return BigInt(Math.trunc(number))
}
