import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../message.ts"
import { type ScriptedAnswer, type ServedRequest, usualTokens } from "./answer.ts"
import { dataUrlProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import {
  argumentText,
  firstProblem,
  halves,
  isRecord,
  modelProblem,
  newId,
  type Refused,
  schemaProblem,
  type WireProtocol,
  wordsOf,
} from "./protocol.ts"
import { strictProblem } from "./strict-problem.ts"

/** OpenAI's chat completions. */
export const openai: WireProtocol = {
  name: "openai",
  serves: (path) =>
    path === "/v1/chat/completions" || /^\/openai\/(v1|deployments\/[^/]+)\/chat\/completions$/.test(path),
  isStreamed: ({ stream }) => stream === true,
  ping: ": ping\n\n",
  refusal: openAiRefusal,
  problem(body) {
    const problem = modelProblem(body)
    if (problem) return problem
    if (!Array.isArray(body.messages) || body.messages.length === 0)
      return "messages: a non-empty list is required."
    return messagesProblem(body.messages) ?? (body.tools === undefined ? undefined : toolsProblem(body.tools))
  },
  errorText: openAiErrorText,
  jsonText,
  streamText,
}

/** Azure takes a key in a header of its own, and wants a version of the API where the address has none. */
export function openAiRefusal(
  { authorization, "api-key": key }: IncomingHttpHeaders,
  apiKey: string | undefined,
  path: string,
): Refused | undefined {
  const isAzure = path.startsWith("/openai/")
  if (isAzure && !path.startsWith("/openai/v1/") && !/[?&]api-version=\d{4}-\d\d-\d\d/.test(path))
    return { status: 404, message: "Resource not found", code: "404" }
  const isKnown = authorization === `Bearer ${apiKey}` || (isAzure && key === apiKey)
  return apiKey === undefined || isKnown
    ? undefined
    : { status: 401, message: "Incorrect API key provided.", type: "authentication_error" }
}

export function openAiErrorText(error: Json): string {
  return JSON.stringify({ error: isRecord(error) ? { param: null, code: null, ...error } : error })
}

function wireCalls({ calls = [] }: ScriptedAnswer) {
  return calls.map(({ id = newId("call_"), tool: name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: argumentText(given) },
  }))
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

function jsonText(answer: ScriptedAnswer, { body: { model } }: ServedRequest): string {
  if (answer.fault?.type === "garbage") return '{"choices":[{"message":'
  if (answer.fault?.type === "error-event") return JSON.stringify({ error: answer.fault.error })
  const calls = wireCalls(answer)
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(answer.reasoning && { reasoning_content: answer.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const choices = [{ index: 0, message, finish_reason: finishOf(answer) }]
  return JSON.stringify({
    id: newId("chatcmpl-"),
    object: "chat.completion",
    model,
    choices,
    usage: usageOf(answer),
  })
}

function streamText(answer: ScriptedAnswer, { body }: ServedRequest): string {
  const { model, stream_options } = body
  const id = newId("chatcmpl-")
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      id,
      object: "chat.completion.chunk",
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const events = [chunk({ role: "assistant", content: "" })]
  if (answer.reasoning) events.push(chunk({ reasoning_content: answer.reasoning }))
  for (const word of wordsOf(answer.text ?? "")) events.push(chunk({ content: word }))
  for (const [index, { id, function: called }] of wireCalls(answer).entries()) {
    const { name, arguments: text } = called
    events.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }))
    for (const half of halves(text))
      events.push(chunk({ tool_calls: [{ index, function: { arguments: half } }] }))
  }
  if (answer.fault?.type === "no-terminal") return events.join("")
  if (answer.fault?.type === "garbage") events.push('data: {"choices":[{"delta":\n\n')
  if (answer.fault?.type === "error-event") return events.join("") + event({ error: answer.fault.error })
  events.push(chunk({}, finishOf(answer)))
  if (isRecord(stream_options) && stream_options.include_usage)
    events.push(event({ id, object: "chat.completion.chunk", model, choices: [], usage: usageOf(answer) }))
  return `${events.join("")}data: [DONE]\n\n`
}

function messagesProblem(messages: readonly unknown[]): string | undefined {
  const seen = new Set<string>()
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (!isRecord(message)) return `${at}: an object is required.`
    if (message.role === "tool") {
      if (typeof message.content !== "string") return `${at}.content: a string is required.`
      if (!open.delete(String(message.tool_call_id)))
        return `${at}: a message with role 'tool' must be the one response to a preceding tool call.`
      continue
    }
    if (open.size > 0)
      return `${at}: each tool call needs its tool message before this. Missing: ${[...open].join(", ")}.`
    if (!["system", "developer", "user", "assistant"].includes(String(message.role)))
      return `${at}.role: ${JSON.stringify(message.role)} is no role.`
    if (message.role === "user" && Array.isArray(message.content)) {
      const problem = partsProblem(message.content, `${at}.content`)
      if (problem) return problem
      continue
    }
    if (message.role !== "assistant" || message.tool_calls === undefined) {
      if (typeof message.content !== "string") return `${at}.content: a string is required.`
      continue
    }
    const problem = callsProblem(message.tool_calls, at, seen)
    if (problem) return problem
    if (message.content !== null && typeof message.content !== "string")
      return `${at}.content: a string or null is required.`
    open = new Set((message.tool_calls as { id: string }[]).map(({ id }) => id))
  }
  if (open.size > 0)
    return `messages: the last tool calls have no response. Missing: ${[...open].join(", ")}.`
  return undefined
}

/** Only the user may show something: the messages of tools are text. */
const partsProblem = (parts: readonly Json[], at: string): string | undefined =>
  parts.length === 0
    ? `${at}: a non-empty list is required.`
    : firstProblem(parts, (part, index) => {
        const where = `${at}[${index}]`
        if (!isRecord(part)) return `${where}: an object is required.`
        const { type, text, image_url: image, file } = part
        if (type === "text")
          return typeof text === "string" ? undefined : `${where}.text: a string is required.`
        const problem =
          type === "image_url" && isRecord(image)
            ? dataUrlProblem(image.url, pictureTypes)
            : type === "file" && isRecord(file)
              ? typeof file.filename === "string" && file.filename !== ""
                ? dataUrlProblem(file.file_data, pdfTypes)
                : "filename: a string is required."
              : `Invalid value: ${JSON.stringify(type)}. Supported values are: 'text', 'image_url', 'file'.`
        return problem && `${where}: ${problem}`
      })

function callsProblem(calls: unknown, at: string, seen: Set<string>): string | undefined {
  if (!Array.isArray(calls) || calls.length === 0) return `${at}.tool_calls: a non-empty list is required.`
  for (const [index, call] of calls.entries()) {
    const where = `${at}.tool_calls[${index}]`
    if (!isRecord(call) || call.type !== "function" || !isRecord(call.function))
      return `${where}: a function call is required.`
    if (typeof call.id !== "string" || call.id === "") return `${where}.id: a non-empty string is required.`
    if (seen.has(call.id)) return `${where}.id: ${call.id} is in the conversation twice.`
    seen.add(call.id)
    if (typeof call.function.name !== "string" || call.function.name === "")
      return `${where}.function.name: a string is required.`
    if (typeof call.function.arguments !== "string")
      return `${where}.function.arguments: a string is required.`
  }
  return undefined
}

function toolsProblem(tools: unknown): string | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`
    if (!isRecord(tool) || tool.type !== "function" || !isRecord(tool.function))
      return `${at}: a function is required.`
    const { name, description, parameters, strict } = tool.function
    if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
      return `${at}.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
    if (names.has(name)) return `${at}.function.name: ${name} is there twice.`
    names.add(name)
    if (typeof description !== "string") return `${at}.function.description: a string is required.`
    const problem = schemaProblem(parameters)
    if (problem) return `${at}.function.parameters: ${problem}`
    if (strict !== undefined && strict !== null && typeof strict !== "boolean")
      return `${at}.function.strict: a boolean is required.`
    const refused = strict === true ? strictProblem(parameters!) : undefined
    if (refused) return `Invalid schema for function '${name}': ${refused}`
  }
  return undefined
}
