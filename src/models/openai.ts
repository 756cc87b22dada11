import { CadreError, messageOf } from "../errors.ts"
import type { Json } from "../message.ts"
import type { Model, ModelError } from "../model.ts"
import { failure } from "./failure.ts"
import { type Endpoint, exchange } from "./http.ts"
import { OpenAiReply } from "./openai-reply.ts"
import { openAiRequestWriter, reservedParameters } from "./openai-request.ts"
import { presentable, secretsOf } from "./text.ts"

export interface OpenAiOptions {
  /** What the model is called here. Default: `openai/` and the model's name. */
  readonly id?: string
  /** The name the provider knows it by. */
  readonly model: string
  /** Default: `https://api.openai.com/v1`. Any server that speaks chat completions. A query is kept. */
  readonly baseUrl?: string
  /** Sent as a bearer token, to `baseUrl` alone, and never shown. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How to ask for the answer: as a stream of events (default), or as one JSON object. */
  readonly stream?: "sse" | "json"
  /** Added to every request as they are, such as `temperature`. A `null` leaves a default out. */
  readonly parameters?: Readonly<Record<string, Json>>
  /** Milliseconds without a byte from the provider. Default: 300,000. */
  readonly idleTimeout?: number
  /** Milliseconds for the whole answer. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** Default: 33,554,432. */
  readonly maxResponseBytes?: number
  /** What a token costs. Without it the cost of a run is unknown. */
  readonly price?: Model["price"]
}

/**
 * A model that is asked over OpenAI's chat-completions protocol. A failure of the provider, the connection or
 * the time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 */
export function openaiModel(options: OpenAiOptions): Model {
  const id = options.id ?? `openai/${options.model}`
  const headers = headersFrom(options)
  const secrets = secretsOf(headers)
  const endpoint = endpointFrom(id, options, headers)
  const parameters = options.parameters ?? {}
  const reserved = reservedParameters.find((name) => name in parameters)
  if (reserved)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `${id}: the parameter ${reserved} is the runtime's to set. Remove it.`,
    )
  const write = openAiRequestWriter({
    model: options.model,
    stream: endpoint.expect,
    parameters,
    // OpenAI refuses max_tokens for its newer models; other servers silently ignore the new name.
    limitName: options.baseUrl === undefined ? "max_completion_tokens" : "max_tokens",
  })

  return {
    id,
    ...(options.price && { price: options.price }),
    async stream(request, onDelta) {
      const reply = new OpenAiReply(endpoint.host, onDelta)
      let error: ModelError | undefined
      try {
        error = await exchange(endpoint, write(request), request.signal, reply)
      } catch (thrown) {
        error = failure(
          "rejected",
          `The request to ${endpoint.host} could not be made: ${messageOf(thrown)}`,
          "final",
        )
      }
      return reply.reply(error && presentable(error, secrets))
    },
  }
}

function endpointFrom(
  id: string,
  options: OpenAiOptions,
  headers: Readonly<Record<string, string>>,
): Endpoint {
  const url = urlFrom(id, options.baseUrl ?? "https://api.openai.com/v1")
  return {
    origin: url.origin,
    host: url.host,
    path: `${url.pathname.replace(/\/+$/, "")}/chat/completions${url.search}`,
    headers: Object.entries(headers).flat(),
    idleTimeout: bound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: bound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
    maxResponseBytes: bound(id, "maxResponseBytes", options.maxResponseBytes ?? 32 * 1024 * 1024),
    expect: options.stream ?? "sse",
  }
}

function headersFrom({ apiKey, headers }: OpenAiOptions): Readonly<Record<string, string>> {
  // A key read from a file often ends in a line break, which no header may hold.
  const key = apiKey?.trim()
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...Object.fromEntries(given),
  }
}

function urlFrom(id: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url
  // The address is not shown: it may hold a password.
  throw new CadreError(
    "MODEL_UNKNOWN",
    `${id}: baseUrl is not an http or https address without a user name in it.`,
  )
}

function bound(id: string, name: string, value: number): number {
  if (Number.isInteger(value) && value > 0 && value <= longestTimer) return value
  throw new CadreError(
    "LIMIT_INVALID",
    `${id}: ${name} is ${value}. Give a whole number from 1 to ${longestTimer}.`,
  )
}

/** Above this a Node timer fires at once. */
const longestTimer = 2 ** 31 - 1
