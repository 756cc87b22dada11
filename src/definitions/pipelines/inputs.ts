import type { Agent } from "../../agent/agent.ts"
import { CadreError, knownNames } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type JsonSchema, validator } from "../../ground/schema/schema.ts"

/**
 * The schema of a pipeline's inputs, however it is written: a JSON Schema of an object, or by name a type (`string`,
 * `number?` for one that may be left out, `string[]` for a list) or a schema.
 */
export function readInputs(
  written: JsonMap,
): { readonly schema: JsonSchema } | { readonly problems: readonly { name: string; message: string }[] } {
  if (written.type === "object" && isMap(written.properties)) return { schema: written }
  const problems: { name: string; message: string }[] = []
  const properties: { [name: string]: Json } = {}
  const required: string[] = []
  for (const [name, type] of Object.entries(written)) {
    const schema = isMap(type) ? type : typeof type === "string" ? readType(type) : undefined
    if (!schema)
      problems.push({
        name,
        message: `must be a JSON Schema or one of ${types.join(", ")}, with \`[]\` for a list of them and \`?\` where it may be left out`,
      })
    else if (isMisfit(schema))
      problems.push({ name, message: `has a default that is not of its type, ${schema.type}` })
    else {
      properties[name] = schema
      if (schema.default === undefined && !(typeof type === "string" && type.trim().endsWith("?")))
        required.push(name)
    }
  }
  if (problems.length > 0) return { problems }
  return { schema: { type: "object", properties, required, additionalProperties: false } }
}

const types = ["string", "number", "integer", "boolean", "object", "array"]

/** With such a default every task that leaves the input out is refused. */
function isMisfit({ type, default: value }: JsonSchema): boolean {
  if (value === undefined || typeof type !== "string" || !types.includes(type)) return false
  if (type === "integer") return !Number.isInteger(value)
  return type !== (Array.isArray(value) ? "array" : typeof value)
}

function readType(text: string): JsonSchema | undefined {
  const [, type, list] = /^([a-z]+)(\[\])?\??$/.exec(text.trim()) ?? []
  if (type === undefined || !types.includes(type)) return undefined
  return list ? { type: "array", items: { type } } : { type }
}

/** Throws INPUT_INVALID where a task does not give the inputs of a pipeline. */
export async function checkTask(agent: Agent, task: string): Promise<void> {
  const schema = agent.pipeline?.inputs
  if (!schema) return
  const inputs = inputsOf(schema, task)
  const checked = inputs ? await validator(schema)(inputs) : undefined
  if (checked && "value" in checked) return
  const { properties } = schema
  const known = Object.keys(isMap(properties) ? properties : {})
  const unknown = Object.keys(inputs ?? {}).find((name) => !known.includes(name))
  const why = !inputs
    ? "it is no JSON object"
    : unknown !== undefined && schema.additionalProperties === false
      ? `there is no input ${JSON.stringify(unknown)}. ${knownNames(unknown, known).replace(/\.$/, "")}`
      : (checked as { problem: string }).problem.replace(/\.$/, "")
  throw new CadreError(
    "INPUT_INVALID",
    `The task does not give the inputs of the pipeline "${agent.name}": ${why}. Its task is ${describeInputs(schema)}.`,
  )
}

/** What a task gives: an object, or, where there is one text to give, that. Undefined: neither. */
export function inputsOf(schema: JsonSchema | undefined, task: string): JsonMap | undefined {
  if (!schema) return {}
  const properties = isMap(schema.properties) ? schema.properties : {}
  const defaults = Object.entries(properties).flatMap(([name, type]) =>
    isMap(type) && type.default !== undefined ? [[name, type.default] as const] : [],
  )
  const given = objectIn(task)
  if (given) return { ...Object.fromEntries(defaults), ...given }
  const name = textInput(schema, properties)
  return name === undefined ? undefined : { ...Object.fromEntries(defaults), [name]: task }
}

/** The one input that must be given, or the only one that there is, where it is a text. */
function textInput({ required }: JsonSchema, properties: JsonMap): string | undefined {
  const needed = Array.isArray(required) ? (required as readonly string[]) : []
  const [only, ...more] = needed.length > 0 ? needed : Object.keys(properties)
  if (only === undefined || more.length > 0) return undefined
  const type = properties[only]
  return !isMap(type) || type.type === undefined || type.type === "string" ? only : undefined
}

function objectIn(task: string): JsonMap | undefined {
  if (!/^\s*\{/.test(task)) return undefined
  try {
    const value = JSON.parse(task) as Json
    return isMap(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a task must be, in words. */
export function describeInputs(schema: JsonSchema): string {
  const properties = isMap(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const named = Object.entries(properties).map(
    ([name, type]) => `${name}${required.includes(name) ? "" : "?"}: ${describeType(type)}`,
  )
  const object = `a JSON object {${named.join(", ")}}`
  const text = textInput(schema, properties)
  return text === undefined ? object : `${object}, or the text of ${text}`
}

const describeType = (type: Json): string =>
  isMap(type) && typeof type.type === "string"
    ? type.type === "array" && isMap(type.items) && typeof type.items.type === "string"
      ? `${type.items.type}[]`
      : type.type
    : "any"
