import { toSchemaProperties, toValueSchema } from "../../ground/keys.ts"
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
    properties: toSchemaProperties(fields, (field) => ({
      description: describe(field),
      ...toValueSchema(field.type),
    })),
    required: fields.filter((field) => field.required).map(({ key }) => key),
    additionalProperties: format.unknownKeys !== "refused",
  }
}

const describe = (field: Field): string =>
  field.otherwise === undefined
    ? describeField(field)
    : `${describeField(field)} Default: ${field.otherwise}.`

/** The description of a key, with a note if the key has no effect in cadre. */
export function describeField({ doc, into, effect = "informs" }: Field): string {
  const isWhole = ({ inner, when }: NoEffect) => !inner && (!when || into === undefined)
  const whole = effect === "informs" ? undefined : effect.find(isWhole)
  return whole ? `${doc} No effect in cadre: ${whole.why}.` : doc
}
