import { type Key, propertiesOf, schemaOf } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** One key of an entry below `providers:` or `presets:`. */
export interface EntryKey extends Key {
  /** For editors, where it says more than the type does. */
  readonly schema?: JsonSchema
  /** Only a person's own file may say it: a project's could send the person's key elsewhere, or run code. */
  readonly of?: "user"
  /** What is wrong with a value of the right type, in words that follow its name. */
  problemOf?(value: Json): string | undefined
  /** Whether a value is, or may be, a key written out. Then nobody shows it. */
  isSecret?(value: Json): boolean
}

/** An object that editors know the keys of. */
export const entrySchema = (keys: readonly EntryKey[]): JsonSchema => ({
  type: "object",
  properties: propertiesOf(keys, ({ doc, type, schema = schemaOf(type) }) => ({
    description: doc,
    ...schema,
  })),
  additionalProperties: false,
})

const address: JsonSchema = { type: "string", pattern: "^https?://" }

export const providerKeys: readonly EntryKey[] = [
  {
    key: "protocol",
    type: { type: "choice", of: ["openai", "responses", "anthropic", "ai-sdk"] },
    doc: "How it is spoken to: OpenAI's chat completions (`openai`) or responses, Anthropic's messages, or a package of the AI SDK.",
  },
  {
    key: "baseUrl",
    aliases: ["base_url"],
    type: { type: "text" },
    schema: address,
    doc: "Where it is reached.",
    problemOf: addressProblem,
  },
  {
    key: "key",
    aliases: ["env_key"],
    type: { type: "text" },
    schema: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
    doc: "The name of the variable of the environment that holds its key.",
    of: "user",
    isSecret: (value) => !isVariable(value),
  },
  {
    key: "token",
    type: { type: "text" },
    schema: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
    doc: "The name of the variable of the environment that holds a bearer token, sent in place of a key.",
    of: "user",
    isSecret: (value) => !isVariable(value),
  },
  {
    key: "keyFile",
    aliases: ["key_file"],
    type: { type: "text" },
    doc: "A file that holds its key and nothing else, outside of any workspace.",
    of: "user",
  },
  {
    key: "endpoints",
    type: { type: "words" },
    schema: { anyOf: [{ type: "array", items: address }, { type: "string" }] },
    doc: "Further addresses that its key may be sent to when a definition names them.",
    of: "user",
    problemOf: (value) => (value as readonly string[]).map(addressProblem).find((problem) => problem),
  },
  {
    key: "headers",
    type: { type: "map" },
    schema: { type: "object", additionalProperties: { type: "string" } },
    doc: "Headers sent with every request.",
    of: "user",
    problemOf: textsProblem,
    isSecret: (value) =>
      Object.keys(value as object).some((name) => /auth|key|token|secret|cookie|credential/i.test(name)),
  },
  {
    key: "headerVariables",
    aliases: ["env_http_headers"],
    type: { type: "map" },
    schema: { type: "object", additionalProperties: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" } },
    doc: "Headers sent with every request, each with the variable of the environment that holds its value.",
    of: "user",
    isSecret: (value) => !Object.values(value as object).every(isVariable),
  },
  {
    key: "package",
    type: { type: "text" },
    doc: "For the protocol `ai-sdk`: the installed package that speaks to it, such as `@ai-sdk/google`.",
    of: "user",
  },
  {
    key: "strictTools",
    aliases: ["strict_tools"],
    type: { type: "flag" },
    doc: "Whether it holds a model to the schema of `submit_result`. Default: where that is known of it.",
  },
]

const price = { type: "number", minimum: 0 } as const

export const presetKeys: readonly EntryKey[] = [
  { key: "provider", type: { type: "text" }, doc: "Who serves the model." },
  {
    key: "model",
    type: { type: "text" },
    doc: "The model: an id, an alias or another preset.",
  },
  {
    key: "endpoint",
    type: { type: "text" },
    schema: address,
    doc: "Takes the place of the provider's address.",
    problemOf: addressProblem,
  },
  {
    key: "parameters",
    type: { type: "map" },
    doc: "Sent along with every request; what a definition gives comes over them.",
  },
  {
    key: "effort",
    type: { type: "either", of: [{ type: "text" }, { type: "number", minimum: 0 }] },
    doc: "How hard to think, where a definition does not say.",
  },
  {
    key: "price",
    type: { type: "map" },
    schema: {
      type: "object",
      properties: { input: price, output: price, cacheRead: price, cacheWrite: price },
      required: ["input", "output"],
      additionalProperties: false,
    },
    doc: "US dollars for a million tokens: `input`, `output`, `cacheRead` and `cacheWrite`.",
    problemOf: priceProblem,
  },
  {
    key: "window",
    type: { type: "number", minimum: 1, whole: "whole" },
    doc: "Tokens that a request and its reply may have together.",
  },
  {
    key: "sees",
    type: { type: "words" },
    schema: { type: "array", items: { enum: ["image", "pdf"] } },
    doc: "What it reads besides text: `image`, `pdf`, both, or an empty list.",
    problemOf: sightProblem,
  },
]

/** Keys are written out in other ways: capital letters and digits alone are the name of a variable. */
const isVariable = (value: unknown): boolean =>
  typeof value === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(value.trim())

function addressProblem(value: Json): string | undefined {
  const url = URL.canParse(value as string) ? new URL(value as string) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return undefined
  return "must be an http or https URL without a user name or password in it"
}

function sightProblem(value: Json): string | undefined {
  const fits = Array.isArray(value) && value.every((word) => word === "image" || word === "pdf")
  return fits ? undefined : "must be a list of `image` and `pdf`"
}

function textsProblem(value: Json): string | undefined {
  const fits = Object.values(value as object).every((entry) => typeof entry === "string")
  return fits ? undefined : "must be names and texts; put numbers in quotes"
}

function priceProblem(value: Json): string | undefined {
  const names = ["input", "output", "cacheRead", "cacheWrite"]
  const given = value as { readonly [name: string]: Json }
  const fits = Object.entries(given).every(
    ([name, entry]) => names.includes(name) && typeof entry === "number" && entry >= 0,
  )
  return fits && given.input !== undefined && given.output !== undefined
    ? undefined
    : "must have `input` and `output`, and may have `cacheRead` and `cacheWrite`: US dollars for a million tokens"
}
