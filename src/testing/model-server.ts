import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"
import { anthropic } from "./model-server/anthropic.ts"
import { openai } from "./model-server/openai.ts"
import { isRecord, parse, type Refused, type WireProtocol } from "./model-server/protocol.ts"
import { send } from "./model-server/send.ts"

export type { Fault, ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"

/**
 * A model server on 127.0.0.1 that speaks OpenAI chat completions and Anthropic messages, as JSON and as a
 * stream, from a script. It is stricter than providers are: a request one of them could refuse is answered 400.
 * Faults are injected per request.
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
  /** When given, a request without this key is answered 401. */
  readonly apiKey?: string
}

export interface ModelServer {
  /** The base URL, with `/v1`. */
  readonly url: string
  readonly requests: readonly ServedRequest[]
  close(): Promise<void>
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
  const path = incoming.url?.split("?")[0]
  const spoken = [openai, anthropic].find((known) => known.path === path)
  // What asks for an unknown path is told so in the older protocol.
  const protocol = spoken ?? openai
  const refused = spoken
    ? refusal(incoming, spoken, parsed, apiKey)
    : { status: 404, message: `Unknown URL: ${incoming.url}`, type: "not_found_error" }
  const request: ServedRequest = {
    number: requests.length + 1,
    connection: incoming.socket.remotePort ?? 0,
    protocol: spoken?.name ?? "unknown",
    headers: incoming.headers,
    text,
    body: isRecord(parsed) ? parsed : {},
    ...(refused && { problem: refused.message }),
  }
  requests.push(request)
  if (refused) return sendError(response, protocol, refused)
  const answer = typeof script === "function" ? script(request) : script[request.number - 1]
  if (!answer)
    return sendError(response, protocol, {
      status: 400,
      message: `The script has no answer for request ${request.number}.`,
    })
  if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
  send(response, protocol, answer, request.body)
}

function refusal(
  { method, headers }: IncomingMessage,
  protocol: WireProtocol,
  body: unknown,
  apiKey: string | undefined,
): Refused | undefined {
  if (method !== "POST") return { status: 405, message: `Method ${method} is not allowed.` }
  if (!headers["content-type"]?.startsWith("application/json"))
    return { status: 400, message: "The content-type must be application/json." }
  const problem = bodyProblem(body, protocol, headers)
  return protocol.refusal(headers, apiKey) ?? (problem ? { status: 400, message: problem } : undefined)
}

function bodyProblem(
  body: unknown,
  protocol: WireProtocol,
  headers: IncomingMessage["headers"],
): string | undefined {
  if (!isRecord(body)) return "The body is no JSON object."
  if (hasLoneSurrogate(JSON.stringify(body))) return "The body has a lone surrogate."
  if (typeof body.model !== "string" || body.model === "") return "model: a string is required."
  return protocol.problem(body, headers)
}

/**
 * JSON.stringify writes a lone surrogate as an escape and a pair as itself, so any escape from that range is
 * lone.
 */
const hasLoneSurrogate = (text: string): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i.test(text)

function sendError(response: ServerResponse, protocol: WireProtocol, refused: Refused): void {
  const { status, message, type = "invalid_request_error" } = refused
  response.writeHead(status, { "content-type": "application/json" })
  response.end(protocol.errorText({ message, type }))
}
