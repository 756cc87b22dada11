import type { Json, JsonMap, Message, TokenUsage, ToolCall } from "../../src/ground/message.ts"
import { mapOf } from "../../src/ground/message.ts"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { naming } from "../naming.ts"
import { type Exchange, eventsIn, type RecordedProtocol } from "./recordings-kit.ts"

/** Chat completions, as recorded exchanges have them. */
export const recordedChat: RecordedProtocol = {
  name: "chat",
  open: ({ host, ...options }) => openaiModel({ ...options, provider: providerAt(host) }),
  expected(exchange) {
    const { message, finish, model, usage } = stream(exchange)
    const failed = failedIn(exchange)
    const calls =
      failed ?? callsOf(message).map(({ id, tool, arguments: text }) => ({ wire: id, tool, arguments: text }))
    const stop = finish === "length" ? "length" : calls.length > 0 ? "calls" : "end"
    return {
      text: textOf(message),
      calls: stop === "length" ? [] : calls,
      usage: usageOf(mapOf(usage)),
      stop,
      ...(stop === "length" && { finish, ...(calls.length > 0 && { cutCalls: calls.length }) }),
      ...(model && { model: String(model) }),
    }
  },
  error: (exchange) => (exchange.status >= 300 ? refusalIn(exchange) : errorIn(exchange)),
  history({ messages }) {
    return listOf(messages).flatMap((message): readonly Message[] => {
      switch (message.role) {
        case "user":
          return [{ role: "user", text: textOf(message) }]
        case "assistant":
          return [
            {
              role: "assistant",
              text: withoutThoughts(textOf(message)),
              calls: callsOf(message).map(callOf),
            },
          ]
        case "tool": {
          const wire = String(message.tool_call_id)
          return [{ role: "tool", call: wire, wire, tool: "tool", text: textOf(message) }]
        }
        default:
          return []
      }
    })
  },
  items: ({ messages }, host) => listOf(messages).flatMap((message) => comparable(message, host)),
}

const providerAt = (host: string): string => {
  const known: Readonly<Record<string, string>> = {
    "api.openai.com": "openai",
    "api.deepseek.com": "deepseek",
    "api.groq.com": "groq",
    "api.mistral.ai": "mistral",
    "api.z.ai": "zai",
    "openrouter.ai": "openrouter",
    "generativelanguage.googleapis.com": "google",
    "api.cerebras.ai": "cerebras",
  }
  return known[host] ?? (host.endsWith(".azure.com") ? "azure" : "any")
}

/** A stream put together, in the plainest way. */
function stream({ stream, response }: Exchange): {
  readonly message: JsonMap
  readonly finish: string | undefined
  readonly model: Json | undefined
  readonly usage: Json | undefined
} {
  if (!stream) {
    const { choices, model, usage } = JSON.parse(response) as JsonMap
    const [choice] = listOf(choices)
    return { message: mapOf(choice?.message), finish: choice?.finish_reason as string, model, usage }
  }
  let text = ""
  const calls: JsonMap[] = []
  let finish: string | undefined
  let model: Json | undefined
  let usage: Json | undefined
  for (const event of eventsIn(response)) {
    model = event.model || model
    usage = event.usage ?? usage
    const [choice] = listOf(event.choices)
    finish = (choice?.finish_reason as string) || finish
    const delta = mapOf(choice?.delta)
    text += textOf(delta)
    for (const piece of listOf(delta.tool_calls)) {
      const at = Number(piece.index ?? 0)
      const before = mapOf(calls[at])
      const { name, arguments: given } = mapOf(piece.function)
      calls[at] = {
        id: before.id || piece.id || "",
        function: {
          name: mapOf(before.function).name || name || "",
          arguments: `${mapOf(before.function).arguments ?? ""}${given ?? ""}`,
        },
      }
    }
  }
  return { message: { content: text, tool_calls: calls }, finish, model, usage }
}

const refusalIn = ({ response }: Exchange): readonly [string, boolean] => [
  "rejected",
  /"code": ?"tool_use_failed"/.test(response),
]

/** Which error an answer must come to that holds none that can be read. */
function errorIn({ response }: Exchange): readonly [string, boolean] | undefined {
  if (/"code": ?"tool_use_failed"/.test(response)) return ["rejected", true]
  if (/"error": ?\{"code": ?400|"error":\{"message"/.test(response)) return ["rejected", false]
  return ["protocol", true]
}

/** The call that Groq refused. */
function failedIn({
  response,
}: Exchange): Required<ReturnType<RecordedProtocol["expected"]>>["calls"] | undefined {
  const found = response.startsWith("{")
    ? JSON.parse(response).error
    : eventsIn(response).find(({ error }) => error)?.error
  const { code, failed_generation, message } = mapOf(found)
  if (code !== "tool_use_failed" || !String(failed_generation).startsWith("{")) return undefined
  const { name, arguments: given } = JSON.parse(String(failed_generation))
  const problem = naming("provider", "refused", `${message}`)
  return [{ wire: "call_refused", tool: name, arguments: JSON.stringify(given), problem }]
}

const listOf = (value: Json | undefined): readonly JsonMap[] => (Array.isArray(value) ? value : [])

function textOf({ content }: JsonMap): string {
  if (typeof content === "string") return content
  return listOf(content)
    .map(({ text }) => text ?? "")
    .join("")
}

const callsOf = ({ tool_calls }: JsonMap) =>
  listOf(tool_calls).map(({ id, function: called }) => ({
    id: String(id ?? ""),
    tool: String(mapOf(called).name),
    arguments: String(mapOf(called).arguments ?? "") || "{}",
  }))

const callOf = ({ id, ...call }: ReturnType<typeof callsOf>[number]): ToolCall => ({ ...call, id, wire: id })

function usageOf(usage: JsonMap): TokenUsage {
  const { prompt_tokens: input, completion_tokens: written, total_tokens: total } = usage
  const cached =
    mapOf(usage.prompt_tokens_details).cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.num_cached_tokens ??
    usage.cached_tokens
  const { reasoning_tokens = usage.reasoning_tokens } = mapOf(usage.completion_tokens_details)
  const isCounted = input !== undefined && written !== undefined
  return {
    ...(isCounted && {
      inputTokens: Number(input),
      outputTokens: Math.max(Number(written), Number(total ?? 0) - Number(input)),
    }),
    ...(typeof cached === "number" && { cachedTokens: cached }),
    ...(typeof reasoning_tokens === "number" && { reasoningTokens: reasoning_tokens }),
  }
}

/** Whoever recorded them put what was thought into the text for providers that have no field for it. */
const withoutThoughts = (text: string): string => text.replace(/<think>[\s\S]*?<\/think>\s*/g, "").trim()

/** What a message must say again: not the settings that come along, nor a null in place of nothing. */
function comparable(message: JsonMap, host: string): readonly JsonMap[] {
  const { role, tool_call_id, reasoning_content, reasoning, reasoning_details, content } = message
  const text = withoutThoughts(textOf(message))
  switch (role) {
    case "user":
      return [{ role, text }]
    case "tool":
      return [{ role, tool_call_id: tool_call_id!, text }]
    case "assistant":
      return [
        {
          role,
          text,
          calls: callsOf(message).map(({ tool, arguments: given }) => ({ tool, given: JSON.parse(given) })),
          thinking: listOf(content)
            .filter(({ type }) => type === "thinking")
            .map(({ thinking }) => listOf(thinking).map(({ text }) => text!)),
          ...(reasoning_content ? { reasoning_content } : {}),
          ...(reasoning && host !== "openrouter.ai" ? { reasoning } : {}),
          ...(reasoning_details ? { reasoning_details } : {}),
        },
      ]
    default:
      return []
  }
}
