import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import type { ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"
import { createAnthropicProtocol } from "./model-server/anthropic.ts"
import { anthropicModelRules } from "./model-server/anthropic-model-rules.ts"
import { chatProviders } from "./model-server/chat-providers.ts"
import { geminiProtocol } from "./model-server/gemini.ts"
import { openAiProtocol } from "./model-server/openai.ts"
import { type ErrorAnswer, isRecord, parse, type WireProtocol } from "./model-server/protocol.ts"
import { responsesProtocol } from "./model-server/responses.ts"
import { send } from "./model-server/send.ts"

export type { Fault, ScriptedAnswer, ServedRequest } from "./model-server/answer.ts"

/**
 * Starts a model server on 127.0.0.1 that answers from a script, as JSON or as a stream. It speaks OpenAI chat completions
 * and responses, Anthropic messages and Gemini. It answers 400 to a request that breaks a rule of its protocol, even if some
 * providers accept it. `provider` adds the rules of one provider. The script can inject a fault into any answer.
 *
 * @example
 * ```ts
 * import { openaiModel } from "cadre"
 * import { startModelServer } from "cadre/testing"
 *
 * const server = await startModelServer({ script: [{ text: "Hello." }] })
 * const model = openaiModel({ model: "any", baseUrl: server.url })
 * console.log(model.id, server.requests.length)
 * await server.close()
 * ```
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

/** The answers of a model server, and its rules. */
export interface ModelServerOptions {
  /**
   * A list, or a function that returns one answer. Request N gets answer N of the list, so a refused request uses up its
   * answer. Requests after the last answer get 400.
   */
  readonly script: readonly ScriptedAnswer[] | ((request: ServedRequest) => ScriptedAnswer)
  /** If set, a request without this key is answered 401. */
  readonly apiKey?: string
  /**
   * The id of a built-in provider, such as `deepseek`. The server then also applies the rules of that provider, and sends
   * reasoning in the same field as that provider.
   */
  readonly provider?: string
}

/** A local model server, which records its requests. */
export interface ModelServer {
  /** The base URL, with `/v1`. For Gemini, replace that with `/v1beta`; for Azure, remove it. */
  readonly url: string
  /** All requests so far, in the order of their arrival. Refused ones are included. */
  readonly requests: readonly ServedRequest[]
  /** Stops the server and closes all connections, also those with a request in flight. */
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
  const matchingProtocol = protocols.find((candidate) => candidate.serves(pathname))
  // For an unknown path, the error is in the format of the oldest protocol.
  const protocol = matchingProtocol ?? protocols[0]!
  const body = isRecord(parsed) ? parsed : {}
  const refusalAnswer = matchingProtocol
    ? refusal(incoming, matchingProtocol, parsed, { apiKey, path: pathname + search })
    : { status: 404, message: `Unknown URL: ${incoming.url}`, type: "not_found_error" }
  const notes = matchingProtocol?.notes?.(body) ?? []
  const request: ServedRequest = {
    number: requests.length + 1,
    connection: incoming.socket.remotePort ?? 0,
    protocol: matchingProtocol?.name ?? "unknown",
    path: pathname + search,
    streamed: protocol.isStreamed(body, pathname),
    headers: incoming.headers,
    text,
    body,
    ...(refusalAnswer && { problem: refusalAnswer.message }),
    ...(notes.length > 0 && { notes }),
  }
  requests.push(request)
  if (refusalAnswer) return sendError(response, protocol, refusalAnswer)
  const answer = typeof script === "function" ? script(request) : script[request.number - 1]
  if (!answer)
    return sendError(response, protocol, {
      status: 400,
      message: `The script has no answer for request ${request.number}.`,
    })
  if (answer.delayMs) await waitWhileOpen(response, answer.delayMs)
  if (!response.destroyed) send(response, protocol, answer, request)
}

/** Waits, but ends early if the connection closes, so that a closed server does not keep the process alive. */
const waitWhileOpen = (response: ServerResponse, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    response.once("close", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** The protocols, the oldest first. The rules of the provider are added to the protocol that it speaks. */
function protocolsOf(provider: string | undefined): readonly WireProtocol[] {
  const knownProviders = [...Object.keys(chatProviders), "anthropic", "openai-responses"]
  if (provider !== undefined && !knownProviders.includes(provider))
    throw new CadreError(
      "OPTION_INVALID",
      `startModelServer: unknown provider ${JSON.stringify(provider)}. ${listKnownNames(provider, knownProviders)}`,
    )
  const chat = provider === undefined ? undefined : chatProviders[provider]
  return [
    openAiProtocol(chat),
    responsesProtocol,
    createAnthropicProtocol(provider === "anthropic" ? anthropicModelRules : []),
    geminiProtocol,
  ]
}

function refusal(
  { method, headers }: IncomingMessage,
  protocol: WireProtocol,
  body: unknown,
  { apiKey, path }: { readonly apiKey: string | undefined; readonly path: string },
): ErrorAnswer | undefined {
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
  problem: (body: Record<string, Json>) => string | ErrorAnswer | undefined,
): string | ErrorAnswer | undefined {
  if (!isRecord(body)) return "The body is not a JSON object."
  if (hasLoneSurrogate(JSON.stringify(body))) return "The body has a lone surrogate."
  return problem(body)
}

/**
 * JSON.stringify escapes a lone surrogate and writes a pair as it is. So every escape from that range is a lone
 * surrogate.
 */
const hasLoneSurrogate = (text: string): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i.test(text)

function sendError(response: ServerResponse, protocol: WireProtocol, refused: ErrorAnswer): void {
  const { status, message, type = "invalid_request_error", code } = refused
  response.writeHead(status, { "content-type": "application/json" })
  response.end(protocol.errorText({ message, type, ...(code !== undefined && { code }) }, status))
}
