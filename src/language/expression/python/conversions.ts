import { numberOf } from "../compare.ts"
import { floatWritten, integerWritten } from "../filters/conversion.ts"
import { integerGiven, stringGiven } from "../given.ts"
import { keyOf, mapping } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import { represent, textOf } from "../print.ts"
import { itemsOf } from "../sequence.ts"
import { toFloat } from "../to-float.ts"
import { describe, type Entry, isTrue, isType, list, tuple, type Value } from "../value.ts"
import { formatValue } from "./format-value.ts"
import { type Named, taking } from "./function.ts"
import { entriesOf, setOf } from "./sets.ts"

/** Functions that make one kind of value of another. */
export const conversions: readonly Named[] = [
  ["bool", taking(["object?"], ([value = false]) => isTrue(value))],
  ["chr", taking(["i"], ([code], meter) => characterOf(code!, meter))],
  [
    "dict",
    ({ positional, named }, meter) => {
      if (positional.length > 1) throw meter.failure("dict takes one dict or one list of pairs, and names.")
      const given = Array.from(named, ([key, value]) => ({ id: keyOf(key, meter), key, value }))
      return mapping([...positional.flatMap((value) => pairsOf(value, meter)), ...given])
    },
  ],
  ["float", taking(["x?"], ([value = 0], meter) => toFloatOf(value, meter))],
  [
    "format",
    taking(["value", "format_spec?"], ([value, spec], meter) =>
      formatValue(value!, stringGiven(spec, "", meter), meter),
    ),
  ],
  ["int", taking(["x?", "base?"], ([value = 0n, base], meter) => toInteger(value, base, meter), ["base"])],
  ["list", taking(["iterable?"], ([items], meter) => list(items === undefined ? [] : itemsOf(items, meter)))],
  ["ord", taking(["c"], ([character], meter) => codeOf(character!, meter))],
  ["repr", taking(["object"], ([value], meter) => represent(value!, meter))],
  [
    "set",
    taking(["iterable?"], ([items], meter) => setOf(items === undefined ? [] : itemsOf(items, meter), meter)),
  ],
  ["str", taking(["object?"], ([value = ""], meter) => textOf(value, meter), ["object"])],
  [
    "tuple",
    taking(["iterable?"], ([items], meter) => tuple(items === undefined ? [] : itemsOf(items, meter))),
  ],
]

function characterOf(code: Value, meter: Meter): Value {
  const number = integerGiven(code, 0, meter)
  if (number < 0 || number > 0x10ffff) throw meter.failure("No character has this number.")
  return String.fromCodePoint(number)
}

function codeOf(character: Value, meter: Meter): Value {
  const [first, ...more] = Array.from(stringGiven(character, "", meter))
  if (first === undefined || more.length > 0)
    throw meter.failure("ord takes a text of exactly one character.")
  return BigInt(first.codePointAt(0)!)
}

function pairsOf(value: Value, meter: Meter): readonly (Entry & { readonly id: string })[] {
  if (isType(value, "mapping")) return entriesOf(value, meter)
  return itemsOf(value, meter).map((pair) => {
    const items = itemsOf(pair, meter)
    if (items.length !== 2) throw meter.failure("dict takes pairs of a key and a value.")
    return { id: keyOf(items[0]!, meter), key: items[0]!, value: items[1]! }
  })
}

function toInteger(value: Value, base: Value | undefined, meter: Meter): Value {
  if (typeof value === "string") {
    const written = integerIn(value, integerGiven(base, 10, meter), meter)
    if (written === undefined) throw meter.failure(`${shown(value)} is not how an integer is written.`)
    return meter.integer(written)
  }
  if (base !== undefined) throw meter.failure("int takes a base only for a text.")
  const number = numberOf(value)
  if (number === undefined) throw meter.failure(`int takes a number or a text, not ${describe(value)}.`)
  if (typeof number === "bigint") return number
  if (!Number.isFinite(number)) throw meter.failure("Only a finite number can be made an integer.")
  return BigInt(Math.trunc(number))
}

/** With 0 for a base, the text says which it is. */
function integerIn(text: string, base: number, meter: Meter): bigint | undefined {
  if (base !== 0) return integerWritten(text, base, meter)
  const [, digits = ""] = /^\s*[+-]?([\w]*)/.exec(text) ?? []
  const known = bases[digits.slice(0, 2).toLowerCase()]
  if (known !== undefined) return integerWritten(text, known, meter)
  return /^0[0_]*[1-9]/.test(digits) ? undefined : integerWritten(text, 10, meter)
}

const bases: Readonly<Record<string, number>> = { "0b": 2, "0o": 8, "0x": 16 }

function toFloatOf(value: Value, meter: Meter): Value {
  const number = numberOf(value)
  if (number !== undefined) return toFloat(number, meter)
  if (typeof value !== "string")
    throw meter.failure(`float takes a number or a text, not ${describe(value)}.`)
  const written = floatWritten(value)
  if (written === undefined) throw meter.failure(`${shown(value)} is not how a number is written.`)
  return written
}

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
