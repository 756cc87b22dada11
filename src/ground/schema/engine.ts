import { messageOf } from "../errors.ts"
import { isMap, type Json } from "../message.ts"
import { type Allowance, wholeAllowance } from "../patterns/bounded.ts"
import { mapSchema, readSchemaPattern } from "./patterns.ts"

type Check = (value: unknown) => { value: unknown } | { problem: string }

/**
 * Checks values against a JSON Schema. The package that does it would run patterns on the engine of JavaScript, which some
 * patterns block for ever: it is given formats in place of them, and those run on an engine of our own.
 */
export async function schemaEngine(schema: { readonly [keyword: string]: Json }): Promise<Check> {
  const { Validator, format } = await import("@cfworker/json-schema")
  addFormats(format)
  const make = (keys: readonly string[]) =>
    new Validator(prepared(schema, keys) as Record<string, unknown>, "2020-12", false)
  const names = hasNamePatterns(schema)
  const standing = names ? undefined : make([])
  return (value) => {
    current = { allowance: wholeAllowance(), unchecked: undefined, looks: 0 }
    try {
      current.looks = looksFor(value)
      const { valid, errors } = (standing ?? make([...keysIn(value)])).validate(value)
      if (current.unchecked !== undefined) return { problem: current.unchecked }
      return valid ? { value } : { problem: problemsIn(errors) }
    } catch (error) {
      if (error instanceof RangeError)
        return { problem: "(root): it is nested too deeply to be checked against its schema" }
      if (error instanceof Unchecked) return { problem: error.message }
      throw new Error(`A value could not be checked against its schema: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
}

/** What one check has used and met. Checks are never interrupted, so there is one at a time. */
let current: { allowance: Allowance; unchecked: string | undefined; looks: number } = {
  allowance: wholeAllowance(),
  unchecked: undefined,
  looks: 0,
}

class Unchecked extends Error {}

/** How often a value, with all that is in it, may be looked at: so many alternatives has no schema that people write. */
const looksFor = (value: unknown): number => 50_000 + 100 * valuesIn(value)

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1
  let count = 1
  for (const inner of Object.values(value)) count += valuesIn(inner)
  return count
}

const tooManyLooks =
  "(root): it cannot be checked against its schema in reasonable time, because the schema has several ways to read each level of it. Give a value that is nested less deeply"

/**
 * Counts each look of the package at a value: it reads this keyword of every schema that it follows. Where a schema refers to
 * itself in several ways, the looks double with every level of a value.
 */
const counted = (node: { readonly [keyword: string]: Json }): typeof node =>
  Object.defineProperty({ ...node }, "$recursiveAnchor", {
    enumerable: false,
    get: () => {
      if (current.looks-- <= 0) throw new Unchecked(tooManyLooks)
    },
  })

const patternFormat = "cadre pattern "

/** Our own formats come from behind the package's table, so that there is no entry for each pattern ever seen. */
function addFormats(format: Record<string, (text: string) => boolean>): void {
  if (Object.hasOwn(format, patternFormat)) return
  format[patternFormat] = () => true
  // The package's pattern for them takes for ever on some texts.
  format.url = (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text)
  const ours = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === "string" && name.startsWith(patternFormat)
        ? (text: string) => isMatch(name.slice(patternFormat.length), text, "value")
        : undefined,
  })
  Object.setPrototypeOf(format, ours)
}

/** What cannot be checked is never taken for right. */
function isMatch(pattern: string, text: string, what: "value" | "name"): boolean {
  const reading = readSchemaPattern(pattern)
  const answer = "problem" in reading ? "unknown" : reading.pattern.find(text, current.allowance)
  if (answer !== "unknown") return answer === "yes"
  const why =
    "problem" in reading
      ? reading.problem
      : `a ${what} of ${text.length} characters takes too long to check. Give shorter ones`
  current.unchecked ??= `the pattern ${JSON.stringify(pattern)} of its schema cannot be followed: ${why}`
  if (what === "name") throw new Unchecked(current.unchecked)
  return false
}

function prepared(schema: Json, keys: readonly string[]): Json {
  // The engine writes notes of its own into the schema it is given: this is a copy.
  return mapSchema(structuredClone(schema), (node) => {
    const {
      pattern,
      patternProperties,
      $recursiveRef,
      $recursiveAnchor,
      default: _,
      examples,
      example,
      ...rest
    } = node
    const named = withNames(rest, patternProperties, keys)
    // The package follows these without end; in a single schema both mean the same.
    const referring = typeof $recursiveRef === "string" ? { $ref: $recursiveRef, ...named } : named
    return counted(withFormat(referring, pattern))
  })
}

function withFormat(node: { readonly [keyword: string]: Json }, pattern: Json | undefined): typeof node {
  if (typeof pattern !== "string") return node
  const format = `${patternFormat}${pattern}`
  if (node.format === undefined) return { ...node, format }
  return { ...node, allOf: [...(Array.isArray(node.allOf) ? node.allOf : []), { format }] }
}

/** The properties of a value whose names match a pattern, as properties that are named. */
function withNames(
  node: { readonly [keyword: string]: Json },
  patterns: Json | undefined,
  keys: readonly string[],
): typeof node {
  if (!isMap(patterns)) return node
  const named = new Map<string, Json>(isMap(node.properties) ? Object.entries(node.properties) : [])
  for (const [pattern, schema] of Object.entries(patterns))
    for (const key of keys) {
      if (!isMatch(pattern, key, "name")) continue
      named.set(key, named.has(key) ? { allOf: [named.get(key)!, schema] } : schema)
    }
  return { ...node, properties: Object.fromEntries(named) }
}

function hasNamePatterns(schema: Json): boolean {
  let found = false
  mapSchema(schema, (node) => {
    found ||= isMap(node.patternProperties)
    return node
  })
  return found
}

/** The names of all properties in a value, at any depth. */
function keysIn(value: unknown, keys = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return keys
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) keys.add(key)
    keysIn(inner, keys)
  }
  return keys
}

interface Unfit {
  readonly keyword: string
  readonly error: string
  readonly instanceLocation: string
}

/** The engine also reports every enclosing keyword; only the innermost findings say what to change. */
function problemsIn(errors: readonly Unfit[]): string {
  const inner = errors.filter((error) => !enclosing.has(error.keyword))
  const problems = (inner.length > 0 ? inner : errors).map(
    (error) =>
      `${error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".") || "(root)"}: ${worded(error)}`,
  )
  return [...new Set(problems)].slice(0, 20).join("; ")
}

function worded({ keyword, error }: Unfit): string {
  // The engine says of a number that is just the bound that it is less than it.
  if (keyword === "exclusiveMinimum") return error.replace("less than", "less than or equal to")
  return keyword === "format" ? error.replace(`format "${patternFormat}`, 'pattern "') : error
}

const enclosing = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
  "$ref",
  "additionalItems",
])
