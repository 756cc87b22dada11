import type { Json } from "../../../ground/message.ts"
import { type ScriptedAnswer, type ServedRequest, usualTokens } from "./answer.ts"
import type { ChatDialect } from "./chat-messages.ts"
import {
  isRecord,
  makeSignature,
  makeUniqueId,
  splitInHalves,
  splitIntoWords,
  writeArguments,
} from "./protocol.ts"

/** Writes scripted answers in the form of one chat completions provider. `sent` collects what clients must send back. */
export function createChatAnswers(dialect: ChatDialect, sent: Map<string, Json>) {
  return {
    jsonText(answer: ScriptedAnswer, { body: { model } }: ServedRequest): string {
      if (answer.fault?.type === "garbage") return '{"choices":[{"message":'
      if (answer.fault?.type === "error-event") return JSON.stringify({ error: answer.fault.error })
      const calls = wireCalls(answer, dialect, sent)
      const message = {
        role: "assistant",
        content: answer.text ?? null,
        ...thoughtOf(answer, dialect),
        ...(answer.refusal !== undefined && { refusal: answer.refusal }),
        ...(calls.length > 0 && { tool_calls: calls }),
      }
      return JSON.stringify({
        id: makeUniqueId("chatcmpl-"),
        object: "chat.completion",
        created: 0,
        model,
        choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
        usage: usageOf(answer),
      })
    },
    streamText(answer: ScriptedAnswer, { body }: ServedRequest): string {
      const { model, stream_options } = body
      const common = { id: makeUniqueId("chatcmpl-"), object: "chat.completion.chunk", created: 0, model }
      const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
      const chunk = (delta: object, finish: string | null = null) =>
        event({ ...common, choices: [{ index: 0, delta, finish_reason: finish }] })
      const events = [chunk({ role: "assistant", content: "" })]
      events.push(...thoughtDeltas(answer, dialect).map((delta) => chunk(delta)))
      for (const word of splitIntoWords(answer.text ?? "")) events.push(chunk({ content: word }))
      if (answer.refusal !== undefined) events.push(chunk({ refusal: answer.refusal }))
      for (const [index, call] of wireCalls(answer, dialect, sent).entries()) {
        const { name, arguments: text } = call.function
        events.push(chunk({ tool_calls: [{ ...call, index, function: { name, arguments: "" } }] }))
        for (const half of splitInHalves(text))
          events.push(chunk({ tool_calls: [{ index, function: { arguments: half } }] }))
      }
      if (answer.fault?.type === "no-terminal") return events.join("")
      if (answer.fault?.type === "garbage") events.push('data: {"choices":[{"delta":\n\n')
      if (answer.fault?.type === "error-event") return events.join("") + event({ error: answer.fault.error })
      events.push(chunk({}, finishOf(answer)))
      const isAsked = isRecord(stream_options) && stream_options.include_usage === true
      if (dialect.usage === "always" || isAsked)
        events.push(event({ ...common, choices: [], usage: usageOf(answer) }))
      return `${events.join("")}data: [DONE]\n\n`
    },
  }
}

/** The signature that Gemini puts on the first call of a reply. */
export const makeThoughtSignature = (id: string): Json => ({
  google: { thought_signature: makeSignature(id) },
})

/** The form in which OpenRouter sends reasoning. */
const thoughtDetails = (text: string): readonly Record<string, Json>[] => [
  { type: "reasoning.text", text, signature: makeSignature(text), format: "anthropic-claude-v1", index: 0 },
]

function wireCalls({ calls = [], reasoning }: ScriptedAnswer, dialect: ChatDialect, sent: Map<string, Json>) {
  return calls.map(({ id = newCallId(dialect), tool: name, arguments: input }, index) => {
    const isSigned = dialect.reasoning === "extra_content" && index === 0
    if (isSigned) sent.set(id, makeThoughtSignature(id))
    if (dialect.reasoning === "reasoning_details" && reasoning && index === 0)
      sent.set(id, thoughtDetails(reasoning))
    return {
      id,
      type: "function",
      function: { name, arguments: writeArguments(input) },
      ...(isSigned && { extra_content: makeThoughtSignature(id) }),
    }
  })
}

const newCallId = ({ ids }: ChatDialect): string =>
  ids === "short" ? `c${makeUniqueId("").padStart(8, "0")}` : makeUniqueId("call_")

function thoughtOf({ reasoning, text = "" }: ScriptedAnswer, { reasoning: field }: ChatDialect): object {
  if (!reasoning) return {}
  switch (field) {
    case "reasoning_content":
    case "reasoning":
      return { [field]: reasoning }
    case "reasoning_details":
      return { reasoning, reasoning_details: thoughtDetails(reasoning) }
    case "content":
      return { content: [thinkingPart(reasoning), { type: "text", text }] }
    default:
      return {}
  }
}

const thinkingPart = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] })

function thoughtDeltas({ reasoning }: ScriptedAnswer, { reasoning: field }: ChatDialect): readonly object[] {
  if (!reasoning) return []
  const words = splitIntoWords(reasoning)
  switch (field) {
    case "reasoning_content":
    case "reasoning":
      return words.map((word) => ({ [field]: word }))
    case "reasoning_details": {
      const [{ signature, ...detail }] = thoughtDetails(reasoning) as [Record<string, Json>]
      return [
        ...words.map((text) => ({ reasoning: text, reasoning_details: [{ ...detail, text }] })),
        { reasoning_details: [{ ...detail, text: "", signature }] },
      ]
    }
    case "content":
      return words.map((word) => ({ content: [thinkingPart(word)] }))
    default:
      return []
  }
}

function finishOf({ finish, stop, calls }: ScriptedAnswer): string {
  if (finish !== undefined) return finish
  return finishes[stop ?? (calls?.length ? "calls" : "end")]
}

const finishes = {
  end: "stop",
  calls: "tool_calls",
  length: "length",
  filter: "content_filter",
  other: "other",
} as const

function usageOf({ usage, tokens = usualTokens }: ScriptedAnswer): Json {
  if (usage !== undefined) return usage
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = tokens
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}
