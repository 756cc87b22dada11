import { isMap, type Json, type JsonMap } from "./message.ts"

/** One value that a form asks for. */
export interface FormField {
  /** The key of the value in the answer. */
  readonly name: string
  /** The label that the asker gives it. */
  readonly title?: string
  /** The asker's words about it. */
  readonly description?: string
  /** `choice`: one of the options. `choices`: a list of them. */
  readonly type: "text" | "number" | "integer" | "boolean" | "choice" | "choices"
  /** The values to choose from, with their labels. */
  readonly options?: readonly { readonly value: string; readonly title?: string }[]
  /** True: an answer without the value is refused. */
  readonly required?: true
  /** The value that the asker suggests. */
  readonly default?: Json
  /** The least value of a number, length of a text, or count of choices. */
  readonly least?: number
  /** The most of the same. */
  readonly most?: number
  /** The kind of text that is valid. */
  readonly format?: "email" | "uri" | "date" | "date-time"
}

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

/** The reasons why an answer does not fit a form. Empty: it fits. */
export function checkAnswer(fields: readonly FormField[], content: JsonMap): readonly string[] {
  const known = new Map(fields.map((field) => [field.name, field]))
  const strange = Object.keys(content).filter((name) => !known.has(name))
  return [
    ...strange.map(
      (name) => `${JSON.stringify(name)} is not asked for. Known: ${[...known.keys()].join(", ") || "none"}`,
    ),
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined
      if (value === undefined) return field.required ? [`${JSON.stringify(field.name)} is missing`] : []
      const problem = problemOf(field, value)
      return problem === undefined ? [] : [`${JSON.stringify(field.name)} ${problem}`]
    }),
  ]
}

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

function problemOf({ type, options = [], least, most, format }: FormField, value: Json): string | undefined {
  const values = options.map((option) => option.value)
  const known = `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false"
    case "number":
    case "integer":
      if (typeof value !== "number" || (type === "integer" && !Number.isInteger(value)))
        return type === "integer" ? "must be a whole number" : "must be a number"
      return outside(value, least, most, "")
    case "choice":
      return typeof value === "string" && values.includes(value) ? undefined : `must be ${known}`
    case "choices":
      if (!Array.isArray(value) || !value.every((one) => typeof one === "string" && values.includes(one)))
        return `must be a list of ${known}`
      return outside(value.length, least, most, " choices")
    case "text":
      if (typeof value !== "string") return "must be a text"
      return outside([...value].length, least, most, " characters") ?? formatProblem(value, format)
  }
}

function outside(count: number, least: number | undefined, most: number | undefined, unit: string) {
  if (least !== undefined && count < least) return `must be at least ${least}${unit}`
  return most !== undefined && count > most ? `must be at most ${most}${unit}` : undefined
}

function formatProblem(value: string, format: FormField["format"]): string | undefined {
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : "must be an email address"
    case "uri":
      return URL.canParse(value) ? undefined : "must be a URI"
    case "date":
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : "must be a date such as 2026-07-28"
    case "date-time":
      return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(value) &&
        !Number.isNaN(Date.parse(value))
        ? undefined
        : "must be a time such as 2026-07-28T12:00:00Z"
    case undefined:
      return undefined
  }
}
