import { type Key, toSchemaProperties, toValueSchema } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** One key of an entry below `providers:` or `presets:`. */
export interface EntryKey extends Key {
  /** A schema for editors, if it says more than the type. */
  readonly schema?: JsonSchema
  /** Only the user's own file may set it: a project could send the user's key elsewhere, or run code. */
  readonly of?: "user"
  /** The problem of a value that has the right type, in words that follow the key. */
  problemOf?(value: Json): string | undefined
  /** Whether a value is, or may be, a secret. A secret is never shown. */
  isSecret?(value: Json): boolean
}

/** The schema of an object with these keys, for editors. */
export const buildEntrySchema = (keys: readonly EntryKey[]): JsonSchema => ({
  type: "object",
  properties: toSchemaProperties(keys, ({ doc, type, schema = toValueSchema(type) }) => ({
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
    doc: "The protocol of its server: OpenAI's chat completions (`openai`) or responses, Anthropic's messages, or a package of the AI SDK.",
  },
  {
    key: "baseUrl",
    aliases: ["base_url"],
    type: { type: "text" },
    schema: address,
    doc: "The address of its server.",
    problemOf: addressProblem,
  },
  {
    key: "key",
    aliases: ["env_key"],
    type: { type: "text" },
    schema: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
    doc: "The name of the environment variable with its key.",
    of: "user",
    isSecret: (value) => !isVariable(value),
  },
  {
    key: "token",
    type: { type: "text" },
    schema: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
    doc: "The name of the environment variable with a bearer token, which is sent in place of a key.",
    of: "user",
    isSecret: (value) => !isVariable(value),
  },
  {
    key: "keyFile",
    aliases: ["key_file"],
    type: { type: "text" },
    doc: "A file that contains only its key, outside any workspace.",
    of: "user",
  },
  {
    key: "endpoints",
    type: { type: "words" },
    schema: { anyOf: [{ type: "array", items: address }, { type: "string" }] },
    doc: "More addresses that its key may be sent to if a definition names them.",
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
    doc: "Headers sent with every request, each with the name of the environment variable that contains its value.",
    of: "user",
    isSecret: (value) => !Object.values(value as object).every(isVariable),
  },
  {
    key: "package",
    type: { type: "text" },
    doc: "For the protocol `ai-sdk`: the installed package of the provider, such as `@ai-sdk/google`.",
    of: "user",
  },
  {
    key: "strictTools",
    aliases: ["strict_tools"],
    type: { type: "flag" },
    doc: "`true`: the provider enforces the schema of `submit_result`. Default: `true` for providers that are known to do so.",
  },
]

const price = { type: "number", minimum: 0 } as const

export const presetKeys: readonly EntryKey[] = [
  { key: "provider", type: { type: "text" }, doc: "The provider of the model." },
  {
    key: "model",
    type: { type: "text" },
    doc: "The model: an id, an alias or another preset.",
  },
  {
    key: "endpoint",
    type: { type: "text" },
    schema: address,
    doc: "The address to use in place of the provider's.",
    problemOf: addressProblem,
  },
  {
    key: "parameters",
    type: { type: "map" },
    doc: "Parameters sent with every request. A definition can override them.",
  },
  {
    key: "effort",
    type: { type: "either", of: [{ type: "text" }, { type: "number", minimum: 0 }] },
    doc: "The reasoning effort, if a definition sets none.",
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
    doc: "The most tokens of a request and its reply together.",
  },
  {
    key: "sees",
    type: { type: "words" },
    schema: { type: "array", items: { enum: ["image", "pdf"] } },
    doc: "The media that the model reads besides text: `image`, `pdf`, both, or an empty list.",
    problemOf: sightProblem,
  },
]

/** Whether a value is the name of a variable: only capital letters, digits and underscores. A key never looks so. */
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
  const prices = value as { readonly [name: string]: Json }
  const fits = Object.entries(prices).every(
    ([name, entry]) => names.includes(name) && typeof entry === "number" && entry >= 0,
  )
  return fits && prices.input !== undefined && prices.output !== undefined
    ? undefined
    : "must have `input` and `output`, and may have `cacheRead` and `cacheWrite`: US dollars for a million tokens"
}
