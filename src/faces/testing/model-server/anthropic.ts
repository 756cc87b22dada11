import type { Json } from "../../../ground/message.ts"
import { type ScriptedAnswer, type ServedRequest, usualTokens } from "./answer.ts"
import { firstVersion, laterVersion, listAnthropicRules } from "./anthropic-rules.ts"
import {
  writeNamedEvent as event,
  isRecord,
  makeSignature,
  makeUniqueId,
  parse,
  splitInHalves,
  splitIntoWords,
  type WireProtocol,
  writeArguments,
} from "./protocol.ts"
import { findFirstRefusal, type RefusalRule } from "./rule.ts"

/** Anthropic's messages protocol. `own` are the provider's rules in addition to those of the protocol. */
export function createAnthropicProtocol(own: readonly RefusalRule[] = []): WireProtocol {
  const sent = new Map<string, Json>()
  const first = [...listAnthropicRules(firstVersion), ...own]
  const later = [...listAnthropicRules(laterVersion), ...own]
  return {
    name: "anthropic",
    serves: (path) => path === "/v1/messages",
    isStreamed: ({ stream }) => stream === true,
    ping,
    refusal(headers, apiKey) {
      if (!versions.includes(String(headers["anthropic-version"])))
        return {
          status: 400,
          message: `anthropic-version: a header is required, and must be ${versions.join(" or ")}.`,
        }
      const hasKey = headers["x-api-key"] === apiKey || headers.authorization === `Bearer ${apiKey}`
      if (apiKey === undefined || hasKey) return undefined
      return { status: 401, message: "invalid x-api-key", type: "authentication_error" }
    },
    problem: (body, headers) =>
      findFirstRefusal(
        headers["anthropic-version"] === "2023-06-01" ? first : later,
        withoutBetas(body, String(headers["anthropic-beta"] ?? "").split(",")),
        sent,
      ),
    errorText,
    jsonText: (answer, request) => jsonText(answer, request, sent),
    streamText: (answer, request) => streamText(answer, request, sent),
  }
}

const ping = 'event: ping\ndata: {"type": "ping"}\n\n'

const versions = ["2023-06-01", "2026-10-21"]

/** Removes the parts that Anthropic accepts only with a beta header. */
function withoutBetas(
  { tools, ...body }: Record<string, Json>,
  betas: readonly string[],
): Record<string, Json> {
  const has = (beta: string) => betas.some((name) => name.trim().startsWith(`${beta}-`))
  const isNone = has("claude-code") && Array.isArray(tools) && tools.length === 0
  const isOther = (message: Json) => !isRecord(message) || message.role !== "system"
  return {
    ...body,
    ...(tools !== undefined && !isNone && { tools }),
    ...(has("mid-conversation-system") &&
      Array.isArray(body.messages) && { messages: body.messages.filter(isOther) }),
  }
}

function errorText(error: Json): string {
  return JSON.stringify({ type: "error", error, request_id: "req_scripted" })
}

function jsonText(
  answer: ScriptedAnswer,
  { body: { model } }: ServedRequest,
  sent: Map<string, Json>,
): string {
  if (answer.fault?.type === "garbage") return '{"type":"message","content":[{"type":'
  if (answer.fault?.type === "error-event") return errorText(answer.fault.error)
  return JSON.stringify({
    ...messageOf(model),
    content: blocksOf(answer, sent),
    stop_reason: finishOf(answer),
    stop_details: detailsOf(answer),
    usage: usageOf(answer),
  })
}

function streamText(
  answer: ScriptedAnswer,
  { body: { model } }: ServedRequest,
  sent: Map<string, Json>,
): string {
  const { fault } = answer
  const usage = usageOf(answer)
  const read = isRecord(usage) ? { ...usage, output_tokens: 1 } : usage
  const events = [
    event({ type: "message_start", message: { ...messageOf(model), usage: read } }),
    ping,
    ...blocksOf(answer, sent).flatMap(blockEvents),
  ]
  if (fault?.type === "no-terminal") return events.join("")
  if (fault?.type === "garbage") events.push('event: content_block_delta\ndata: {"type":"content_bl\n\n')
  if (fault?.type === "error-event")
    return `${events.join("")}event: error\ndata: ${errorText(fault.error)}\n\n`
  const delta = { stop_reason: finishOf(answer), stop_sequence: null, stop_details: detailsOf(answer) }
  events.push(event({ type: "message_delta", delta, usage }), event({ type: "message_stop" }))
  return events.join("")
}

const messageOf = (model: Json | undefined) => ({
  id: makeUniqueId("msg_"),
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
})

type Block =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }

/** The streamed text of each call. A block itself cannot hold an input that is invalid JSON. */
const inputTexts = new WeakMap<Block, string>()

function blocksOf(
  { reasoning, redacted, text, calls = [] }: ScriptedAnswer,
  sent: Map<string, Json>,
): readonly Block[] {
  const blocks: Block[] = []
  if (reasoning !== undefined)
    blocks.push({ type: "thinking", thinking: reasoning, signature: makeSignature(reasoning) })
  if (redacted !== undefined) blocks.push({ type: "redacted_thinking", data: redacted })
  const thoughts = [...blocks] as unknown as Json
  if (text !== undefined) blocks.push({ type: "text", text })
  for (const { id = makeUniqueId("toolu_"), tool: name, arguments: input } of calls) {
    const inputText = writeArguments(input)
    // In place of an input that was cut, the provider sends the part that it could parse.
    const block: Block = { type: "tool_use", id, name, input: parse(inputText) ?? {} }
    inputTexts.set(block, inputText)
    blocks.push(block)
    if (blocks.find(({ type }) => type === "tool_use") === block) sent.set(id, thoughts)
  }
  return blocks
}

function blockEvents(block: Block, index: number): readonly string[] {
  const events = [event({ type: "content_block_start", index, content_block: emptyBlock(block) })]
  for (const delta of deltasOf(block)) events.push(event({ type: "content_block_delta", index, delta }))
  return [...events, event({ type: "content_block_stop", index })]
}

/** The empty block of a `content_block_start` event. */
function emptyBlock(block: Block): object {
  switch (block.type) {
    case "thinking":
      return { ...block, thinking: "", signature: "" }
    case "redacted_thinking":
      return block
    case "text":
      return { ...block, text: "" }
    case "tool_use":
      return { ...block, input: {} }
  }
}

function deltasOf(block: Block): readonly object[] {
  switch (block.type) {
    case "thinking":
      return [
        ...splitIntoWords(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ]
    case "redacted_thinking":
      return []
    case "text":
      return splitIntoWords(block.text).map((text) => ({ type: "text_delta", text }))
    case "tool_use": {
      const inputText = inputTexts.get(block) ?? "{}"
      // For a call without input, no part of the input is streamed.
      const parts = ["", ...(inputText === "{}" ? [] : splitInHalves(inputText))]
      return parts.map((partial_json) => ({ type: "input_json_delta", partial_json }))
    }
  }
}

function finishOf({ finish, stop, calls }: ScriptedAnswer): string {
  if (finish !== undefined) return finish
  return finishes[stop ?? (calls?.length ? "calls" : "end")]
}

const finishes = {
  end: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  filter: "refusal",
  other: "other",
} as const

const detailsOf = (answer: ScriptedAnswer): Json =>
  finishOf(answer) === "refusal"
    ? { type: "refusal", category: null, explanation: "This request was declined." }
    : null

function usageOf({ usage, tokens = usualTokens }: ScriptedAnswer): Json {
  if (usage !== undefined) return usage
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = tokens
  return {
    input_tokens: inputTokens - (cachedTokens ?? 0),
    output_tokens: outputTokens,
    ...(cachedTokens !== undefined && {
      cache_read_input_tokens: cachedTokens,
      cache_creation_input_tokens: 0,
    }),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}
