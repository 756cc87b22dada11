import { isMap, type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import { findSchemaProblem, type JsonSchema } from "../../ground/schema/schema.ts"

/** A schema that every provider accepts, with the constraints that it had to drop; or the reason why there is none. */
export type ServerToolSchema =
  | { readonly input: JsonSchema; readonly omitted: readonly string[] }
  | { readonly why: string }

/**
 * Rewrites a server's schema for every provider: one object at the top, no references, missing parts filled in. The
 * result may accept more than the server's schema does, because the server checks its arguments itself.
 */
export function rewriteToolSchema(source: JsonMap): ServerToolSchema {
  const { type } = source
  const types = Array.isArray(type) ? type : [type]
  if (type !== undefined && !types.includes("object"))
    return {
      why: `takes ${JSON.stringify(type).slice(0, 100)}, but models can only send an object of named arguments`,
    }
  const omitted: string[] = []
  const reader = new SchemaReader(source)
  const top = mergeBranches(reader.schema(source, []), omitted)
  const properties = isMap(top.properties) ? top.properties : {}
  const invalidName = Object.keys(properties).find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
  if (invalidName !== undefined)
    return {
      why: `has an argument named ${JSON.stringify(invalidName.slice(0, 100))}, which providers do not accept`,
    }
  const required = Array.isArray(top.required)
    ? top.required.filter((name) => Object.hasOwn(properties, String(name)))
    : []
  const { required: _, properties: __, type: ___, ...rest } = top
  const input = { type: "object", properties, ...(required.length > 0 && { required }), ...rest } as const
  const problem = findSchemaProblem(input)
  if (problem === undefined) return { input, omitted: omitted }
  const relaxed = withoutPatterns(input) as JsonSchema
  const remainingProblem = findSchemaProblem(relaxed)
  return remainingProblem === undefined
    ? { input: relaxed, omitted: [...omitted, "patterns"] }
    : { why: `has a schema that ${remainingProblem}` }
}

/** Keys that combine several schemas. No provider accepts them at the top. */
const choices = ["anyOf", "oneOf", "allOf"] as const
const conditions = ["not", "if", "then", "else", "dependentSchemas", "dependentRequired"] as const

/** Merges the branches into one object schema that accepts everything that any branch accepts. */
function mergeBranches(schema: JsonMap, omitted: string[]): JsonMap {
  let result = schema
  for (const choice of choices) {
    const branches = result[choice]
    if (branches === undefined) continue
    const { [choice]: _, ...rest } = result
    result = Array.isArray(branches) ? combine(rest, branches.filter(isMap), choice === "allOf") : rest
    omitted.push(`${choice} ${JSON.stringify(branches).slice(0, maxNoteLength)}`)
  }
  for (const condition of conditions) {
    if (result[condition] === undefined) continue
    const { [condition]: constraint, ...rest } = result
    result = rest
    omitted.push(`${condition} ${JSON.stringify(constraint).slice(0, maxNoteLength)}`)
  }
  return result
}

const maxNoteLength = 1_000

function combine(base: JsonMap, alternatives: readonly JsonMap[], isAll: boolean): JsonMap {
  const branches = alternatives.map((branch) => mergeBranches(branch, []))
  const properties = new Map<string, readonly Json[]>()
  for (const one of [base, ...branches])
    for (const [name, schema] of Object.entries(isMap(one.properties) ? one.properties : {})) {
      const schemas = properties.get(name) ?? []
      const isListed = schemas.some((other) => JSON.stringify(other) === JSON.stringify(schema))
      properties.set(name, isListed ? schemas : [...schemas, schema])
    }
  const requiredLists = branches.map(requiredOf)
  const shared = isAll
    ? requiredLists.flat()
    : (requiredLists[0] ?? []).filter((name) => requiredLists.every((one) => one.includes(name)))
  // A property that one branch forbids may be allowed by another.
  const { additionalProperties: _, ...rest } = base
  return {
    ...rest,
    properties: Object.fromEntries(
      [...properties].map(([name, all]) => [name, all.length === 1 ? all[0]! : { anyOf: all }]),
    ),
    required: [...new Set([...requiredOf(base), ...shared])],
  }
}

const requiredOf = ({ required }: JsonMap): readonly string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : []

/** Replaces references by their targets, and fills in missing parts. */
class SchemaReader {
  readonly #root: JsonMap
  #remainingNodes = mostNodes

  constructor(root: JsonMap) {
    this.#root = root
  }

  schema(source: JsonMap, open: readonly string[]): JsonMap {
    this.#remainingNodes--
    // The schema is recursive or too large. From here on everything is accepted.
    if (this.#remainingNodes < 0 || open.length > deepest) return {}
    const { $ref, ...own } = source
    if (typeof $ref !== "string") return this.#fill(own, open)
    const target = open.includes($ref) ? undefined : this.#target($ref)
    const followed = target ? this.schema(target, [...open, $ref]) : {}
    const beside = this.#fill(own, open, "none")
    const properties = { ...mapOf(followed.properties), ...mapOf(beside.properties) }
    return { ...followed, ...beside, ...(Object.keys(properties).length > 0 && { properties }) }
  }

  #fill(source: JsonMap, open: readonly string[], items: "added" | "none" = "added"): JsonMap {
    const entries = Object.entries(source).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (droppedKeys.has(key)) return []
      if (mapKeys.has(key) && isMap(value)) return [[key, this.#map(value, open)]]
      if (listKeys.has(key) && Array.isArray(value))
        return [[key, value.flatMap((one) => this.#value(one, open))]]
      if (schemaKeys.has(key)) {
        // A list gives one schema for each position, which few providers support.
        const one = Array.isArray(value) ? [{}] : this.#value(value, open, key)
        return one.length === 0 ? [] : [[key, one[0]!]]
      }
      return [[key, value]]
    })
    const filled = Object.fromEntries(entries)
    const isArray = filled.type === "array" || (Array.isArray(filled.type) && filled.type.includes("array"))
    return isArray && items === "added" && filled.items === undefined ? { ...filled, items: {} } : filled
  }

  #map(source: JsonMap, open: readonly string[]): JsonMap {
    return Object.fromEntries(
      Object.entries(source).flatMap(([name, value]) =>
        this.#value(value, open).map((one) => [name, one] as const),
      ),
    )
  }

  /** As a schema, `true` accepts everything and `false` nothing. */
  #value(value: Json, open: readonly string[], key?: string): readonly Json[] {
    if (isMap(value)) return [this.schema(value, [...open, ""])]
    if (key === "additionalProperties" && typeof value === "boolean") return [value]
    return value === true ? [{}] : []
  }

  #target(reference: string): JsonMap | undefined {
    if (reference === "#") return this.#root
    if (!reference.startsWith("#/")) return undefined
    let at: Json | undefined = this.#root
    for (const name of reference.slice(2).split("/")) {
      const key = decode(name)
      at = isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined
    }
    return isMap(at) ? at : undefined
  }
}

const mostNodes = 5_000
const deepest = 40

const droppedKeys: ReadonlySet<string> = new Set(
  "$schema $id $anchor $dynamicRef $dynamicAnchor $comment $defs definitions $vocabulary".split(" "),
)
const mapKeys: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"])
const listKeys: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const schemaKeys: ReadonlySet<string> = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedProperties unevaluatedItems".split(
    " ",
  ),
)

function decode(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")
  } catch {
    return name
  }
}

/** Removes `pattern` keys. A value that is not a string belongs to a property named `pattern`, which stays. */
function withoutPatterns(source: Json): Json {
  if (Array.isArray(source)) return source.map(withoutPatterns)
  if (!isMap(source)) return source
  return Object.fromEntries(
    Object.entries(source).flatMap(([key, value]) => {
      if (key === "pattern" && typeof value === "string") return []
      if (key === "patternProperties") return []
      return [[key, withoutPatterns(value)] as const]
    }),
  )
}
