import { type Filter, requireInteger, withParameters } from "../bind-arguments.ts"
import { toNumericValue } from "../compare.ts"
import { toJsonText } from "../json-text.ts"
import type { Meter } from "../meter.ts"
import { printValue } from "../print.ts"
import { listIterableItems } from "../sequence.ts"
import { strip } from "../text.ts"
import { toFloat } from "../to-float.ts"
import { isTrue, isUndefined, listValue, type Value } from "../value.ts"

const defaultFilter: Filter = withParameters(
  ["default_value?", "boolean?"],
  (value, [otherwise = "", boolean = false]) =>
    isUndefined(value) || (isTrue(boolean) && !isTrue(value)) ? otherwise : value,
)
const escapeFilter: Filter = withParameters([], (value, _given, meter) =>
  escapeText(printValue(value, meter), meter),
)

export const conversionFilters: readonly [string, Filter][] = [
  ["default", defaultFilter],
  ["d", defaultFilter],
  ["string", withParameters([], (value, _given, meter) => printValue(value, meter))],
  ["list", withParameters([], (value, _given, meter) => listValue(listIterableItems(value, meter)))],
  ["int", withParameters(["default?", "base?"], toInteger)],
  [
    "float",
    withParameters(["default?"], (value, [otherwise = 0], meter) => floatOf(value, meter) ?? otherwise),
  ],
  [
    "tojson",
    withParameters(["indent?"], (value, [indent], meter) => toJsonText(value, indent ?? null, meter)),
  ],
  ["escape", escapeFilter],
  ["e", escapeFilter],
  // Nothing is escaped automatically, so there is nothing to mark as safe.
  ["safe", withParameters([], (value, _given, meter) => printValue(value, meter))],
]

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
}

function escapeText(text: string, meter: Meter): string {
  meter.reserveText(text.length)
  return meter.text(text.replace(/[&<>'"]/g, (character) => entities[character]!))
}

function toInteger(
  value: Value,
  [otherwise = 0n, base]: readonly (Value | undefined)[],
  meter: Meter,
): Value {
  const written =
    typeof value === "string" ? parseIntegerText(value, requireInteger(base, 10, meter), meter) : undefined
  if (written !== undefined) return written
  const number = toNumericValue(value)
  if (typeof number === "bigint") return number
  const float = number ?? floatOf(value, meter)
  if (float === undefined || Number.isNaN(float)) return otherwise
  if (!Number.isFinite(float)) throw meter.failure("Infinity cannot be made an integer.")
  return BigInt(Math.trunc(float))
}

const prefixes: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 16: "0x" }

/** Parses an integer. Undefined: the text is not an integer. */
export function parseIntegerText(text: string, base: number, meter: Meter): bigint | undefined {
  const [, sign, digits] = /^([+-]?)([\da-z]+(?:_[\da-z]+)*)$/i.exec(strip(text, "both")) ?? []
  if (digits === undefined || base < 2 || base > 36) return undefined
  const prefix = prefixes[base]
  const bare = digits.replaceAll("_", "").toLowerCase()
  const significant = prefix !== undefined && bare.startsWith(prefix) ? bare.slice(2) : bare
  if (significant === "") return undefined
  if (significant.length > 4300) throw meter.tooManyDigits()
  meter.spend(significant.length)
  let number = 0n
  for (const digit of significant) {
    const worth = Number.parseInt(digit, 36)
    if (worth >= base) return undefined
    number = number * BigInt(base) + BigInt(worth)
  }
  return sign === "-" ? -number : number
}

/** No two parts of the pattern match the same digits, so no text makes it backtrack. */
const floatPattern = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/

/** Converts a value to a float. Undefined: it is not a number. */
function floatOf(value: Value, meter: Meter): number | undefined {
  if (isUndefined(value)) throw meter.failure(value.explain())
  const number = toNumericValue(value)
  if (number !== undefined) return toFloat(number, meter)
  return typeof value === "string" ? parseFloatText(value) : undefined
}

/** Parses a float. Undefined: the text is not a number. */
export function parseFloatText(written: string): number | undefined {
  const text = strip(written, "both").toLowerCase()
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/.exec(text)
  if (special !== null) {
    if (special[2] === undefined) return Number.NaN
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  return floatPattern.test(text) ? Number(text.replaceAll("_", "")) : undefined
}
