import type { Json, JsonMap, Message, TokenUsage, ToolCall } from "../../src/ground/message.ts"
import { mapOf } from "../../src/ground/message.ts"
import { responsesModel } from "../../src/world/models/wire/responses.ts"
import { type Exchange, eventsIn, type RecordedProtocol } from "./recordings-kit.ts"

/** OpenAI's responses, as recorded exchanges have them. */
export const recordedResponses: RecordedProtocol = {
  name: "responses",
  open: ({ host: _, ...options }) => responsesModel(options),
  expected(exchange) {
    const { model, output, usage, status } = responseOf(exchange)
    const items = listOf(output)
    const texts = items.filter(({ type }) => type === "message").map(textOf)
    const calls = items
      .filter(({ type }) => type === "function_call")
      .map((item) => ({ wire: item.call_id, tool: item.name, arguments: item.arguments }))
    return {
      text: texts.join("\n\n"),
      calls: calls as never,
      usage: usageOf(mapOf(usage)),
      stop: status !== "completed" ? "other" : calls.length > 0 ? "calls" : "end",
      model: String(model),
    }
  },
  history({ input }) {
    const messages: Message[] = []
    for (const item of listOf(input)) add(messages, item)
    return messages
  },
  items: ({ input }) => listOf(input).flatMap(comparable),
}

function responseOf({ stream, response }: Exchange): JsonMap {
  if (!stream) return JSON.parse(response)
  return mapOf(eventsIn(response).find(({ type }) => type === "response.completed")?.response)
}

const listOf = (value: Json | undefined): readonly JsonMap[] =>
  typeof value === "string" ? [{ role: "user", content: value }] : Array.isArray(value) ? value : []

function textOf({ content }: JsonMap): string {
  if (typeof content === "string") return content
  return listOf(content)
    .map(({ text }) => text ?? "")
    .join("")
}

function usageOf({
  input_tokens,
  output_tokens,
  input_tokens_details,
  output_tokens_details,
}: JsonMap): TokenUsage {
  const { cached_tokens } = mapOf(input_tokens_details)
  const { reasoning_tokens } = mapOf(output_tokens_details)
  return {
    inputTokens: Number(input_tokens),
    outputTokens: Number(output_tokens),
    ...(cached_tokens !== undefined && { cachedTokens: Number(cached_tokens) }),
    ...(reasoning_tokens !== undefined && { reasoningTokens: Number(reasoning_tokens) }),
  }
}

function add(messages: Message[], item: JsonMap): void {
  const last = messages.at(-1)
  switch (item.type ?? "message") {
    case "message":
      if (item.role === "user") messages.push({ role: "user", text: textOf(item) })
      if (item.role === "assistant") messages.push({ role: "assistant", text: textOf(item), calls: [] })
      return
    case "function_call": {
      const wire = String(item.call_id)
      const call: ToolCall = { id: wire, wire, tool: String(item.name), arguments: String(item.arguments) }
      if (last?.role === "assistant")
        messages[messages.length - 1] = { ...last, calls: [...last.calls, call] }
      else messages.push({ role: "assistant", text: "", calls: [call] })
      return
    }
    case "function_call_output": {
      const wire = String(item.call_id)
      messages.push({ role: "tool", call: wire, wire, tool: "tool", text: String(item.output) })
    }
  }
}

/** Without ids, which are of what is stored, and items of tools that we do not offer. */
function comparable(item: JsonMap): readonly JsonMap[] {
  const {
    type = "message",
    role,
    call_id,
    name,
    arguments: given,
    output,
    summary,
    content,
    encrypted_content,
  } = item
  switch (type) {
    case "message":
      return textOf(item) === "" ? [] : [{ type, role: role!, content: textOf(item) }]
    case "function_call":
      return [{ type, call_id: call_id!, name: name!, arguments: given! }]
    case "function_call_output":
      return [{ type, call_id: call_id!, output: output! }]
    case "reasoning":
      return [
        {
          type,
          summary: summary!,
          ...(encrypted_content ? { encrypted_content } : content && { content }),
        } as JsonMap,
      ]
    default:
      return []
  }
}
