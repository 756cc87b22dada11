import { isMap, type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import { type JsonSchema, schemaProblem } from "../../ground/schema/schema.ts"

/** A schema that every provider takes, with what it does not say any more; or why there is none. */
export type ToolSchema =
  | { readonly input: JsonSchema; readonly unsaid: readonly string[] }
  | { readonly why: string }

/**
 * A server's schema as every provider takes it: one object at the top, without references, and with what some of them miss
 * filled in. It takes whatever the server's own takes, as long as each argument is as one of those says that speak of it;
 * the server checks its arguments itself.
 */
export function toolSchema(given: JsonMap): ToolSchema {
  const { type } = given
  const types = Array.isArray(type) ? type : [type]
  if (type !== undefined && !types.includes("object"))
    return {
      why: `takes ${JSON.stringify(type).slice(0, 100)}, and models send an object of named arguments`,
    }
  const unsaid: string[] = []
  const plain = new Plain(given)
  const top = merged(plain.schema(given, []), unsaid)
  const properties = isMap(top.properties) ? top.properties : {}
  const odd = Object.keys(properties).find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
  if (odd !== undefined)
    return { why: `has an argument ${JSON.stringify(odd.slice(0, 100))}, which no model can name` }
  const required = Array.isArray(top.required)
    ? top.required.filter((name) => Object.hasOwn(properties, String(name)))
    : []
  const { required: _, properties: __, type: ___, ...rest } = top
  const input = { type: "object", properties, ...(required.length > 0 && { required }), ...rest } as const
  const problem = schemaProblem(input)
  if (problem === undefined) return { input, unsaid }
  const without = withoutPatterns(input) as JsonSchema
  const still = schemaProblem(without)
  return still === undefined
    ? { input: without, unsaid: [...unsaid, "patterns"] }
    : { why: `has a schema that ${still}` }
}

/** Keys of a schema that say which one of several holds: at the top no provider takes them. */
const choices = ["anyOf", "oneOf", "allOf"] as const
const conditions = ["not", "if", "then", "else", "dependentSchemas", "dependentRequired"] as const

/** One object that takes whatever any of the branches takes. */
function merged(schema: JsonMap, unsaid: string[]): JsonMap {
  let result = schema
  for (const choice of choices) {
    const branches = result[choice]
    if (branches === undefined) continue
    const { [choice]: _, ...rest } = result
    result = Array.isArray(branches) ? together(rest, branches.filter(isMap), choice === "allOf") : rest
    unsaid.push(`${choice} ${JSON.stringify(branches).slice(0, mostTold)}`)
  }
  for (const condition of conditions) {
    if (result[condition] === undefined) continue
    const { [condition]: told, ...rest } = result
    result = rest
    unsaid.push(`${condition} ${JSON.stringify(told).slice(0, mostTold)}`)
  }
  return result
}

const mostTold = 1_000

function together(base: JsonMap, given: readonly JsonMap[], isAll: boolean): JsonMap {
  const branches = given.map((branch) => merged(branch, []))
  const properties = new Map<string, readonly Json[]>()
  for (const one of [base, ...branches])
    for (const [name, schema] of Object.entries(isMap(one.properties) ? one.properties : {})) {
      const known = properties.get(name) ?? []
      const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(schema))
      properties.set(name, isKnown ? known : [...known, schema])
    }
  const demanded = branches.map(requiredOf)
  const shared = isAll
    ? demanded.flat()
    : (demanded[0] ?? []).filter((name) => demanded.every((one) => one.includes(name)))
  // What one branch forbids another may take.
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

/** Follows references where they stand, and fills in what is missing. */
class Plain {
  readonly #root: JsonMap
  #left = mostNodes

  constructor(root: JsonMap) {
    this.#root = root
  }

  schema(given: JsonMap, open: readonly string[]): JsonMap {
    this.#left--
    // It goes round in circles, or has no end: from here on anything is taken.
    if (this.#left < 0 || open.length > deepest) return {}
    const { $ref, ...own } = given
    if (typeof $ref !== "string") return this.#filled(own, open)
    const target = open.includes($ref) ? undefined : this.#target($ref)
    const followed = target ? this.schema(target, [...open, $ref]) : {}
    const beside = this.#filled(own, open, "none")
    const properties = { ...mapOf(followed.properties), ...mapOf(beside.properties) }
    return { ...followed, ...beside, ...(Object.keys(properties).length > 0 && { properties }) }
  }

  #filled(given: JsonMap, open: readonly string[], items: "added" | "none" = "added"): JsonMap {
    const entries = Object.entries(given).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (dropped.has(key)) return []
      if (maps.has(key) && isMap(value)) return [[key, this.#map(value, open)]]
      if (lists.has(key) && Array.isArray(value))
        return [[key, value.flatMap((one) => this.#value(one, open))]]
      if (singles.has(key)) {
        // As a list it says what each place holds, which few providers know.
        const one = Array.isArray(value) ? [{}] : this.#value(value, open, key)
        return one.length === 0 ? [] : [[key, one[0]!]]
      }
      return [[key, value]]
    })
    const filled = Object.fromEntries(entries)
    const isArray = filled.type === "array" || (Array.isArray(filled.type) && filled.type.includes("array"))
    return isArray && items === "added" && filled.items === undefined ? { ...filled, items: {} } : filled
  }

  #map(given: JsonMap, open: readonly string[]): JsonMap {
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        this.#value(value, open).map((one) => [name, one] as const),
      ),
    )
  }

  /** `true` takes anything, and `false` nothing. */
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
      const key = decoded(name)
      at = isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined
    }
    return isMap(at) ? at : undefined
  }
}

const mostNodes = 5_000
const deepest = 40

const dropped: ReadonlySet<string> = new Set(
  "$schema $id $anchor $dynamicRef $dynamicAnchor $comment $defs definitions $vocabulary".split(" "),
)
const maps: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"])
const lists: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const singles: ReadonlySet<string> = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedProperties unevaluatedItems".split(
    " ",
  ),
)

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")
  } catch {
    return name
  }
}

/** A property may well be called so: only what stands in a schema is one. */
function withoutPatterns(given: Json): Json {
  if (Array.isArray(given)) return given.map(withoutPatterns)
  if (!isMap(given)) return given
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      if (key === "pattern" && typeof value === "string") return []
      if (key === "patternProperties") return []
      return [[key, withoutPatterns(value)] as const]
    }),
  )
}
