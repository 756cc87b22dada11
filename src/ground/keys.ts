import { isMap, type Json, type JsonMap } from "./message.ts"

/** One key of a written map, and its type. Every table of keys is a list of these. */
export interface Key {
  readonly key: string
  /** Other accepted spellings. */
  readonly aliases?: readonly string[]
  readonly type: ValueType
  readonly doc: string
}

/** A table by all its spellings. */
export const indexBySpelling = <Row extends Key>(keys: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(keys.flatMap((row) => [row.key, ...(row.aliases ?? [])].map((name) => [name, row] as const)))

/** The type of a key in code, and its description without quotes and commas, which only matter in files. */
export interface CodeKind {
  readonly type: ValueType
  readonly words: string
}

/** The properties of a JSON Schema, for editors. */
export const toSchemaProperties = <Row extends Key>(
  keys: readonly Row[],
  schema: (row: Row) => JsonMap,
): JsonMap => Object.fromEntries([...indexBySpelling(keys)].map(([name, row]) => [name, schema(row)]))

export type ValueType =
  | { readonly type: "text"; readonly blank?: "allowed" }
  /** A list of texts, or one text with commas. */
  | { readonly type: "words" }
  | {
      readonly type: "number"
      readonly minimum?: number
      readonly above?: number
      readonly maximum?: number
      readonly whole?: "whole"
    }
  | { readonly type: "flag" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "map"; readonly of?: ValueType }
  | { readonly type: "list"; readonly of?: ValueType }
  | { readonly type: "any" }
  | { readonly type: "either"; readonly of: readonly ValueType[] }
  /** An explicit null, which is a value of its own. */
  | { readonly type: "null" }

export const anyText: ValueType = { type: "text", blank: "allowed" }

/** The value as a field takes it, or a description of the expected value. */
export function fitValue(type: ValueType, value: Json): { value: Json } | { expected: string } {
  switch (type.type) {
    case "text":
      if (typeof value !== "string") return { expected: `text${quoteHint(value)}` }
      return type.blank === undefined && value.trim() === ""
        ? { expected: "text that is not empty" }
        : { value }
    case "words":
      if (typeof value === "string") return { value: splitList(value) as string[] }
      if (!Array.isArray(value)) return { expected: "a list of names, or names with commas" }
      if (!value.every((entry) => typeof entry === "string"))
        return { expected: `a list of names${quoteHint(value.find((entry) => typeof entry !== "string")!)}` }
      return { value: value.every(isTrimmed) ? value : value.map((entry) => entry.trim()) }
    case "number":
      return isInRange(type, value) ? { value } : { expected: describeNumber(type) }
    case "flag":
      return typeof value === "boolean" ? { value } : { expected: "true or false, without quotes" }
    case "choice":
      return type.of.includes(value as string)
        ? { value }
        : { expected: `one of ${type.of.filter(Boolean).join(", ")}` }
    case "map":
      return isMap(value) && areFit(type.of, Object.values(value))
        ? { value }
        : { expected: "keys and values" }
    case "list":
      return Array.isArray(value) && areFit(type.of, value) ? { value } : { expected: "a list" }
    case "null":
      return value === null ? { value } : { expected: "null" }
    case "any":
      return { value }
    case "either": {
      const expected: string[] = []
      for (const inner of type.of) {
        const fit = fitValue(inner, value)
        if ("value" in fit) return fit
        expected.push(fit.expected)
      }
      return { expected: expected.join(", or ") }
    }
  }
}

export const fitsType = (type: ValueType, value: unknown): boolean => "value" in fitValue(type, value as Json)

const areFit = (type: ValueType | undefined, values: readonly unknown[]): boolean =>
  type === undefined || values.every((value) => fitsType(type, value))

/** The same as a JSON Schema, for editors. */
export function toValueSchema(type: ValueType): JsonMap {
  switch (type.type) {
    case "text":
      return type.blank ? { type: "string" } : { type: "string", pattern: "\\S" }
    case "words":
      return { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] }
    case "number":
      return {
        type: type.whole ? "integer" : "number",
        ...(type.minimum !== undefined && { minimum: type.minimum }),
        ...(type.above !== undefined && { exclusiveMinimum: type.above }),
        ...(type.maximum !== undefined && { maximum: type.maximum }),
      }
    case "flag":
      return { type: "boolean" }
    case "choice":
      return { enum: [...type.of] }
    case "map":
      return { type: "object", ...(type.of && { additionalProperties: toValueSchema(type.of) }) }
    case "list":
      return { type: "array", ...(type.of && { items: toValueSchema(type.of) }) }
    case "null":
      return { type: "null" }
    case "any":
      return {}
    case "either":
      return { anyOf: type.of.map(toValueSchema) }
  }
}

/** A list, written as one or with commas. A comma inside parentheses belongs to its entry. */
export function splitList(value: readonly string[] | string | undefined): readonly string[] {
  if (value === undefined) return []
  const entries = typeof value === "string" ? splitAtCommas(value) : value
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "")
}

function splitAtCommas(text: string): readonly string[] {
  const entries: string[] = []
  let start = 0
  // Only closed parentheses hold an entry together.
  const closing = text.lastIndexOf(")")
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "(" && at < closing) open++
    else if (character === ")" && open > 0) open--
    else if (character === "," && open === 0) {
      entries.push(text.slice(start, at))
      start = at + 1
    }
    if (at >= closing) open = 0
  }
  return [...entries, text.slice(start)]
}

const isTrimmed = (text: string): boolean => text.trim() === text

function isInRange(type: Extract<ValueType, { type: "number" }>, value: Json): boolean {
  if (typeof value !== "number" || !Number.isFinite(value) || (type.whole && !Number.isInteger(value)))
    return false
  return (
    value >= (type.minimum ?? Number.NEGATIVE_INFINITY) &&
    value > (type.above ?? Number.NEGATIVE_INFINITY) &&
    value <= (type.maximum ?? Number.POSITIVE_INFINITY)
  )
}

function describeNumber({ minimum, maximum, whole }: Extract<ValueType, { type: "number" }>): string {
  const kind = whole ? "a whole number" : "a number"
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`
}

/** YAML reads 1.0, yes and 2026-01-01 in unexpected ways. */
const quoteHint = (value: Json): string =>
  typeof value === "number" || typeof value === "boolean" ? `; put ${JSON.stringify(value)} in quotes` : ""
