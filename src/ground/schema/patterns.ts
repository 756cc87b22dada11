import { isMap, type Json } from "../message.ts"
import { compileBoundedPattern } from "../patterns/bounded.ts"

/** A pattern in a schema that no value can be checked against, with its place and the reason. */
export interface PatternProblem {
  readonly pattern: string
  readonly at: string
  readonly problem: string
}

export function findPatternProblem(schema: Json): PatternProblem | undefined {
  let problem: PatternProblem | undefined
  visitPatterns(schema, (pattern, at) => {
    const reading = readSchemaPattern(pattern)
    if ("problem" in reading) problem ??= { pattern, at, problem: reading.problem }
  })
  return problem
}

/**
 * Many patterns are written for engines without the flag `u`, in which every escaped character means itself.
 */
export function readSchemaPattern(pattern: string): ReturnType<typeof compileBoundedPattern> {
  const reading = compileBoundedPattern(pattern)
  if (!("problem" in reading)) return reading
  const plain = simplify(pattern)
  const other = plain === pattern ? reading : compileBoundedPattern(plain)
  return "problem" in other ? reading : other
}

/** Removes escapes that mean only the character, and escapes brackets that end nothing. */
function simplify(pattern: string): string {
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
  return start >= 0 && /^\{\d+(?:,\d*)?\}/.test(pattern.slice(start, start + 20))
}

function visitPatterns(schema: Json, visit: (pattern: string, at: string) => void): void {
  mapSchema(schema, (node, at) => {
    if (typeof node.pattern === "string") visit(node.pattern, `${at}/pattern`)
    if (isMap(node.patternProperties))
      for (const pattern of Object.keys(node.patternProperties))
        visit(pattern, `${at}/patternProperties/${pattern}`)
    return node
  })
}

type Node = { readonly [keyword: string]: Json }

/** Changes every schema in a schema, the innermost first. Data that is not a schema stays as it is. */
export function mapSchema(schema: Json, change: (node: Node, at: string) => Node, at = ""): Json {
  if (!isMap(schema)) return schema
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const place = `${at}/${keyword}`
    if (data.has(keyword)) return [keyword, value]
    if (byName.has(keyword) && isMap(value))
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, mapSchema(inner, change, `${place}/${name}`)]),
        ),
      ]
    if (Array.isArray(value))
      return [keyword, value.map((inner: Json, index) => mapSchema(inner, change, `${place}/${index}`))]
    return [keyword, mapSchema(value, change, place)]
  })
  return change(Object.fromEntries(entries), at)
}

const data: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"])
const byName: ReadonlySet<string> = new Set([
  ...["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"],
])
