import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { Field, NoEffect, ValueType } from "./fields/field.ts"
import type { Format } from "./format.ts"

/** The JSON Schema of a format's keys, for editors. */
export function formatSchema(format: Format): JsonSchema {
  const fields = format.fields as readonly Field[]
  const properties: { [key: string]: Json } = {}
  for (const field of fields)
    for (const key of [field.key, ...(field.aliases ?? [])])
      properties[key] = { description: describe(field), ...(schemaOf(field.type) as { [key: string]: Json }) }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `${format.title} agent`,
    description: format.doc,
    type: "object",
    properties,
    required: fields.filter((field) => field.required).map(({ key }) => key),
    additionalProperties: format.unknownKeys !== "refused",
  }
}

const describe = (field: Field): string =>
  field.otherwise === undefined ? docOf(field) : `${docOf(field)} Left out: ${field.otherwise}.`

/** What a key means, and that it means nothing here. */
export function docOf({ doc, into, effect = "informs" }: Field): string {
  const isWhole = ({ inner, when }: NoEffect) => !inner && (!when || into === undefined)
  const whole = effect === "informs" ? undefined : effect.find(isWhole)
  return whole ? `${doc} No effect in cadre: ${whole.why}.` : doc
}

export function schemaOf(type: ValueType): Json {
  switch (type.type) {
    case "text":
      return type.blank ? { type: "string" } : { type: "string", pattern: "\\S" }
    case "words":
      return { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] }
    case "number":
      return {
        type: type.whole ? "integer" : "number",
        ...(type.minimum !== undefined && { minimum: type.minimum }),
        ...(type.maximum !== undefined && { maximum: type.maximum }),
      }
    case "flag":
      return { type: "boolean" }
    case "choice":
      return { enum: [...type.of] }
    case "map":
      return { type: "object" }
    case "list":
      return { type: "array" }
    case "null":
      return { type: "null" }
    case "any":
      return {}
    case "either":
      return { anyOf: type.of.map(schemaOf) }
  }
}
