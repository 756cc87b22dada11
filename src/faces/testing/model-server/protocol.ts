import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../../ground/message.ts"
import type { ScriptedAnswer, ServedRequest } from "./answer.ts"

/** What the server needs to know about a protocol. */
export interface WireProtocol {
  readonly name: Exclude<ServedRequest["protocol"], "unknown">
  /** Whether a path, without its query, asks for it. */
  serves(path: string): boolean
  /** Whether an answer is to come as a stream. */
  isStreamed(body: Record<string, Json>, path: string): boolean
  /** What is wrong with a request's headers, the key among them. */
  refusal(headers: IncomingHttpHeaders, apiKey: string | undefined, path: string): Refused | undefined
  /** What a provider could refuse about a request's body. A text alone is answered 400. */
  problem(
    body: Record<string, Json>,
    headers: IncomingHttpHeaders,
    path: string,
  ): string | Refused | undefined
  /** What of a body a provider takes, and should not have been sent. */
  notes?(body: Record<string, Json>): readonly string[]
  errorText(error: Json, status: number): string
  jsonText(answer: ScriptedAnswer, request: ServedRequest): string
  streamText(answer: ScriptedAnswer, request: ServedRequest): string
  readonly ping: string
}

export interface Refused {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly code?: string
}

let lastId = 0
/** Unique among everything the server sends. */
export const newId = (prefix: string): string => `${prefix}${++lastId}`

export const argumentText = (given: Json): string =>
  typeof given === "string" ? given : JSON.stringify(given)

/** A text in two parts that are put together again. */
export function halves(text: string): readonly [string, string] {
  const half = Math.ceil(text.length / 2)
  return [text.slice(0, half), text.slice(half)]
}

/** A text word by word, as models speak. */
export const wordsOf = (text: string): readonly string[] => text.split(/(?<= )/).filter((word) => word !== "")

/** What the server puts below its reasoning, and wants to see below it again. */
export const signatureOf = (text: string): string => createHash("sha256").update(text).digest("base64")

/** An event that is named by its type. */
export const namedEvent = (value: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

/** The first key that nobody knows. */
export const unknownKey = (value: Record<string, Json>, allowed: readonly string[]): string | undefined =>
  Object.keys(value).find((key) => !allowed.includes(key))

export const modelProblem = ({ model }: Record<string, Json>): string | undefined =>
  typeof model === "string" && model !== "" ? undefined : "model: a string is required."

export function firstProblem<Item>(
  items: readonly Item[],
  problem: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index)
    if (found !== undefined) return found
  }
  return undefined
}

/** What is wrong with the schema of a tool's input. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isRecord(schema) || schema.type !== "object") return 'a schema of type "object" is required.'
  const { properties = {}, required = [] } = schema
  if (!isRecord(properties)) return "properties must be an object."
  const wrong = Object.entries(properties).find(([, value]) => typeof value !== "boolean" && !isRecord(value))
  if (wrong) return `properties.${wrong[0]} is no schema.`
  if (!Array.isArray(required)) return "required must be a list."
  const unknown = required.find((name) => typeof name !== "string" || !(name in properties))
  return unknown === undefined
    ? undefined
    : `required names ${JSON.stringify(unknown)}, which is no property.`
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
