import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../../ground/message.ts"
import type { ScriptedAnswer, ServedRequest } from "./answer.ts"

/** The server's side of one protocol. */
export interface WireProtocol {
  readonly name: Exclude<ServedRequest["protocol"], "unknown">
  /** True for a path of this protocol. The path has no query. */
  serves(path: string): boolean
  /** True if the request asks for a stream. */
  isStreamed(body: Record<string, Json>, path: string): boolean
  /** Finds the problem in a request's headers, including the key. */
  refusal(headers: IncomingHttpHeaders, apiKey: string | undefined, path: string): ErrorAnswer | undefined
  /** Finds the problem that a provider could have with a request's body. A plain string is answered 400. */
  problem(
    body: Record<string, Json>,
    headers: IncomingHttpHeaders,
    path: string,
  ): string | ErrorAnswer | undefined
  /** Lists the parts of a body that a provider accepts, but that should not be sent. */
  notes?(body: Record<string, Json>): readonly string[]
  errorText(error: Json, status: number): string
  jsonText(answer: ScriptedAnswer, request: ServedRequest): string
  streamText(answer: ScriptedAnswer, request: ServedRequest): string
  readonly ping: string
}

export interface ErrorAnswer {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly code?: string
}

let lastId = 0
/** Makes an id that is unique among everything the server sends. */
export const makeUniqueId = (prefix: string): string => `${prefix}${++lastId}`

export const writeArguments = (input: Json): string =>
  typeof input === "string" ? input : JSON.stringify(input)

/** Splits a text into two halves. */
export function splitInHalves(text: string): readonly [string, string] {
  const half = Math.ceil(text.length / 2)
  return [text.slice(0, half), text.slice(half)]
}

/** Splits a text into words, as models stream it. */
export const splitIntoWords = (text: string): readonly string[] =>
  text.split(/(?<= )/).filter((word) => word !== "")

/** The signature of reasoning. The client must send it back. */
export const makeSignature = (text: string): string => createHash("sha256").update(text).digest("base64")

/** A server-sent event with its type as its name. */
export const writeNamedEvent = (value: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

/** The first key that is not allowed. */
export const findUnknownKey = (value: Record<string, Json>, allowed: readonly string[]): string | undefined =>
  Object.keys(value).find((key) => !allowed.includes(key))

export const findModelKeyProblem = ({ model }: Record<string, Json>): string | undefined =>
  typeof model === "string" && model !== "" ? undefined : "model: a string is required."

export function findFirstProblem<Item>(
  items: readonly Item[],
  problem: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const message = problem(item, index)
    if (message !== undefined) return message
  }
  return undefined
}

/** Finds the problem in the schema of a tool's input. */
export function findToolSchemaProblem(schema: unknown): string | undefined {
  if (!isRecord(schema) || schema.type !== "object") return 'a schema of type "object" is required.'
  const { properties = {}, required = [] } = schema
  if (!isRecord(properties)) return "properties must be an object."
  const wrong = Object.entries(properties).find(([, value]) => typeof value !== "boolean" && !isRecord(value))
  if (wrong) return `properties.${wrong[0]} is not a schema.`
  if (!Array.isArray(required)) return "required must be a list."
  const unknown = required.find((name) => typeof name !== "string" || !(name in properties))
  return unknown === undefined
    ? undefined
    : `required names ${JSON.stringify(unknown)}, which is not a property.`
}

export const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
