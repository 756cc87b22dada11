import type { StandardSchemaV1 } from "@standard-schema/spec"
import { CadreError } from "../errors.ts"
import type { Json } from "../message.ts"
import type { createSchemaEngine } from "./engine.ts"
import { findPatternProblem } from "./patterns.ts"
import { findReferenceProblem } from "./references.ts"

/** A JSON Schema, as data. Never compiled to code: definitions come from untrusted files. */
export type JsonSchema = { readonly [key: string]: Json }

/** Checks a value and returns the problem in words that a model can act on. */
export type Validate = (value: unknown) => Promise<{ value: unknown } | { problem: string }>

/** A schema library's object (Standard Schema) that can also be converted to JSON Schema. */
export interface JsonStandardSchema<Value = unknown> extends StandardSchemaV1<unknown, Value> {
  readonly "~standard": StandardSchemaV1.Props<unknown, Value> & {
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> }
  }
}

/** A schema that accepts arguments under other names, too, each with the tool's own name. */
export interface AliasedSchema<Value = unknown> extends JsonStandardSchema<Value> {
  readonly aliases: Readonly<Record<string, string>>
}

/** The JSON Schema of a tool's input, or of an agent's result. */
export function toJsonSchema(
  owner: string,
  schema: JsonSchema | JsonStandardSchema,
  what: "input" | "result" = "input",
): JsonSchema {
  if (!("~standard" in schema)) return requireCheckable(owner, schema as JsonSchema, what)
  const standard = (schema as JsonStandardSchema)["~standard"]
  if (!standard.jsonSchema)
    throw new CadreError(
      what === "input" ? "TOOL_INVALID" : "AGENT_INVALID",
      `${owner}: its ${what} schema (${standard.vendor}) cannot be converted to JSON Schema, so models could not be told about it. ` +
        "Use a schema library that implements Standard JSON Schema (zod >= 4.2, valibot with its adapter, arktype >= 2.1.28), or pass a JSON Schema object.",
    )
  return standard.jsonSchema.input({ target: "draft-2020-12" }) as JsonSchema
}

function requireCheckable(owner: string, schema: JsonSchema, what: "input" | "result"): JsonSchema {
  const problem = findSchemaProblem(schema)
  if (problem === undefined) return schema
  throw new CadreError(
    what === "input" ? "TOOL_INVALID" : "AGENT_INVALID",
    `${owner}: its ${what} schema ${problem}.`,
  )
}

/**
 * The problem with a schema that would reject every value: a pattern or a reference that cannot be followed.
 * The text continues a sentence about the schema.
 */
export function findSchemaProblem(schema: JsonSchema): string | undefined {
  const pattern = findPatternProblem(schema)
  if (pattern)
    return `has the pattern ${JSON.stringify(pattern.pattern)} (at ${pattern.at}), which cannot be followed: ${pattern.problem}. No value could be checked against it. Change the pattern, or leave it out`
  const reference = findReferenceProblem(schema)
  return (
    reference &&
    `has a reference (at /${reference.path.join("/")}) that ${reference.message}. Refer to a schema of a property or an item, or leave the reference out`
  )
}

/** A validator for a schema. The JSON Schema engine loads at the first check, not at import. */
export function createValidator(input: JsonSchema | JsonStandardSchema): Validate {
  if ("~standard" in input) return (value) => standardCheck(input as JsonStandardSchema, value)
  let check: Awaited<ReturnType<typeof createSchemaEngine>> | undefined
  return async (value) => {
    check ??= await (await import("./engine.ts")).createSchemaEngine(input)
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
