import type { Json } from "../../../ground/message.ts"
import { findFirstProblem, isRecord } from "./protocol.ts"

/** Finds the problem that Anthropic would have with the `strict` tools of a request. Uses its own messages where known. */
export function findAnthropicStrictProblem(
  tools: readonly Record<string, Json>[],
  model: Json | undefined,
): string | undefined {
  const strict = [...tools.entries()].filter(([, tool]) => tool.strict === true)
  if (strict.length === 0) return undefined
  if (older.test(String(model))) return `'${model}' does not support strict tools.`
  if (strict.length > 20)
    return `Too many strict tools (${strict.length}). The maximum number of strict tools supported is 20.`
  const total = { optional: 0, unions: 0 }
  return (
    findFirstProblem(strict, ([index, { input_schema: schema }]) => {
      const problem = problemIn(schema, { root: schema, above: [], total })
      return problem && `tools.${index}.custom: ${problem}`
    }) ?? totalProblem(total)
  )
}

/** Models before 4.5, which have no strict tools. */
const older = /^claude-(?:[123]|instant|(?:opus|sonnet)-4(?:-[01])?(?:-\d{8})?$)/

const totalProblem = ({ optional, unions }: Walk["total"]): string | undefined => {
  if (optional > 24)
    return `Schemas contains too many optional parameters (${optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).`
  return unions > 16
    ? `Schemas contains too many parameters with union types (${unions} parameters with type arrays or anyOf). Reduce the number of them (limit: 16 parameters with unions).`
    : undefined
}

interface Walk {
  readonly root: Json | undefined
  /** The references that lead to this schema. */
  readonly above: readonly string[]
  readonly total: { optional: number; unions: number }
}

const everywhere = [
  "type",
  "title",
  "description",
  "enum",
  "const",
  "default",
  "$schema",
  "$defs",
  "definitions",
]
const supported: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "pattern"],
  array: ["items", "minItems"],
  object: ["properties", "required", "additionalProperties"],
}

function problemIn(schema: Json | undefined, walk: Walk): string | undefined {
  if (!isRecord(schema)) return "Invalid schema: an object is required."
  if (schema.$ref !== undefined) return referenceProblem(String(schema.$ref), walk)
  const several = schema.anyOf ?? schema.allOf
  if (several !== undefined)
    return choiceProblem(several, schema.anyOf === undefined ? "allOf" : "anyOf", walk)
  const types: readonly Json[] = Array.isArray(schema.type) ? schema.type : [schema.type ?? null]
  if (schema.type === undefined && schema.enum === undefined && schema.const === undefined)
    return "Invalid schema: a type is required."
  if (Array.isArray(schema.type)) walk.total.unions++
  const allowedKeys = [...everywhere, ...types.flatMap((type) => supported[String(type)] ?? [])]
  const odd = Object.keys(schema).find((key) => !allowedKeys.includes(key))
  if (odd !== undefined) return `For '${types.join(", ")}' type, property '${odd}' is not supported`
  return (
    valueProblem(schema) ??
    textProblem(schema) ??
    (types.includes("array") ? arrayProblem(schema, walk) : undefined) ??
    (types.includes("object") ? objectProblem(schema, walk) : undefined)
  )
}

function objectProblem(schema: Record<string, Json>, walk: Walk): string | undefined {
  if (schema.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false"
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : []
  const names = Object.keys(properties)
  const unknown = required.find((name) => !names.includes(String(name)))
  if (unknown !== undefined) return `Invalid schema: required names '${unknown}', which is no property.`
  walk.total.optional += names.filter((name) => !required.includes(name)).length
  return findFirstProblem(names, (name) => problemIn(properties[name], walk))
}

function arrayProblem({ items, minItems }: Record<string, Json>, walk: Walk): string | undefined {
  if (minItems !== undefined && minItems !== 0 && minItems !== 1)
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
  return items === undefined ? undefined : problemIn(items, walk)
}

function valueProblem({ type, enum: choices, const: constant }: Record<string, Json>): string | undefined {
  const values = [
    ...(Array.isArray(choices) ? (choices as readonly Json[]) : []),
    ...(constant === undefined ? [] : [constant]),
  ]
  return findFirstProblem(values, (value) => {
    if (typeof value === "object" && value !== null)
      return "Invalid schema: complex types in 'enum' are not supported"
    const own = value === null ? "null" : typeof value
    const fits = type === undefined || type === own || (type === "integer" && Number.isInteger(value))
    return fits
      ? undefined
      : `Invalid schema: Enum value '${value}' does not match declared type '${JSON.stringify(type)}'`
  })
}

const formats = "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" ")

function textProblem({ format, pattern }: Record<string, Json>): string | undefined {
  if (format !== undefined && !formats.includes(String(format)))
    return `For 'string' type, format '${format}' is not supported`
  return typeof pattern === "string" && /\(\?[=!<]|\\[bB1-9]/.test(pattern)
    ? `For 'string' type, the pattern '${pattern}' is not supported`
    : undefined
}

function choiceProblem(choices: Json, key: "anyOf" | "allOf", walk: Walk): string | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return `'${key}' must be a non-empty list`
  if (key === "anyOf") walk.total.unions++
  return findFirstProblem(choices as readonly Json[], (choice) =>
    key === "allOf" && isRecord(choice) && choice.$ref !== undefined
      ? "'allOf' with '$ref' is not supported"
      : problemIn(choice, walk),
  )
}

function referenceProblem(reference: string, { root, above, total }: Walk): string | undefined {
  if (!reference.startsWith("#")) return `External reference '${reference}' is not supported`
  if (reference === "#" || above.includes(reference))
    return `Recursive reference '${reference}' is not supported`
  const target = reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((place, key) => (isRecord(place) ? place[key] : undefined), root)
  return problemIn(target, { root, above: [...above, reference], total })
}
