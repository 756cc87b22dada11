import { isMap, type Json } from "../../../../ground/message.ts"
import type { JsonSchema } from "../../../../ground/schema/schema.ts"
import { isPlainValue } from "../strict-schema.ts"

/**
 * True if Anthropic accepts a schema for a strict tool, by its documentation
 * (platform.claude.com/docs/en/build-with-claude/structured-outputs, 2026-11). Otherwise Anthropic refuses the whole
 * request, so doubtful schemas do not qualify. Doubtful are references, patterns, several types beside values, and more
 * than half of the allowed optional properties or unions.
 */
export function isAnthropicStrictSchema(schema: JsonSchema): boolean {
  const { $schema: _, ...root } = schema
  const count: Count = { optional: 0, unions: 0 }
  return (
    root.type === "object" &&
    fits(root, 1, count) &&
    count.optional <= limits.optional &&
    count.unions <= limits.unions
  )
}

interface Count {
  /** Optional properties. */
  optional: number
  /** Values of several types. */
  unions: number
}

const limits = { levels: 5, optional: 12, unions: 8 }

const general: readonly string[] = ["type", "title", "description", "enum", "const", "default"]
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ["format"],
  number: [],
  integer: [],
  boolean: [],
  null: [],
  array: ["items", "minItems"],
  object: ["properties", "required", "additionalProperties"],
}

const formats: readonly Json[] = [
  ...["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
]

function fits(schema: Json | undefined, level: number, count: Count): boolean {
  if (!isMap(schema)) return false
  if ("anyOf" in schema) return fitsAnyOf(schema, level, count)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.length === 0 || new Set(types).size < types.length) return false
  if (!types.every((type) => typeof type === "string" && Object.hasOwn(keywords, type))) return false
  if (level > limits.levels && (types.includes("array") || types.includes("object"))) return false
  if (types.length > 1) count.unions++
  const allowedKeys = [...general, ...types.flatMap((type) => keywords[type as string]!)]
  return (
    Object.keys(schema).every((key) => allowedKeys.includes(key)) &&
    fitsValues(schema) &&
    (schema.format === undefined || formats.includes(schema.format)) &&
    (!types.includes("array") || fitsArray(schema, level, count)) &&
    (!types.includes("object") || fitsObject(schema, level, count))
  )
}

function fitsAnyOf({ anyOf, ...rest }: JsonSchema, level: number, count: Count): boolean {
  count.unions++
  return (
    Array.isArray(anyOf) &&
    anyOf.length > 0 &&
    Object.keys(rest).every((key) => ["title", "description", "default"].includes(key)) &&
    anyOf.every((choice: Json) => fits(choice, level, count))
  )
}

const fitsArray = ({ items, minItems }: JsonSchema, level: number, count: Count): boolean =>
  (minItems === undefined || minItems === 0 || minItems === 1) && fits(items, level + 1, count)

function fitsObject(
  { properties, required = [], additionalProperties }: JsonSchema,
  level: number,
  count: Count,
): boolean {
  if (!isMap(properties) || !Array.isArray(required) || additionalProperties !== false) return false
  const names = Object.keys(properties)
  count.optional += names.length - required.length
  return (
    new Set(required).size === required.length &&
    required.every((name) => names.includes(name as string)) &&
    names.every((name) => fits(properties[name], level + 1, count))
  )
}

/** Values beside a type must have that type. Values beside a list of types do not qualify. */
function fitsValues({ type, enum: enumValues, const: constant }: JsonSchema): boolean {
  const values = [enumValues ?? [], constant === undefined ? [] : [constant]].flat()
  if (enumValues !== undefined && (!Array.isArray(enumValues) || enumValues.length === 0)) return false
  return values.every((value) => isPlainValue(value) && isOfType(value, type))
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (value === null) return type === "null"
  return type === "integer" ? Number.isInteger(value) : typeof value === type
}
