import type { Json } from "../../../ground/message.ts"
import { type ScriptedAnswer, type ServedRequest, usualTokens } from "./answer.ts"
import { openAiErrorText, openAiRefusal } from "./openai.ts"
import {
  isRecord,
  makeSignature,
  makeUniqueId,
  splitInHalves,
  splitIntoWords,
  type WireProtocol,
  writeArguments,
  writeNamedEvent,
} from "./protocol.ts"
import { listResponsesNotes, responsesRules } from "./responses-rules.ts"
import { findFirstRefusal } from "./rule.ts"

/** OpenAI's responses protocol. */
export const responsesProtocol: WireProtocol = {
  name: "responses",
  serves: (path) => ["/v1/responses", "/openai/v1/responses", "/openai/responses"].includes(path),
  isStreamed: ({ stream }) => stream === true,
  ping: ": ping\n\n",
  refusal: openAiRefusal,
  problem: (body) => findFirstRefusal(responsesRules, body),
  notes: listResponsesNotes,
  errorText: openAiErrorText,
  jsonText,
  streamText,
}

function jsonText(answer: ScriptedAnswer, request: ServedRequest): string {
  if (answer.fault?.type === "garbage") return '{"object":"response","output":[{"type":'
  const begun = begunResponse(request)
  if (answer.fault?.type === "error-event")
    return JSON.stringify({ ...begun, status: "failed", error: flatError(answer.fault.error) })
  return JSON.stringify(endedResponse(begun, answer, itemsOf(answer, request)))
}

function streamText(answer: ScriptedAnswer, request: ServedRequest): string {
  const { fault } = answer
  const begun = begunResponse(request)
  const items = itemsOf(answer, request)
  const events: Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(itemEvents),
  ]
  if (fault?.type === "error-event") events.push({ type: "error", ...flatError(fault.error), param: null })
  else if (fault?.type !== "no-terminal") {
    const ended = endedResponse(begun, answer, items)
    events.push({ type: `response.${ended.status}`, response: ended })
  }
  const texts = events.map((event, index) => writeNamedEvent({ ...event, sequence_number: index }))
  if (fault?.type === "garbage") texts.splice(-1, 0, 'data: {"type":"response.output_text.delta","del\n\n')
  return texts.join("")
}

interface Event {
  readonly type: string
  readonly [key: string]: unknown
}

type Item = { readonly id: string; readonly status: string } & (
  | { readonly type: "reasoning"; readonly summary: readonly { type: "summary_text"; text: string }[] }
  | {
      readonly type: "message"
      readonly role: "assistant"
      readonly phase?: string
      readonly content: readonly (
        | { type: "output_text"; text: string; annotations: readonly never[] }
        | { type: "refusal"; refusal: string }
      )[]
    }
  | {
      readonly type: "function_call"
      readonly call_id: string
      readonly name: string
      readonly arguments: string
    }
)

const begunResponse = ({ number, body: { model, instructions = null } }: ServedRequest) => ({
  id: `resp_${number}`,
  object: "response",
  created_at: 1_800_000_000,
  status: "in_progress",
  error: null,
  incomplete_details: null,
  instructions,
  model,
  output: [],
  usage: null,
})

function endedResponse(begun: object, answer: ScriptedAnswer, output: readonly Item[]) {
  const status = statusOf(answer)
  const reason = status === "incomplete" ? { incomplete_details: { reason: finishOf(answer) } } : {}
  const error = { code: "server_error", message: "The model failed to answer." }
  return {
    ...begun,
    status,
    output,
    usage: usageOf(answer),
    ...reason,
    ...(status === "failed" && { error }),
  }
}

/** The protocol has a reason only for an incomplete response. */
const finishOf = ({ finish, stop = "end" }: ScriptedAnswer): string => finish ?? finishes[stop]

const finishes = {
  end: "completed",
  calls: "completed",
  length: "max_output_tokens",
  filter: "content_filter",
  other: "other",
} as const

function statusOf(answer: ScriptedAnswer): "completed" | "failed" | "incomplete" {
  const finish = finishOf(answer)
  return finish === "completed" || finish === "failed" ? finish : "incomplete"
}

function itemsOf(answer: ScriptedAnswer, { number, body: { include } }: ServedRequest): readonly Item[] {
  const { reasoning, redacted, text, refusal, phase, calls = [] } = answer
  const isSealed = Array.isArray(include) && include.includes("reasoning.encrypted_content")
  const encryptedField = (content: string) => (isSealed ? { encrypted_content: content } : {})
  const status = "completed"
  const items: Item[] = []
  // Equal answers get equal ids, so that tests can compare them.
  const itemId = (prefix: string) => `${prefix}_${number}_${items.length}`
  if (reasoning !== undefined) {
    const summary = [{ type: "summary_text" as const, text: reasoning }]
    items.push({
      type: "reasoning",
      id: itemId("rs"),
      status,
      summary,
      ...encryptedField(makeSignature(reasoning)),
    })
  }
  if (redacted !== undefined)
    items.push({ type: "reasoning", id: itemId("rs"), status, summary: [], ...encryptedField(redacted) })
  if (text !== undefined || refusal !== undefined) {
    const content = [
      ...(text === undefined ? [] : [{ type: "output_text" as const, text, annotations: [] }]),
      ...(refusal === undefined ? [] : [{ type: "refusal" as const, refusal }]),
    ]
    const named = phase === undefined ? {} : { phase }
    items.push({ type: "message", id: itemId("msg"), status, role: "assistant", content, ...named })
  }
  for (const { id = makeUniqueId("call_"), tool: name, arguments: input } of calls)
    items.push({
      type: "function_call",
      id: itemId("fc"),
      status: statusOf(answer),
      call_id: id,
      name,
      arguments: writeArguments(input),
    })
  return items
}

function itemEvents(item: Item, output_index: number): readonly Event[] {
  const place = { item_id: item.id, output_index }
  return [
    { type: "response.output_item.added", output_index, item: { ...emptyItem(item), status: "in_progress" } },
    ...partEvents(item).map((event) => ({ ...event, ...place })),
    { type: "response.output_item.done", output_index, item },
  ]
}

/** The empty item of an `output_item.added` event. */
function emptyItem(item: Item): object {
  switch (item.type) {
    case "reasoning":
      return { ...item, summary: [] }
    case "message":
      return { ...item, content: [] }
    case "function_call":
      return { ...item, arguments: "" }
  }
}

function partEvents(item: Item): readonly Event[] {
  switch (item.type) {
    case "reasoning":
      return item.summary.flatMap((part, summary_index) => [
        { type: "response.reasoning_summary_part.added", summary_index, part: { ...part, text: "" } },
        ...splitIntoWords(part.text).map((delta) => ({
          type: "response.reasoning_summary_text.delta",
          summary_index,
          delta,
        })),
        { type: "response.reasoning_summary_text.done", summary_index, text: part.text },
        { type: "response.reasoning_summary_part.done", summary_index, part },
      ])
    case "message":
      return item.content.flatMap((part, content_index) => {
        const [name, key, text] =
          part.type === "refusal" ? ["refusal", "refusal", part.refusal] : ["output_text", "text", part.text]
        return [
          { type: "response.content_part.added", content_index, part: { ...part, [key!]: "" } },
          ...splitIntoWords(text!).map((delta) => ({ type: `response.${name}.delta`, content_index, delta })),
          { type: `response.${name}.done`, content_index, [key!]: text },
          { type: "response.content_part.done", content_index, part },
        ]
      })
    case "function_call":
      return [
        ...splitInHalves(item.arguments).map((delta) => ({
          type: "response.function_call_arguments.delta",
          delta,
        })),
        { type: "response.function_call_arguments.done", arguments: item.arguments },
      ]
  }
}

/** An error inside an answer has a code in place of a type. */
function flatError(error: Json): { readonly code: Json; readonly message: Json } {
  const { code, type = null, message = "" } = isRecord(error) ? error : { message: error }
  return { code: code ?? type, message }
}

function usageOf({ usage, tokens = usualTokens }: ScriptedAnswer): Json {
  if (usage !== undefined) return usage
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = tokens
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  }
}
