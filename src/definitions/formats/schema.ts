import { propertiesOf, schemaOf } from "../../ground/keys.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { Field, NoEffect } from "./fields/field.ts"
import type { Format } from "./format.ts"

/** The JSON Schema of a format's keys, for editors. */
export function formatSchema(format: Format): JsonSchema {
  const fields = format.fields as readonly Field[]
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `${format.title} agent`,
    description: format.doc,
    type: "object",
    properties: propertiesOf(fields, (field) => ({ description: describe(field), ...schemaOf(field.type) })),
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
