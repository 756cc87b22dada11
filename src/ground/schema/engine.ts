import { describeThrown } from "../errors.ts"
import { isMap, type Json } from "../message.ts"
import { createSearchAllowance, type SearchAllowance } from "../patterns/bounded.ts"
import { mapSchema, readSchemaPattern } from "./patterns.ts"

type Check = (value: unknown) => { value: unknown } | { problem: string }

/**
 * Checks values against a JSON Schema. The package for it would run patterns on JavaScript's engine, which
 * some patterns block forever. So it gets formats in place of patterns, and those run on our own engine.
 */
export async function createSchemaEngine(schema: { readonly [keyword: string]: Json }): Promise<Check> {
  const { Validator, format } = await import("@cfworker/json-schema")
  addFormats(format)
  const make = (keys: readonly string[]) =>
    new Validator(prepare(schema, keys) as Record<string, unknown>, "2020-12", false)
  const names = hasNamePatterns(schema)
  const reusable = names ? undefined : make([])
  return (value) => {
    current = { allowance: createSearchAllowance(), unchecked: undefined, looks: 0 }
    try {
      current.looks = looksFor(value)
      const { valid, errors } = (reusable ?? make([...keysIn(value)])).validate(value)
      if (current.unchecked !== undefined) return { problem: current.unchecked }
      return valid ? { value } : { problem: problemsIn(errors) }
    } catch (error) {
      if (error instanceof RangeError)
        return { problem: "(root): it is nested too deeply to be checked against its schema" }
      if (error instanceof Unchecked) return { problem: error.message }
      throw new Error(`A value could not be checked against its schema: ${describeThrown(error)}`, {
        cause: error,
      })
    }
  }
}

/** The state of the current check. Checks are never interrupted, so there is one at a time. */
let current: { allowance: SearchAllowance; unchecked: string | undefined; looks: number } = {
  allowance: createSearchAllowance(),
  unchecked: undefined,
  looks: 0,
}

class Unchecked extends Error {}

/**
 * The limit for looks at a value with all its content. No schema that people write has so many alternatives.
 */
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
 * Counts each look of the package at a value: it reads this keyword of every schema that it follows. If a
 * schema refers to itself in several ways, the looks double with every level of a value.
 */
const countLooks = (node: { readonly [keyword: string]: Json }): typeof node =>
  Object.defineProperty({ ...node }, "$recursiveAnchor", {
    enumerable: false,
    get: () => {
      if (current.looks-- <= 0) throw new Unchecked(tooManyLooks)
    },
  })

const patternFormat = "cadre pattern "

/**
 * Our own formats come from the prototype of the package's table, so that it needs no entry for each pattern.
 */
function addFormats(format: Record<string, (text: string) => boolean>): void {
  if (Object.hasOwn(format, patternFormat)) return
  format[patternFormat] = () => true
  // The package's own pattern for URLs takes forever on some texts.
  format.url = (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text)
  const ours = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === "string" && name.startsWith(patternFormat)
        ? (text: string) => isMatch(name.slice(patternFormat.length), text, "value")
        : undefined,
  })
  Object.setPrototypeOf(format, ours)
}

/** A value that cannot be checked never counts as valid. */
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

function prepare(schema: Json, keys: readonly string[]): Json {
  // The engine writes notes into its schema, so it gets a copy.
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
    const withProperties = withNames(rest, patternProperties, keys)
    // The package follows these without end; in a single schema both mean the same.
    const referring =
      typeof $recursiveRef === "string" ? { $ref: $recursiveRef, ...withProperties } : withProperties
    return countLooks(withFormat(referring, pattern))
  })
}

function withFormat(node: { readonly [keyword: string]: Json }, pattern: Json | undefined): typeof node {
  if (typeof pattern !== "string") return node
  const format = `${patternFormat}${pattern}`
  if (node.format === undefined) return { ...node, format }
  return { ...node, allOf: [...(Array.isArray(node.allOf) ? node.allOf : []), { format }] }
}

/** Adds the properties whose names match a pattern as named properties. */
function withNames(
  node: { readonly [keyword: string]: Json },
  patterns: Json | undefined,
  keys: readonly string[],
): typeof node {
  if (!isMap(patterns)) return node
  const properties = new Map<string, Json>(isMap(node.properties) ? Object.entries(node.properties) : [])
  for (const [pattern, schema] of Object.entries(patterns))
    for (const key of keys) {
      if (!isMatch(pattern, key, "name")) continue
      properties.set(key, properties.has(key) ? { allOf: [properties.get(key)!, schema] } : schema)
    }
  return { ...node, properties: Object.fromEntries(properties) }
}

function hasNamePatterns(schema: Json): boolean {
  let hasPatterns = false
  mapSchema(schema, (node) => {
    hasPatterns ||= isMap(node.patternProperties)
    return node
  })
  return hasPatterns
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
      `${error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".") || "(root)"}: ${messageFor(error)}`,
  )
  return [...new Set(problems)].slice(0, 20).join("; ")
}

function messageFor({ keyword, error }: Unfit): string {
  // The engine says "less than" for a number that equals the bound.
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
