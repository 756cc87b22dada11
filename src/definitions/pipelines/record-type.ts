import type { JsonSchema } from "../../ground/schema/schema.ts"
import { partOf, type Type } from "./schema-type.ts"

/** The types of the values that texts of a pipeline can use. */

export const textRecordType: JsonSchema = { type: "string" }
export const integerType: JsonSchema = { type: "integer" }
export const noInputs: JsonSchema = { type: "object", properties: {} }

/** The record of a step: its text, its value if it has one, and its outcome. */
export const recordType = (value?: Type, more: { readonly [name: string]: JsonSchema } = {}): JsonSchema => ({
  type: "object",
  properties: {
    output: textRecordType,
    ...(value && { value }),
    outcome: textRecordType,
    error: textRecordType,
    run: textRecordType,
    ...more,
  },
})

/** The type of a record's `value`. */
export function valueType(type: Type): Type {
  const part = type && partOf(type, "value")
  return part && "type" in part ? (part.type ?? {}) : undefined
}

/** The type of a step's result in a list or an object of several: its value, or else its text. */
export const resultType = (type: Type): Type => (type ? (valueType(type) ?? textRecordType) : undefined)

export const listRecordType = (type: Type): JsonSchema => ({ type: "array", items: type ?? {} })

export const objectType = (entries: readonly (readonly [string, Type])[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(entries.map(([key, type]) => [key, type ?? {}])),
})
