import { isMap, type Json } from "./message.ts"

/** A schema in which every pattern can be read as JSON Schema has it: as a regular expression with the flag `u`. */
export const readablePatterns = <Schema extends Json>(schema: Schema): Schema =>
  mapped(schema, (pattern) => readable(pattern) ?? pattern) as Schema

/** The first pattern of a schema that is no regular expression at all, and where it stands. */
export function patternProblem(schema: Json): { readonly pattern: string; readonly at: string } | undefined {
  let problem: { readonly pattern: string; readonly at: string } | undefined
  mapped(schema, (pattern, at) => {
    if (readable(pattern) === undefined) problem ??= { pattern, at }
    return pattern
  })
  return problem
}

/** Many patterns are written for engines without that flag, which take an escape of any character for that character. */
function readable(pattern: string): string | undefined {
  for (const text of [pattern, plainer(pattern)])
    try {
      new RegExp(text, "u")
      return text
    } catch {
      // The next one may be.
    }
  return undefined
}

/** Without escapes that mean the character alone; brackets that end nothing stand for themselves. */
function plainer(pattern: string): string {
  let inClass = false
  return pattern.replaceAll(
    /\\([\s\S])|[[\]{}]|[^\\[\]{}]+/g,
    (part, escaped: string | undefined, at: number) => {
      if (escaped !== undefined) {
        if (/[\^$\\.*+?()[\]{}|/dDsSwWbBfnrtvc0-9xupPk]/.test(escaped)) return part
        return inClass && escaped === "-" ? part : escaped
      }
      if (part === "[" && !inClass) inClass = true
      else if (part === "]" && inClass) inClass = false
      else if (part === "]" || ((part === "{" || part === "}") && !inClass && !isQuantifier(pattern, at)))
        return `\\${part}`
      return part
    },
  )
}

const isQuantifier = (pattern: string, at: number): boolean => {
  const start = pattern[at] === "{" ? at : pattern.lastIndexOf("{", at)
  return start >= 0 && /^\{\d+(?:,\d*)?\}/.test(pattern.slice(start))
}

/** Keys whose values are data, and no schemas. */
const data: readonly string[] = ["const", "enum", "default", "examples", "example"]

function mapped(value: Json, change: (pattern: string, at: string) => string, at = ""): Json {
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, change, `${at}/${index}`))
  if (!isMap(value)) return value
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const place = `${at}/${key}`
    if (data.includes(key)) return [key, inner]
    if (key === "pattern" && typeof inner === "string") return [key, change(inner, place)]
    if (key === "patternProperties" && isMap(inner))
      return [
        key,
        Object.fromEntries(
          Object.entries(inner).map(([pattern, schema]) => [
            change(pattern, `${place}/${pattern}`),
            mapped(schema, change, `${place}/${pattern}`),
          ]),
        ),
      ]
    return [key, mapped(inner, change, place)]
  })
  return Object.fromEntries(entries)
}
