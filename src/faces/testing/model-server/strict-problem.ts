import type { Json } from "../../../ground/message.ts"
import { findFirstProblem, isRecord } from "./protocol.ts"

/** Finds the problem that OpenAI would have with a `strict` function. It supports only a small part of JSON Schema. */
export function findStrictProblem(schema: Json): string | undefined {
  if (!isRecord(schema) || schema.type !== "object" || "anyOf" in schema)
    return "schema must be a JSON Schema of 'type: \"object\"', got something else."
  const total = { properties: 0, values: 0, length: 0 }
  const definitions = [schema.$defs, schema.definitions].filter(isRecord)
  const { $schema: _, $defs: __, definitions: ___, ...root } = schema
  const places: readonly (readonly [string, Json])[] = [
    ["()", root],
    ...definitions.flatMap((named) => Object.entries(named)),
  ]
  for (const [name, place] of places) {
    const problem = problemIn(place, { at: name, depth: 0, total, definitions })
    if (problem) return `In context=${problem}`
  }
  if (total.properties > 5_000) return `${total.properties} object properties exceed the limit of 5000.`
  if (total.values > 1_000) return `${total.values} enum values exceed the limit of 1000.`
  if (total.length > 120_000) return `a total string length of ${total.length} exceeds the limit of 120000.`
  return undefined
}

interface Walk {
  readonly at: string
  readonly depth: number
  readonly total: { properties: number; values: number; length: number }
  readonly definitions: readonly Record<string, Json>[]
}

const permitted: ReadonlySet<string> = new Set([
  ...["type", "title", "description", "enum", "const", "anyOf", "$ref"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
  ...["pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
])

const knownFormats: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
)

function problemIn(schema: Json | undefined, walk: Walk): string | undefined {
  const { at, depth, total } = walk
  if (!isRecord(schema)) return `${at}, a schema must be an object.`
  const odd = Object.keys(schema).find((key) => !permitted.has(key))
  if (odd !== undefined) return `${at}, '${odd}' is not permitted.`
  if (schema.$ref !== undefined) return referenceProblem(schema, walk)
  if (schema.anyOf !== undefined) return choiceProblem(schema.anyOf, walk)
  if (schema.type === undefined) return `${at}, schema must have a 'type' key.`
  if (schema.format !== undefined && !knownFormats.has(schema.format))
    return `${at}, '${schema.format}' is not a valid format.`
  if (typeof schema.pattern === "string" && /\(\?[=!<]/.test(schema.pattern))
    return `${at}, lookaround in 'pattern' is not supported.`
  const values = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : []
  const length = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  if (values.length > 250 && length > 15_000) return `${at}, an enum of ${values.length} values is too long.`
  total.values += values.length
  total.length += length + (typeof schema.const === "string" ? schema.const.length : 0)
  const types: readonly Json[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes("array")) {
    const problem =
      schema.items === undefined
        ? `${at}, array schema missing items.`
        : problemIn(schema.items, { ...walk, at: `${at}.items` })
    if (problem) return problem
  }
  return types.includes("object") ? objectProblem(schema, { ...walk, depth: depth + 1 }) : undefined
}

function objectProblem(schema: Record<string, Json>, walk: Walk): string | undefined {
  const { at, depth, total } = walk
  if (depth > 10) return `${at}, ${depth} levels of nesting exceed the limit of 10.`
  if (schema.additionalProperties !== false)
    return `${at}, 'additionalProperties' is required to be supplied and to be false.`
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : []
  const missing = names.find((name) => !required.includes(name))
  if (missing !== undefined || required.length !== names.length || !isRecord(schema.properties))
    return `${at}, 'required' is required to be supplied and to be an array including every key in properties. ${missing === undefined ? "Extra keys" : `Missing '${missing}'`}.`
  total.properties += names.length
  total.length += names.reduce((sum, name) => sum + name.length, 0)
  return findFirstProblem(names, (name) => problemIn(properties[name], { ...walk, at: `${at}.${name}` }))
}

function choiceProblem(choices: Json, walk: Walk): string | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return `${walk.at}, 'anyOf' must be a non-empty list.`
  const keys = choices.flatMap((choice) =>
    isRecord(choice) && isRecord(choice.properties) ? [Object.keys(choice.properties)[0]] : [],
  )
  if (new Set(keys).size < keys.length)
    return `${walk.at}, objects provided via 'anyOf' must not share identical first keys.`
  return findFirstProblem(choices as readonly Json[], (choice, index) =>
    problemIn(choice, { ...walk, at: `${walk.at}.anyOf[${index}]` }),
  )
}

function referenceProblem(schema: Record<string, Json>, { at, definitions }: Walk): string | undefined {
  if (Object.keys(schema).length > 1) return `${at}, $ref cannot have keywords beside it.`
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(String(schema.$ref))?.[1]
  const isThere = name !== undefined && definitions.some((named) => Object.hasOwn(named, name))
  return schema.$ref === "#" || isThere ? undefined : `${at}, reference '${schema.$ref}' cannot be resolved.`
}
