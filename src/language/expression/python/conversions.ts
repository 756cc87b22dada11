import { readStringArgument, requireInteger } from "../bind-arguments.ts"
import { toNumericValue } from "../compare.ts"
import { parseFloatText, parseIntegerText } from "../filters/conversion.ts"
import { makeMapping, requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { printValue, represent } from "../print.ts"
import { listIterableItems } from "../sequence.ts"
import { toFloat } from "../to-float.ts"
import { type DictEntry, describeValue, isTrue, isType, listValue, makeTuple, type Value } from "../value.ts"
import { formatValue } from "./format-value.ts"
import { makeFunction, type NamedFunction } from "./function.ts"
import { requireDictEntries, setOf } from "./sets.ts"

/** Functions that convert one kind of value to another. */
export const conversions: readonly NamedFunction[] = [
  ["bool", makeFunction(["object?"], ([value = false]) => isTrue(value))],
  ["chr", makeFunction(["i"], ([code], meter) => characterOf(code!, meter))],
  [
    "dict",
    ({ positional, named }, meter) => {
      if (positional.length > 1) throw meter.failure("dict takes one dict or one list of pairs, and names.")
      const entries = Array.from(named, ([key, value]) => ({ id: requireKeyId(key, meter), key, value }))
      return makeMapping([...positional.flatMap((value) => pairsOf(value, meter)), ...entries])
    },
  ],
  ["float", makeFunction(["x?"], ([value = 0], meter) => toFloatOf(value, meter))],
  [
    "format",
    makeFunction(["value", "format_spec?"], ([value, spec], meter) =>
      formatValue(value!, readStringArgument(spec, "", meter), meter),
    ),
  ],
  [
    "int",
    makeFunction(["x?", "base?"], ([value = 0n, base], meter) => toInteger(value, base, meter), ["base"]),
  ],
  [
    "list",
    makeFunction(["iterable?"], ([items], meter) =>
      listValue(items === undefined ? [] : listIterableItems(items, meter)),
    ),
  ],
  ["ord", makeFunction(["c"], ([character], meter) => codeOf(character!, meter))],
  ["repr", makeFunction(["object"], ([value], meter) => represent(value!, meter))],
  [
    "set",
    makeFunction(["iterable?"], ([items], meter) =>
      setOf(items === undefined ? [] : listIterableItems(items, meter), meter),
    ),
  ],
  ["str", makeFunction(["object?"], ([value = ""], meter) => printValue(value, meter), ["object"])],
  [
    "tuple",
    makeFunction(["iterable?"], ([items], meter) =>
      makeTuple(items === undefined ? [] : listIterableItems(items, meter)),
    ),
  ],
]

function characterOf(code: Value, meter: Meter): Value {
  const number = requireInteger(code, 0, meter)
  if (number < 0 || number > 0x10ffff) throw meter.failure("No character has this number.")
  return String.fromCodePoint(number)
}

function codeOf(character: Value, meter: Meter): Value {
  const [first, ...more] = Array.from(readStringArgument(character, "", meter))
  if (first === undefined || more.length > 0)
    throw meter.failure("ord takes a text of exactly one character.")
  return BigInt(first.codePointAt(0)!)
}

function pairsOf(value: Value, meter: Meter): readonly (DictEntry & { readonly id: string })[] {
  if (isType(value, "mapping")) return requireDictEntries(value, meter)
  return listIterableItems(value, meter).map((pair) => {
    const items = listIterableItems(pair, meter)
    if (items.length !== 2) throw meter.failure("dict takes pairs of a key and a value.")
    return { id: requireKeyId(items[0]!, meter), key: items[0]!, value: items[1]! }
  })
}

function toInteger(value: Value, base: Value | undefined, meter: Meter): Value {
  if (typeof value === "string") {
    const written = integerIn(value, requireInteger(base, 10, meter), meter)
    if (written === undefined) throw meter.failure(`${quoteText(value)} is not an integer.`)
    return meter.integer(written)
  }
  if (base !== undefined) throw meter.failure("int takes a base only for a text.")
  const number = toNumericValue(value)
  if (number === undefined) throw meter.failure(`int takes a number or a text, not ${describeValue(value)}.`)
  if (typeof number === "bigint") return number
  if (!Number.isFinite(number)) throw meter.failure("Only a finite number can be made an integer.")
  return BigInt(Math.trunc(number))
}

/** Parses an integer. With the base 0, the prefix of the text decides. */
function integerIn(text: string, base: number, meter: Meter): bigint | undefined {
  if (base !== 0) return parseIntegerText(text, base, meter)
  const [, digits = ""] = /^\s*[+-]?([\w]*)/.exec(text) ?? []
  const knownBase = bases[digits.slice(0, 2).toLowerCase()]
  if (knownBase !== undefined) return parseIntegerText(text, knownBase, meter)
  return /^0[0_]*[1-9]/.test(digits) ? undefined : parseIntegerText(text, 10, meter)
}

const bases: Readonly<Record<string, number>> = { "0b": 2, "0o": 8, "0x": 16 }

function toFloatOf(value: Value, meter: Meter): Value {
  const number = toNumericValue(value)
  if (number !== undefined) return toFloat(number, meter)
  if (typeof value !== "string")
    throw meter.failure(`float takes a number or a text, not ${describeValue(value)}.`)
  const written = parseFloatText(value)
  if (written === undefined) throw meter.failure(`${quoteText(value)} is not a number.`)
  return written
}

const quoteText = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
