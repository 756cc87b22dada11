import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Json } from "../message.ts"

/**
 * A model server on 127.0.0.1 that speaks OpenAI chat completions, as JSON and as a stream, from a script. It
 * is stricter than providers are: a request one of them could refuse is answered 400. Faults are injected per
 * request.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ServedRequest[] = []
  const server = createServer((incoming, response) => {
    serve(incoming, response, options, requests).catch((thrown) => response.destroy(thrown))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface ModelServerOptions {
  /**
   * The answers in order, or a function that gives one. Where a list has run out, requests are answered 400.
   */
  readonly script: readonly ScriptedAnswer[] | ((request: ServedRequest) => ScriptedAnswer)
  /** When given, a request without this bearer token is answered 401. */
  readonly apiKey?: string
}

export interface ModelServer {
  /** The base URL, with `/v1`. */
  readonly url: string
  readonly requests: readonly ServedRequest[]
  close(): Promise<void>
}

export interface ServedRequest {
  /** 1 for the first request. */
  readonly number: number
  /** The same for requests that came over one connection. */
  readonly connection: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly [key: string]: Json }
  /** Why it was refused. */
  readonly problem?: string
}

export interface ScriptedAnswer {
  readonly text?: string
  readonly reasoning?: string
  /** Without an id, one that is unique on this server. A string is sent as it is. */
  readonly calls?: readonly { readonly tool: string; readonly arguments: Json; readonly id?: string }[]
  readonly usage?: Json
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly finish?: string
  readonly delayMs?: number
  readonly fault?: Fault
}

export type Fault =
  /** An error answer. `retry-after` and the like go into `headers`. */
  | {
      readonly type: "status"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly error?: Json
      readonly body?: string
    }
  /** The body stops after so many bytes: as if it were complete, or with the connection. */
  | { readonly type: "cut"; readonly afterBytes: number; readonly how: "end" | "reset" }
  /** The stream ends without a finish reason and without `[DONE]`. */
  | { readonly type: "no-terminal" }
  /** An error object in the middle of a stream, or as a JSON answer with status 200. */
  | { readonly type: "error-event"; readonly error: Json }
  /** JSON that does not parse, in the middle of a stream or as the whole body. */
  | { readonly type: "garbage" }
  | { readonly type: "html" }
  /** Silence after so many bytes, broken by a comment every `pingMs`. */
  | { readonly type: "stall"; readonly afterBytes: number; readonly pingMs?: number }
  /** The body in pieces of so many bytes each. */
  | { readonly type: "pieces"; readonly bytes: number }
  /** So many bytes of a body that is valid so far. */
  | { readonly type: "flood"; readonly bytes: number }
  /** Any answer, written out. */
  | {
      readonly type: "raw"
      readonly body: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      readonly status?: number
    }

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { script, apiKey }: ModelServerOptions,
  requests: ServedRequest[],
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const parsed = parse(text)
  const problem = bodyProblem(parsed)
  const refused = refusal(incoming, apiKey) ?? (problem && { status: 400, message: problem })
  const request: ServedRequest = {
    number: requests.length + 1,
    connection: incoming.socket.remotePort ?? 0,
    headers: incoming.headers,
    text,
    body: isRecord(parsed) ? parsed : {},
    ...(refused && { problem: refused.message }),
  }
  requests.push(request)
  if (refused) return sendError(response, refused)
  const answer = typeof script === "function" ? script(request) : script[request.number - 1]
  if (!answer)
    return sendError(response, {
      status: 400,
      message: `The script has no answer for request ${request.number}.`,
    })
  if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
  send(response, answer, request.body)
}

interface Refused {
  readonly status: number
  readonly message: string
  readonly type?: string
}

function refusal({ method, url, headers }: IncomingMessage, apiKey: string | undefined): Refused | undefined {
  if (url?.split("?")[0] !== "/v1/chat/completions") return { status: 404, message: `Unknown URL: ${url}` }
  if (method !== "POST") return { status: 405, message: `Method ${method} is not allowed.` }
  if (!headers["content-type"]?.startsWith("application/json"))
    return { status: 400, message: "The content-type must be application/json." }
  if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`)
    return { status: 401, message: "Incorrect API key provided.", type: "authentication_error" }
  return undefined
}

function sendError(response: ServerResponse, refused: Refused): void {
  const { status, message, type = "invalid_request_error" } = refused
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ error: { message, type, param: null, code: null } }))
}

function send(response: ServerResponse, answer: ScriptedAnswer, body: ServedRequest["body"]): void {
  const [fault, streamed] = [answer.fault, body.stream === true]
  const type = streamed ? "text/event-stream" : "application/json"
  const other = fault && writtenOut(fault)
  if (other) {
    response.writeHead(other.status ?? 200, { "content-type": type, ...other.headers }).end(other.body)
    return
  }
  response.writeHead(200, { "content-type": type })
  const bytes = Buffer.from(streamed ? streamText(answer, body) : jsonText(answer, body))
  switch (fault?.type) {
    case "cut":
      response.write(bytes.subarray(0, fault.afterBytes))
      if (fault.how === "end") response.end()
      // After the bytes have left, or the reset would overtake them.
      else setTimeout(() => response.socket?.resetAndDestroy(), 20)
      return
    case "stall": {
      response.write(bytes.subarray(0, fault.afterBytes))
      if (!fault.pingMs) return
      const timer = setInterval(() => response.write(": ping\n\n"), fault.pingMs)
      response.on("close", () => clearInterval(timer))
      return
    }
    case "pieces":
      for (let at = 0; at < bytes.length; at += fault.bytes)
        response.write(bytes.subarray(at, at + fault.bytes))
      response.end()
      return
    case "flood":
      flood(response, fault.bytes, streamed ? ": flood\n" : " ")
      return
    default:
      response.end(bytes)
  }
}

/** The faults that are another answer altogether. */
function writtenOut(fault: Fault): Omit<Extract<Fault, { type: "raw" }>, "type"> | undefined {
  switch (fault.type) {
    case "raw":
      return fault
    case "status": {
      const error = fault.error ?? { message: `Scripted ${fault.status}.`, type: "scripted", code: null }
      const headers = { "content-type": "application/json", ...fault.headers }
      return { status: fault.status, headers, body: fault.body ?? JSON.stringify({ error }) }
    }
    case "html":
      return { headers: { "content-type": "text/html; charset=utf-8" }, body: signIn }
    default:
      return undefined
  }
}

const signIn = "<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>"

function flood(response: ServerResponse, bytes: number, filler: string): void {
  const piece = Buffer.alloc(64 * 1024, filler)
  let left = bytes
  const pour = (): void => {
    while (left > 0) {
      left -= piece.length
      if (!response.write(piece)) {
        response.once("drain", pour)
        return
      }
    }
    response.end()
  }
  pour()
}

let lastId = 0

function wireCalls({ calls = [] }: ScriptedAnswer) {
  return calls.map(({ id = `call_${++lastId}`, tool: name, arguments: given }) => {
    const text = typeof given === "string" ? given : JSON.stringify(given)
    return { id, type: "function", function: { name, arguments: text } }
  })
}

const finishOf = ({ finish, calls }: ScriptedAnswer): string =>
  finish ?? (calls?.length ? "tool_calls" : "stop")

const usageOf = ({ usage }: ScriptedAnswer): Json =>
  usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

function jsonText(answer: ScriptedAnswer, { model }: ServedRequest["body"]): string {
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
    id: `chatcmpl-${++lastId}`,
    object: "chat.completion",
    model,
    choices,
    usage: usageOf(answer),
  })
}

function streamText(answer: ScriptedAnswer, { model, stream_options }: ServedRequest["body"]): string {
  const id = `chatcmpl-${++lastId}`
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
  for (const word of (answer.text ?? "").split(/(?<= )/))
    if (word !== "") events.push(chunk({ content: word }))
  for (const [index, { id, function: called }] of wireCalls(answer).entries()) {
    const { name, arguments: text } = called
    const half = Math.ceil(text.length / 2)
    events.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }))
    events.push(chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] }))
    events.push(chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }))
  }
  if (answer.fault?.type === "no-terminal") return events.join("")
  if (answer.fault?.type === "garbage") events.push('data: {"choices":[{"delta":\n\n')
  if (answer.fault?.type === "error-event") return events.join("") + event({ error: answer.fault.error })
  events.push(chunk({}, finishOf(answer)))
  if (isRecord(stream_options) && stream_options.include_usage)
    events.push(event({ id, object: "chat.completion.chunk", model, choices: [], usage: usageOf(answer) }))
  return `${events.join("")}data: [DONE]\n\n`
}

/** What a provider could refuse about a request's body. */
function bodyProblem(body: unknown): string | undefined {
  if (!isRecord(body)) return "The body is no JSON object."
  if (hasLoneSurrogate(JSON.stringify(body))) return "The body has a lone surrogate."
  if (typeof body.model !== "string" || body.model === "") return "model: a string is required."
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return "messages: a non-empty list is required."
  return messagesProblem(body.messages) ?? (body.tools === undefined ? undefined : toolsProblem(body.tools))
}

/**
 * JSON.stringify writes a lone surrogate as an escape and a pair as itself, so any escape from that range is
 * lone.
 */
const hasLoneSurrogate = (text: string): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i.test(text)

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
    const { name, description, parameters } = tool.function
    if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
      return `${at}.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
    if (names.has(name)) return `${at}.function.name: ${name} is there twice.`
    names.add(name)
    if (typeof description !== "string") return `${at}.function.description: a string is required.`
    const problem = schemaProblem(parameters)
    if (problem) return `${at}.function.parameters: ${problem}`
  }
  return undefined
}

function schemaProblem(schema: unknown): string | undefined {
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

const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
