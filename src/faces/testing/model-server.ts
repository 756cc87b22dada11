import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { CadreError, knownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import type { ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"
import { anthropic } from "./model-server/anthropic.ts"
import { anthropicModelRules } from "./model-server/anthropic-model-rules.ts"
import { chatProviders } from "./model-server/chat-providers.ts"
import { gemini } from "./model-server/gemini.ts"
import { openai } from "./model-server/openai.ts"
import { isRecord, parse, type Refused, type WireProtocol } from "./model-server/protocol.ts"
import { responses } from "./model-server/responses.ts"
import { send } from "./model-server/send.ts"

export type { Fault, ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"

/**
 * A model server on 127.0.0.1 that speaks OpenAI chat completions and responses, Anthropic messages and Gemini,
 * as JSON and as a stream, from a script. It is stricter than providers are: a request one of them could refuse
 * is answered 400. Faults are injected per request.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  requireKnownOptions("startModelServer", options, { script: "known", apiKey: "known", provider: "known" })
  const protocols = protocolsOf(options.provider)
  const requests: ServedRequest[] = []
  const server = createServer((incoming, response) => {
    serve(incoming, response, { ...options, protocols }, requests).catch((thrown) => response.destroy(thrown))
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
  /** When given, a request without this key is answered 401. */
  readonly apiKey?: string
  /**
   * The id of a built-in provider, such as `deepseek`: the server refuses what that provider does, and its answers hold
   * reasoning where that provider's do.
   */
  readonly provider?: string
}

export interface ModelServer {
  /** The base URL, with `/v1`; that of Gemini has `/v1beta` in its place, that of Azure nothing. */
  readonly url: string
  readonly requests: readonly ServedRequest[]
  close(): Promise<void>
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { script, apiKey, protocols }: ModelServerOptions & { readonly protocols: readonly WireProtocol[] },
  requests: ServedRequest[],
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const parsed = parse(text)
  const { pathname, search } = new URL(incoming.url ?? "/", "http://127.0.0.1")
  const spoken = protocols.find((known) => known.serves(pathname))
  // What asks for an unknown path is told so in the oldest protocol.
  const protocol = spoken ?? protocols[0]!
  const body = isRecord(parsed) ? parsed : {}
  const refused = spoken
    ? refusal(incoming, spoken, parsed, { apiKey, path: pathname + search })
    : { status: 404, message: `Unknown URL: ${incoming.url}`, type: "not_found_error" }
  const notes = spoken?.notes?.(body) ?? []
  const request: ServedRequest = {
    number: requests.length + 1,
    connection: incoming.socket.remotePort ?? 0,
    protocol: spoken?.name ?? "unknown",
    path: pathname + search,
    streamed: protocol.isStreamed(body, pathname),
    headers: incoming.headers,
    text,
    body,
    ...(refused && { problem: refused.message }),
    ...(notes.length > 0 && { notes }),
  }
  requests.push(request)
  if (refused) return sendError(response, protocol, refused)
  const answer = typeof script === "function" ? script(request) : script[request.number - 1]
  if (!answer)
    return sendError(response, protocol, {
      status: 400,
      message: `The script has no answer for request ${request.number}.`,
    })
  if (answer.delayMs) await waited(response, answer.delayMs)
  if (!response.destroyed) send(response, protocol, answer, request)
}

/** Not longer than somebody waits for the answer: a server that was closed holds up no process. */
const waited = (response: ServerResponse, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    response.once("close", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** The protocols, the oldest first, with the rules of a provider in those that it speaks. */
function protocolsOf(provider: string | undefined): readonly WireProtocol[] {
  const known = [...Object.keys(chatProviders), "anthropic", "openai-responses"]
  if (provider !== undefined && !known.includes(provider))
    throw new CadreError(
      "OPTION_INVALID",
      `startModelServer: there is no provider ${JSON.stringify(provider)}. ${knownNames(provider, known)}`,
    )
  const chat = provider === undefined ? undefined : chatProviders[provider]
  return [openai(chat), responses, anthropic(provider === "anthropic" ? anthropicModelRules : []), gemini]
}

function refusal(
  { method, headers }: IncomingMessage,
  protocol: WireProtocol,
  body: unknown,
  { apiKey, path }: { readonly apiKey: string | undefined; readonly path: string },
): Refused | undefined {
  if (method !== "POST") return { status: 405, message: `Method ${method} is not allowed.` }
  if (!headers["content-type"]?.startsWith("application/json"))
    return { status: 400, message: "The content-type must be application/json." }
  const problem = bodyProblem(body, (record) => protocol.problem(record, headers, path))
  return (
    protocol.refusal(headers, apiKey, path) ??
    (typeof problem === "string" ? { status: 400, message: problem } : problem)
  )
}

function bodyProblem(
  body: unknown,
  problem: (body: Record<string, Json>) => string | Refused | undefined,
): string | Refused | undefined {
  if (!isRecord(body)) return "The body is no JSON object."
  if (hasLoneSurrogate(JSON.stringify(body))) return "The body has a lone surrogate."
  return problem(body)
}

/**
 * JSON.stringify writes a lone surrogate as an escape and a pair as itself, so any escape from that range is
 * lone.
 */
const hasLoneSurrogate = (text: string): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i.test(text)

function sendError(response: ServerResponse, protocol: WireProtocol, refused: Refused): void {
  const { status, message, type = "invalid_request_error", code } = refused
  response.writeHead(status, { "content-type": "application/json" })
  response.end(protocol.errorText({ message, type, ...(code !== undefined && { code }) }, status))
}
