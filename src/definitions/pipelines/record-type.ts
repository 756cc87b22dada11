import type { JsonSchema } from "../../ground/schema/schema.ts"
import { getPartType, type Type } from "./schema-type.ts"

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
export function getValueType(type: Type): Type {
  const part = type && getPartType(type, "value")
  return part && "type" in part ? (part.type ?? {}) : undefined
}

/** The type of a step's result in a list or an object of several: its value, or else its text. */
export const getResultType = (type: Type): Type => (type ? (getValueType(type) ?? textRecordType) : undefined)

export const listRecordType = (type: Type): JsonSchema => ({ type: "array", items: type ?? {} })

export const makeObjectType = (entries: readonly (readonly [string, Type])[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(entries.map(([key, type]) => [key, type ?? {}])),
})
