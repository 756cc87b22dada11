import type { Json, JsonMap } from "./message.ts"

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

/** The reasons why an answer does not fit a form. Empty: it fits. */
export function checkAnswer(fields: readonly FormField[], content: JsonMap): readonly string[] {
  const knownFields = new Map(fields.map((field) => [field.name, field]))
  const strange = Object.keys(content).filter((name) => !knownFields.has(name))
  return [
    ...strange.map(
      (name) =>
        `${JSON.stringify(name)} is not asked for. Known: ${[...knownFields.keys()].join(", ") || "none"}`,
    ),
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined
      if (value === undefined) return field.required ? [`${JSON.stringify(field.name)} is missing`] : []
      const problem = problemOf(field, value)
      return problem === undefined ? [] : [`${JSON.stringify(field.name)} ${problem}`]
    }),
  ]
}

function problemOf({ type, options = [], least, most, format }: FormField, value: Json): string | undefined {
  const values = options.map((option) => option.value)
  const choices = `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false"
    case "number":
    case "integer":
      if (typeof value !== "number" || (type === "integer" && !Number.isInteger(value)))
        return type === "integer" ? "must be a whole number" : "must be a number"
      return outside(value, least, most, "")
    case "choice":
      return typeof value === "string" && values.includes(value) ? undefined : `must be ${choices}`
    case "choices":
      if (!Array.isArray(value) || !value.every((one) => typeof one === "string" && values.includes(one)))
        return `must be a list of ${choices}`
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
