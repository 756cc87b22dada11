import type { StandardSchemaV1 } from "@standard-schema/spec"
import { CadreError } from "./errors.ts"
import type { Json } from "./message.ts"
import { patternProblem, readablePatterns } from "./schema-patterns.ts"

/** A JSON Schema, as data. Never compiled to code: definitions come from files nobody has vouched for. */
export type JsonSchema = { readonly [key: string]: Json }

/** Checks a value and says what is wrong in words a model can act on. */
export type Validate = (value: unknown) => Promise<{ value: unknown } | { problem: string }>

/** A schema library's object (Standard Schema) that can also say itself as JSON Schema. */
export interface JsonStandardSchema<Value = unknown> extends StandardSchemaV1<unknown, Value> {
  readonly "~standard": StandardSchemaV1.Props<unknown, Value> & {
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> }
  }
}

/** One that takes arguments under other names, too: each with the name that the tool itself has for it. */
export interface AliasedSchema<Value = unknown> extends JsonStandardSchema<Value> {
  readonly aliases: Readonly<Record<string, string>>
}

/** The JSON Schema of whatever a tool's input, or an agent's result, was declared with. */
export function toJsonSchema(
  owner: string,
  given: JsonSchema | JsonStandardSchema,
  what: "input" | "result" = "input",
): JsonSchema {
  if (!("~standard" in given)) return requirePatterns(owner, given as JsonSchema, what)
  const standard = (given as JsonStandardSchema)["~standard"]
  if (!standard.jsonSchema)
    throw new CadreError(
      what === "input" ? "TOOL_INVALID" : "AGENT_INVALID",
      `${owner}: its ${what} schema (${standard.vendor}) cannot say itself as JSON Schema, so no model could be told about it. ` +
        "Use a schema library that implements Standard JSON Schema (zod >= 4.2, valibot with its adapter, arktype >= 2.1.28), or pass a JSON Schema object.",
    )
  return standard.jsonSchema.input({ target: "draft-2020-12" }) as JsonSchema
}

/** A pattern that nobody can read would have every value refused, and its writer blamed. */
function requirePatterns(owner: string, schema: JsonSchema, what: "input" | "result"): JsonSchema {
  const problem = patternProblem(schema)
  if (problem === undefined) return schema
  throw new CadreError(
    what === "input" ? "TOOL_INVALID" : "AGENT_INVALID",
    `${owner}: the pattern ${JSON.stringify(problem.pattern)} in its ${what} schema is no regular expression (at ${problem.at}), so no value could be checked against it. Mend it, or leave it out.`,
  )
}

/** A validator for a schema. The JSON Schema engine loads at the first check, not at import. */
export function validator(input: JsonSchema | JsonStandardSchema): Validate {
  if ("~standard" in input) return (value) => standardCheck(input as JsonStandardSchema, value)
  let check: ((value: unknown) => { value: unknown } | { problem: string }) | undefined
  return async (value) => {
    check ??= await jsonSchemaCheck(input)
    return check(value)
  }
}

async function standardCheck(schema: JsonStandardSchema, value: unknown) {
  const result = await schema["~standard"].validate(value)
  if (!result.issues) return { value: result.value }
  const problems = result.issues.map((issue) => {
    const path = (issue.path ?? [])
      .map((part) => String(typeof part === "object" ? part.key : part))
      .join(".")
    return `${path || "(root)"}: ${issue.message}`
  })
  return { problem: problems.join("; ") }
}

async function jsonSchemaCheck(schema: JsonSchema) {
  const { Validator } = await import("@cfworker/json-schema")
  // The engine writes notes of its own into the schema it is given.
  const engine = new Validator(
    readablePatterns(structuredClone(schema)) as Record<string, unknown>,
    "2020-12",
    false,
  )
  return (value: unknown) => {
    const result = engine.validate(value)
    if (result.valid) return { value }
    // The engine also reports every enclosing keyword; only the innermost findings say what to change.
    const inner = result.errors.filter((error) => !enclosing.has(error.keyword))
    const problems = (inner.length > 0 ? inner : result.errors).map(
      (error) =>
        `${error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".") || "(root)"}: ${worded(error)}`,
    )
    return { problem: [...new Set(problems)].slice(0, 20).join("; ") }
  }
}

/** The engine says of a number that is just the bound that it is less than it. */
const worded = ({ keyword, error }: { readonly keyword: string; readonly error: string }): string =>
  keyword === "exclusiveMinimum" ? error.replace("less than", "less than or equal to") : error

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
