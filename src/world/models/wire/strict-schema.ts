import { isMap, type Json } from "../../../ground/message.ts"
import type { JsonSchema } from "../../../ground/schema/schema.ts"

/**
 * True if OpenAI accepts a schema in strict mode, by its documentation (2026-11). Otherwise OpenAI refuses the whole
 * request, so doubtful schemas do not qualify: references, unlisted keywords, more than half of the allowed nesting.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  const { $schema: _, ...root } = schema
  const count: Count = { properties: 0, values: 0, characters: 0 }
  return (
    root.type === "object" &&
    fits(root, 1, count) &&
    count.properties <= limits.properties &&
    count.values <= limits.values &&
    count.characters <= limits.characters
  )
}

interface Count {
  properties: number
  /** The values of all enumerations together. */
  values: number
  /** The characters of all property names and enumeration values together. */
  characters: number
}

const limits = { levels: 5, properties: 5_000, values: 1_000, characters: 120_000 }
/** A longer enumeration has its own limit on characters. */
const longEnum = { values: 250, characters: 15_000 }

const general: readonly string[] = ["type", "title", "description", "enum", "const"]
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "format"],
  number: ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  integer: ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
}

const formats: readonly Json[] = [
  ...["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
]

function fits(schema: Json | undefined, level: number, count: Count): boolean {
  if (!isMap(schema)) return false
  if ("anyOf" in schema) return fitsAnyOf(schema, level, count)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.length === 0 || new Set(types).size < types.length) return false
  if (!types.every((type) => typeof type === "string" && Object.hasOwn(keywords, type))) return false
  if (level > limits.levels && (types.includes("array") || types.includes("object"))) return false
  const allowedKeys = [...general, ...types.flatMap((type) => keywords[type as string]!)]
  return (
    Object.keys(schema).every((key) => allowedKeys.includes(key)) &&
    fitsValues(schema, count) &&
    (schema.format === undefined || formats.includes(schema.format)) &&
    // OpenAI does not support assertions such as `(?=`.
    (schema.pattern === undefined || !String(schema.pattern).includes("(?")) &&
    (!types.includes("array") || fits(schema.items, level + 1, count)) &&
    (!types.includes("object") || fitsObject(schema, level, count))
  )
}

/** OpenAI distinguishes objects among the choices by their first key. */
function fitsAnyOf({ anyOf, ...rest }: JsonSchema, level: number, count: Count): boolean {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return false
  const firstKeys = anyOf.flatMap((choice) =>
    isMap(choice) && isMap(choice.properties) ? [Object.keys(choice.properties)[0]] : [],
  )
  return (
    Object.keys(rest).every((key) => key === "description" || key === "title") &&
    new Set(firstKeys).size === firstKeys.length &&
    anyOf.every((choice: Json) => fits(choice, level, count))
  )
}

function fitsObject(
  { properties, required, additionalProperties }: JsonSchema,
  level: number,
  count: Count,
): boolean {
  if (!isMap(properties) || !Array.isArray(required) || additionalProperties !== false) return false
  const names = Object.keys(properties)
  count.properties += names.length
  count.characters += names.join("").length
  return (
    required.length === names.length &&
    names.every((name) => required.includes(name) && fits(properties[name], level + 1, count))
  )
}

function fitsValues({ enum: values, const: constant }: JsonSchema, count: Count): boolean {
  if (constant !== undefined && !isPlainValue(constant)) return false
  if (typeof constant === "string") count.characters += constant.length
  if (values === undefined) return true
  if (!Array.isArray(values) || values.length === 0 || !values.every(isPlainValue)) return false
  const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  count.values += values.length
  count.characters += characters
  return values.length <= longEnum.values || characters <= longEnum.characters
}

export const isPlainValue = (value: Json): boolean => typeof value !== "object" || value === null
