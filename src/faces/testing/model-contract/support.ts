import type { Model, ModelDelta, ModelReply, ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../model-server.ts"
import { requestWith } from "../plain-request.ts"

/** Opens the client under test, with the limits that a case sets. */
export type ModelUnderTest = (options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly idleTimeout?: number
  readonly totalTimeout?: number
  readonly maxResponseBytes?: number
}) => Model | Promise<Model>

export type TestedClientOptions = Partial<Parameters<ModelUnderTest>[0]>

/** Sends a new server one request per answer of the script. A function builds each request from the replies so far. */
export type Ask = (
  script: ScriptedAnswer | readonly ScriptedAnswer[],
  request?: Partial<ModelRequest> | ((replies: readonly ModelReply[]) => Partial<ModelRequest>),
  options?: TestedClientOptions,
) => Promise<ModelExchange>

export interface ModelExchange {
  /** The last reply. `deltas` are the parts of it that were streamed. */
  readonly reply: ModelReply
  readonly deltas: readonly ModelDelta[]
  readonly replies: readonly ModelReply[]
  readonly server: ModelServer
  readonly model: Model
}

export type ModelCases = {
  readonly [name: string]: (ask: Ask) => Promise<void>
}

export function createAsk(open: ModelUnderTest): { readonly ask: Ask; close(): Promise<void> } {
  const servers: ModelServer[] = []
  return {
    async ask(script, request = {}, options = {}) {
      const answers = "length" in script ? script : [script]
      const server = await startModelServer({ script: answers, apiKey })
      servers.push(server)
      const model = await open({ baseUrl: server.url, apiKey, ...options })
      const replies: ModelReply[] = []
      let deltas: ModelDelta[] = []
      for (const _ of answers) {
        deltas = []
        const changes = typeof request === "function" ? request(replies) : request
        replies.push(await model.stream(requestWith(changes), (delta) => deltas.push(delta)))
      }
      return { reply: replies.at(-1)!, deltas, replies, server, model }
    },
    close: async () => {
      for (const server of servers) await server.close()
    },
  }
}

/** The key that the server accepts. */
export const apiKey = "contract-key-0123456789"

/** A call for a script. */
export const call = (id: string, input: Json, tool = "add") => ({ id, tool, arguments: input })

/** The input of each call, parsed. Providers that send values do not keep the original text. */
export const parseInputs = ({ calls }: ModelReply): readonly unknown[] =>
  calls.map((one) => JSON.parse(one.arguments))

/** A reply without the port of the server, which differs from case to case. */
export const withoutPort = (reply: ModelReply): unknown =>
  JSON.parse(JSON.stringify(reply).replaceAll(/127\.0\.0\.1:\d+/g, "host"))

export const joinDeltas = (deltas: readonly ModelDelta[], type: ModelDelta["type"]): string =>
  deltas.map((delta) => (delta.type === type ? delta.text : "")).join("")

/** True if the client asked for a stream. */
export const isStreamed = ({ server }: ModelExchange): boolean => server.requests[0]?.streamed === true

/** True if the protocol sends a call's input as text, which may be invalid JSON. */
export function sendsInputAsText(exchange: ModelExchange): boolean {
  const protocol = exchange.server.requests[0]?.protocol
  return protocol === "anthropic" ? isStreamed(exchange) : protocol !== "gemini"
}

/** True if the protocol has its own stop reason for an answer with calls. */
export const hasCallStopReason = ({ server }: ModelExchange): boolean =>
  ["openai", "anthropic"].includes(server.requests[0]?.protocol ?? "")

/** True if every call of the protocol has an id, so that the client need not make one up. */
export const hasCallIds = ({ server }: ModelExchange): boolean => server.requests[0]?.protocol !== "gemini"

/** The history in the form of the request's protocol. */
export function getSentHistory({ body }: ServedRequest): readonly Json[] {
  const list = body.messages ?? body.input ?? body.contents
  return Array.isArray(list) ? list : []
}
