import { messageOf } from "../../ground/errors.ts"
import { checkLimits, limitNames } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { ValueType } from "../formats/fields/field.ts"
import { entrySchema, presetKeys, providerKeys } from "./entry-key.ts"
import { executorKeys } from "./executor-keys.ts"

export type KeyType = keyof typeof keyTypes

/** What may stand at a key, for the reader and for editors. */
interface TypeOfKey {
  readonly value: ValueType
  readonly schema: JsonSchema
  /** For maps: what is wrong with one entry. Undefined: nothing. */
  problemOf?(name: string, value: Json): string | undefined
}

const severities = ["off", "info", "warning", "error"]
const nameList: JsonSchema = { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] }

export const keyTypes = {
  flag: { value: { type: "flag" }, schema: { type: "boolean" } },
  text: { value: { type: "text" }, schema: { type: "string", pattern: "\\S" } },
  folder: { value: { type: "text" }, schema: { type: "string", pattern: "\\S" } },
  names: { value: { type: "words" }, schema: nameList },
  patterns: { value: { type: "words" }, schema: nameList },
  "model-lists": { value: { type: "words" }, schema: nameList },
  age: { value: { type: "text" }, schema: { type: "string", pattern: "^[1-9][0-9]{0,5}(m|h|d|w)$" } },
  price: { value: { type: "number", minimum: 0 }, schema: { type: "number", minimum: 0 } },
  folders: { value: { type: "words" }, schema: nameList },
  map: { value: { type: "map" }, schema: { type: "object" } },
  // Whatever stands there is told by those who follow it: hooks that were left out would let everything pass.
  hooks: { value: { type: "any" }, schema: { type: ["object", "array"] } },
  providers: {
    value: { type: "map" },
    schema: { type: "object", additionalProperties: entrySchema(providerKeys) },
  },
  presets: {
    value: { type: "map" },
    schema: {
      type: "object",
      additionalProperties: {
        anyOf: [
          { type: "string", pattern: "\\S" },
          { ...entrySchema(presetKeys), required: ["model"] },
        ],
      },
    },
  },
  executors: {
    value: { type: "map" },
    schema: {
      type: "object",
      additionalProperties: { ...entrySchema(executorKeys), required: ["command"] },
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

function limitProblem(name: string, value: Json): string | undefined {
  try {
    checkLimits("limits", { [name]: value })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function severityProblem(code: string, value: Json): string | undefined {
  return severities.includes(value as string)
    ? undefined
    : `rules: ${JSON.stringify(code)} must be one of ${severities.join(", ")}.`
}
