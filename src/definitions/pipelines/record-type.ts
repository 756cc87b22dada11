import type { JsonSchema } from "../../ground/schema/schema.ts"
import { partOf, type Type } from "./schema-type.ts"

/** The types of what can be seen in a pipeline. */

export const text: JsonSchema = { type: "string" }
export const integer: JsonSchema = { type: "integer" }
export const noInputs: JsonSchema = { type: "object", properties: {} }

/** What a step leaves: its text, its value where it has one, and how it ended. */
export const record = (value?: Type, more: { readonly [name: string]: JsonSchema } = {}): JsonSchema => ({
  type: "object",
  properties: { output: text, ...(value && { value }), outcome: text, error: text, run: text, ...more },
})

/** What a record's `value` is. */
export function valueType(given: Type): Type {
  const part = given && partOf(given, "value")
  return part && "type" in part ? (part.type ?? {}) : undefined
}

/** What a step stands for in a list or an object of several: its value, or its text where it has none. */
export const resultType = (given: Type): Type => (given ? (valueType(given) ?? text) : undefined)

export const listOf = (given: Type): JsonSchema => ({ type: "array", items: given ?? {} })

export const objectOf = (entries: readonly (readonly [string, Type])[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(entries.map(([key, type]) => [key, type ?? {}])),
})
