import type { Json } from "../../../ground/message.ts"
import { type ScriptedAnswer, type ServedRequest, usualTokens } from "./answer.ts"
import { callSignature, geminiRules } from "./gemini-rules.ts"
import {
  isRecord,
  makeUniqueId,
  parse,
  splitIntoWords,
  type WireProtocol,
  writeArguments,
} from "./protocol.ts"
import { findFirstRefusal } from "./rule.ts"

/** Google's Gemini protocol. */
export const geminiProtocol: WireProtocol = {
  name: "gemini",
  serves: (path) => place.test(path),
  isStreamed: (_, path) => path.includes(":stream"),
  ping: ": ping\n\n",
  refusal: (headers, apiKey) =>
    apiKey === undefined || headers["x-goog-api-key"] === apiKey
      ? undefined
      : { status: 401, message: "API key not valid.", type: "authentication_error" },
  problem: (body, _, path) =>
    path.includes(":stream") && !path.endsWith("?alt=sse")
      ? "A stream needs the query alt=sse."
      : findFirstRefusal(geminiRules, body),
  errorText,
  jsonText,
  streamText,
}

const place = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/

const errors: Readonly<Record<string, readonly [number, string]>> = {
  overloaded_error: [503, "UNAVAILABLE"],
  rate_limit_error: [429, "RESOURCE_EXHAUSTED"],
  authentication_error: [401, "UNAUTHENTICATED"],
  invalid_request_error: [400, "INVALID_ARGUMENT"],
  not_found_error: [404, "NOT_FOUND"],
}

function errorText(error: Json, status?: number): string {
  const details = isRecord(error) ? error : { message: error }
  const [code, word] = errors[String(details.type)] ?? [500, "INTERNAL"]
  return JSON.stringify({ error: { code: status ?? code, message: details.message ?? "", status: word } })
}

function jsonText(answer: ScriptedAnswer, request: ServedRequest): string {
  if (answer.fault?.type === "garbage") return '{"candidates":[{"content":'
  if (answer.fault?.type === "error-event") return errorText(answer.fault.error)
  const parts = partsOf(answer)
  return JSON.stringify(chunkOf(answer, request, makeUniqueId("gemini_"), parts, finishOf(answer)))
}

function streamText(answer: ScriptedAnswer, request: ServedRequest): string {
  const { fault } = answer
  const id = makeUniqueId("gemini_")
  const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`
  const events = partsOf(answer)
    .flatMap(inWords)
    .map((part) => event(chunkOf(answer, request, id, [part])))
  if (fault?.type === "no-terminal") return events.join("")
  if (fault?.type === "garbage") events.push('data: {"candidates":[{"content":\r\n\r\n')
  if (fault?.type === "error-event") return `${events.join("")}data: ${errorText(fault.error)}\r\n\r\n`
  events.push(event(chunkOf(answer, request, id, [], finishOf(answer))))
  return events.join("")
}

interface Part {
  readonly text?: string
  readonly thought?: true
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: Json }
  readonly thoughtSignature?: string
}

/** A call is sent whole or not at all. The first call after reasoning is signed. */
function partsOf({ reasoning, text, calls = [] }: ScriptedAnswer): readonly Part[] {
  const parts: Part[] = []
  if (reasoning !== undefined) parts.push({ text: reasoning, thought: true })
  if (text !== undefined && text !== "") parts.push({ text })
  let isSigned = reasoning === undefined
  for (const { id = makeUniqueId("call_"), tool: name, arguments: input } of calls) {
    const args = parse(writeArguments(input))
    if (!isRecord(args)) continue
    const functionCall = { id, name, args }
    parts.push(isSigned ? { functionCall } : { functionCall, thoughtSignature: callSignature(name, args) })
    isSigned = true
  }
  return parts
}

const inWords = (part: Part): readonly Part[] =>
  part.text === undefined ? [part] : splitIntoWords(part.text).map((text) => ({ ...part, text }))

function chunkOf(
  answer: ScriptedAnswer,
  { path }: ServedRequest,
  responseId: string,
  parts: readonly Part[],
  finishReason?: string,
): object {
  const content = { role: "model", ...(parts.length > 0 && { parts }) }
  return {
    candidates: [{ content, index: 0, ...(finishReason !== undefined && { finishReason }) }],
    ...(finishReason !== undefined && { usageMetadata: usageOf(answer) }),
    modelVersion: place.exec(path.split("?")[0] ?? "")?.[1],
    responseId,
  }
}

const finishOf = ({ finish, stop = "end" }: ScriptedAnswer): string => finish ?? finishes[stop]

const finishes = {
  end: "STOP",
  calls: "STOP",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  other: "OTHER",
} as const

/** Reasoning tokens are counted separately from output tokens. */
function usageOf({ usage, tokens = usualTokens }: ScriptedAnswer): Json {
  if (usage !== undefined) return usage
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = tokens
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
  }
}
