import type { Json, JsonMap, Message, TokenUsage, ToolCall } from "../../src/ground/message.ts"
import { mapOf } from "../../src/ground/message.ts"
import { anthropicModel } from "../../src/world/models/wire/anthropic.ts"
import { type Exchange, eventsIn, type RecordedProtocol } from "./recordings-kit.ts"

/** Anthropic's messages, as recorded exchanges have them. */
export const recordedMessages: RecordedProtocol = {
  name: "messages",
  open: ({ host: _, ...options }) => anthropicModel(options),
  expected(exchange) {
    const { content, model, stop_reason, usage } = messageOf(exchange)
    const blocks = listOf(content)
    const calls = blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input, written }) => ({
        wire: String(id),
        tool: String(name),
        arguments: written ? String(written) : JSON.stringify(input),
      }))
    return {
      text: blocks.map(({ type, text }) => (type === "text" ? text : "")).join(""),
      calls,
      usage: usageOf(mapOf(usage)),
      stop: stop_reason === "max_tokens" ? "length" : calls.length > 0 ? "calls" : "end",
      model: String(model),
    }
  },
  history({ messages }) {
    const all = listOf(messages).flatMap((message): readonly Message[] => {
      const blocks = blocksOf(message)
      if (message.role === "assistant")
        return [{ role: "assistant", text: textIn(blocks), calls: blocks.flatMap(callIn) }]
      const results = blocks.filter(({ type }) => type === "tool_result")
      const said = textIn(blocks)
      return [
        ...results.map((block): Message => {
          const wire = String(block.tool_use_id)
          return { role: "tool", call: wire, wire, tool: "tool", text: resultIn(block) }
        }),
        ...(said === "" ? [] : [{ role: "user", text: said } as const]),
      ]
    })
    return all.reduce(joined, [])
  },
  items: ({ messages }) =>
    listOf(messages).flatMap((message) =>
      blocksOf(message).flatMap((block) => comparable(block, message.role!)),
    ),
}

/** Turns of one role that stand beside each other are one. */
function joined(messages: readonly Message[], message: Message): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== "assistant" || message.role !== "assistant") return [...messages, message]
  const both = { ...last, text: last.text + message.text, calls: [...last.calls, ...message.calls] }
  return [...messages.slice(0, -1), both]
}

function messageOf({ stream, response }: Exchange): JsonMap {
  if (!stream) return JSON.parse(response)
  const blocks: Record<string, Json>[] = []
  let message: JsonMap = {}
  for (const event of eventsIn(response)) {
    const at = Number(event.index)
    const delta = mapOf(event.delta)
    if (event.type === "message_start") message = mapOf(event.message)
    if (event.type === "content_block_start") blocks[at] = { ...mapOf(event.content_block) }
    if (event.type === "content_block_delta") {
      const block = blocks[at]!
      if (delta.type === "text_delta") block.text = `${block.text}${delta.text}`
      if (delta.type === "input_json_delta") block.written = `${block.written ?? ""}${delta.partial_json}`
    }
    if (event.type === "message_delta")
      message = { ...message, ...delta, usage: { ...mapOf(message.usage), ...told(mapOf(event.usage)) } }
  }
  return { ...message, content: blocks }
}

const told = (usage: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

const listOf = (value: Json | undefined): readonly JsonMap[] => (Array.isArray(value) ? value : [])

const blocksOf = ({ content }: JsonMap): readonly JsonMap[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content)

const textIn = (blocks: readonly JsonMap[]): string =>
  blocks.map(({ type, text }) => (type === "text" ? text : "")).join("")

const callIn = ({ type, id, name, input }: JsonMap): readonly ToolCall[] =>
  type === "tool_use"
    ? [{ id: String(id), wire: String(id), tool: String(name), arguments: JSON.stringify(input) }]
    : []

const resultIn = ({ content }: JsonMap): string =>
  typeof content === "string" ? content : textIn(listOf(content))

function usageOf(usage: JsonMap): TokenUsage {
  const number = (value: Json | undefined) => (typeof value === "number" ? value : 0)
  const read = usage.cache_read_input_tokens
  const { thinking_tokens } = mapOf(usage.output_tokens_details)
  return {
    inputTokens: number(usage.input_tokens) + number(read) + number(usage.cache_creation_input_tokens),
    outputTokens: number(usage.output_tokens),
    ...(typeof read === "number" && { cachedTokens: read }),
    ...(typeof thinking_tokens === "number" && { reasoningTokens: thinking_tokens }),
  }
}

/** What a block must say again; those of tools that the provider runs are not ours. */
function comparable(block: JsonMap, role: Json): readonly JsonMap[] {
  const { type, text, name, input, tool_use_id, thinking, signature, data } = block
  switch (type) {
    case "text":
      return String(text).trim() === "" ? [] : [{ role, text: text! }]
    case "tool_use":
      return [{ role, name: name!, input: input! }]
    case "tool_result":
      return [{ role, tool_use_id: tool_use_id!, text: resultIn(block) }]
    case "thinking":
      return [{ role, thinking: thinking!, signature: signature! }]
    case "redacted_thinking":
      return [{ role, data: data! }]
    default:
      return []
  }
}
