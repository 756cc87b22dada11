import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { FormField } from "../../ground/question-form.ts"

/** Reads the schema of a form: an object of plain values. Gives the reason where it is anything else. */
export function readForm(schema: Json | undefined): { fields: readonly FormField[] } | { problem: string } {
  if (!isMap(schema) || (schema.type ?? "object") !== "object" || !isMap(schema.properties ?? {}))
    return { problem: "the requested schema is no object" }
  const { properties = {}, required = [] } = schema
  const entries = Object.entries(properties as JsonMap)
  if (entries.length > mostFields) return { problem: `the form has more than ${mostFields} fields` }
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields: FormField[] = []
  for (const [name, property] of entries) {
    const field = isMap(property) ? readField(property) : undefined
    if (!field) return { problem: `the field ${JSON.stringify(name.slice(0, 100))} is no plain value` }
    fields.push({ name, ...field, ...(needed.has(name) && { required: true as const }) })
  }
  const strange = [...needed].find((name) => !Object.hasOwn(properties as JsonMap, String(name)))
  return strange === undefined
    ? { fields }
    : { problem: `the required field ${JSON.stringify(String(strange).slice(0, 100))} does not exist` }
}

const mostFields = 50

function readField(property: JsonMap): Omit<FormField, "name" | "required"> | undefined {
  const words = {
    ...(typeof property.title === "string" && { title: property.title }),
    ...(typeof property.description === "string" && { description: property.description }),
    ...(property.default !== undefined && { default: property.default }),
  }
  switch (property.type) {
    case "boolean":
      return { type: "boolean", ...words }
    case "number":
    case "integer":
      return { type: property.type, ...words, ...boundsOf(property.minimum, property.maximum) }
    case "string": {
      const options = optionsOf(property)
      if (options) return { type: "choice", options, ...words }
      const format = formats.find((one) => one === property.format)
      return {
        type: "text",
        ...words,
        ...boundsOf(property.minLength, property.maxLength),
        ...(format && { format }),
      }
    }
    case "array": {
      const options = isMap(property.items) ? optionsOf(property.items) : undefined
      return options
        ? { type: "choices", options, ...words, ...boundsOf(property.minItems, property.maxItems) }
        : undefined
    }
    default:
      return undefined
  }
}

function optionsOf({ enum: values, enumNames, oneOf, anyOf }: JsonMap): FormField["options"] {
  if (Array.isArray(values) && values.every((value) => typeof value === "string"))
    return values.map((value, index) => {
      const title = Array.isArray(enumNames) ? enumNames[index] : undefined
      return { value, ...(typeof title === "string" && { title }) }
    })
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined
  if (!titled?.every((one) => isMap(one) && typeof one.const === "string")) return undefined
  return (titled as readonly JsonMap[]).map(({ const: value, title }) => ({
    value: value as string,
    ...(typeof title === "string" && { title }),
  }))
}

const boundsOf = (least: Json | undefined, most: Json | undefined) => ({
  ...(typeof least === "number" && { least }),
  ...(typeof most === "number" && { most }),
})

const formats = ["email", "uri", "date", "date-time"] as const
