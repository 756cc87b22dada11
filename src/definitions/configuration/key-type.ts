import { describeThrown } from "../../ground/errors.ts"
import { toValueSchema, type ValueType } from "../../ground/keys.ts"
import { checkLimits, limitNames } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { buildEntrySchema, presetKeys, providerKeys } from "./entry-key.ts"
import { executorKeys } from "./executor-keys.ts"

export type KeyType = keyof typeof keyTypes

/** The values that a key may have, for the reader and for editors. */
interface TypeOfKey {
  readonly value: ValueType
  /** A schema for editors, if it says more than the type. */
  readonly schema?: JsonSchema
  /** For maps: the problem of one entry. Undefined: none. */
  problemOf?(name: string, value: Json): string | undefined
}

const severities = ["off", "info", "warning", "error"]

export const keyTypes = {
  flag: { value: { type: "flag" } },
  text: { value: { type: "text" } },
  folder: { value: { type: "text" } },
  names: { value: { type: "words" } },
  patterns: { value: { type: "words" } },
  "model-lists": { value: { type: "words" } },
  age: { value: { type: "text" }, schema: { type: "string", pattern: "^[1-9][0-9]{0,5}(m|h|d|w)$" } },
  price: { value: { type: "number", minimum: 0 } },
  folders: { value: { type: "words" } },
  map: { value: { type: "map" } },
  // Any value is accepted here: without its hooks, every call would pass. The reader of hooks reports mistakes.
  hooks: { value: { type: "any" }, schema: { type: ["object", "array"] } },
  providers: {
    value: { type: "map" },
    schema: { type: "object", additionalProperties: buildEntrySchema(providerKeys) },
  },
  presets: {
    value: { type: "map" },
    schema: {
      type: "object",
      additionalProperties: {
        anyOf: [
          { type: "string", pattern: "\\S" },
          { ...buildEntrySchema(presetKeys), required: ["model"] },
        ],
      },
    },
  },
  executors: {
    value: { type: "map" },
    schema: {
      type: "object",
      additionalProperties: { ...buildEntrySchema(executorKeys), required: ["command"] },
    },
  },
  mcpServers: {
    value: { type: "map" },
    schema: { type: "object", additionalProperties: { type: "object" } },
  },
  limits: {
    value: { type: "map" },
    schema: {
      type: "object",
      propertyNames: { enum: [...limitNames].sort() },
      additionalProperties: { type: "number", exclusiveMinimum: 0 },
    },
    problemOf: limitProblem,
  },
  severities: {
    value: { type: "map" },
    schema: { type: "object", additionalProperties: { enum: severities } },
    problemOf: severityProblem,
  },
} as const satisfies Record<string, TypeOfKey>

export function buildKeySchema(type: KeyType): JsonSchema {
  const { value, schema }: TypeOfKey = keyTypes[type]
  return schema ?? toValueSchema(value)
}

function limitProblem(name: string, value: Json): string | undefined {
  try {
    checkLimits("limits", { [name]: value })
    return undefined
  } catch (error) {
    return describeThrown(error)
  }
}

function severityProblem(code: string, value: Json): string | undefined {
  return severities.includes(value as string)
    ? undefined
    : `rules: ${JSON.stringify(code)} must be one of ${severities.join(", ")}.`
}
