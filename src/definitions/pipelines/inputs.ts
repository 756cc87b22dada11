import type { Agent } from "../../agent/agent.ts"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { createValidator, type JsonSchema } from "../../ground/schema/schema.ts"

/**
 * Reads the inputs of a pipeline as a schema. They are written as a JSON Schema of an object, or by name. Each name has a
 * schema or a type: `string`, `number?` for an optional input, `string[]` for a list.
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
        message: `must be a JSON Schema or one of ${types.join(", ")}, with \`[]\` for a list and \`?\` for an optional input`,
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

/** True if the default does not fit the type. Every task without this input would be refused. */
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

/** Throws INPUT_INVALID if a task does not contain the inputs of a pipeline. */
export async function checkTask(agent: Agent, task: string): Promise<void> {
  const schema = agent.pipeline?.inputs
  if (!schema) return
  const inputs = readTaskInputs(schema, task)
  const checked = inputs ? await createValidator(schema)(inputs) : undefined
  if (checked && "value" in checked) return
  const { properties } = schema
  const knownInputs = Object.keys(isMap(properties) ? properties : {})
  const unknown = Object.keys(inputs ?? {}).find((name) => !knownInputs.includes(name))
  const why = !inputs
    ? "it is not a JSON object"
    : unknown !== undefined && schema.additionalProperties === false
      ? `there is no input ${JSON.stringify(unknown)}. ${listKnownNames(unknown, knownInputs).replace(/\.$/, "")}`
      : (checked as { problem: string }).problem.replace(/\.$/, "")
  throw new CadreError(
    "INPUT_INVALID",
    `The task does not contain the inputs of the pipeline "${agent.name}": ${why}. The task must be ${describeInputs(schema)}.`,
  )
}

/** The inputs in a task: a JSON object, or the text of the only input. Undefined: neither fits. */
export function readTaskInputs(schema: JsonSchema | undefined, task: string): JsonMap | undefined {
  if (!schema) return {}
  const properties = isMap(schema.properties) ? schema.properties : {}
  const defaults = Object.entries(properties).flatMap(([name, type]) =>
    isMap(type) && type.default !== undefined ? [[name, type.default] as const] : [],
  )
  const taskObject = objectIn(task)
  if (taskObject) return { ...Object.fromEntries(defaults), ...taskObject }
  const name = textInput(schema, properties)
  return name === undefined ? undefined : { ...Object.fromEntries(defaults), [name]: task }
}

/** The only required input, or else the only input, if it is a text. */
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

/** Describes in words what a task must be. */
export function describeInputs(schema: JsonSchema): string {
  const properties = isMap(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(properties).map(
    ([name, type]) => `${name}${required.includes(name) ? "" : "?"}: ${describeType(type)}`,
  )
  const object = `a JSON object {${fields.join(", ")}}`
  const text = textInput(schema, properties)
  return text === undefined ? object : `${object}, or the text of ${text}`
}

const describeType = (type: Json): string =>
  isMap(type) && typeof type.type === "string"
    ? type.type === "array" && isMap(type.items) && typeof type.items.type === "string"
      ? `${type.items.type}[]`
      : type.type
    : "any"
