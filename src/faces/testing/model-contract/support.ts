import type { Delta, Model, ModelReply, ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../model-server.ts"
import { requestWith } from "../plain-request.ts"

/** Opens the client that is to be tested, with limits that a case asks for. */
export type ModelUnderTest = (options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly idleTimeout?: number
  readonly totalTimeout?: number
  readonly maxResponseBytes?: number
}) => Model | Promise<Model>

export type Options = Partial<Parameters<ModelUnderTest>[0]>

/** Asks a fresh server once for each answer of the script, one after the other, with what comes of the replies so far. */
export type Ask = (
  script: ScriptedAnswer | readonly ScriptedAnswer[],
  request?: Partial<ModelRequest> | ((replies: readonly ModelReply[]) => Partial<ModelRequest>),
  options?: Options,
) => Promise<Asked>

export interface Asked {
  /** The last reply, and what was heard while it came. */
  readonly reply: ModelReply
  readonly deltas: readonly Delta[]
  readonly replies: readonly ModelReply[]
  readonly server: ModelServer
  readonly model: Model
}

export type Cases = {
  readonly [name: string]: (ask: Ask) => Promise<void>
}

export function asking(open: ModelUnderTest): { readonly ask: Ask; close(): Promise<void> } {
  const opened: ModelServer[] = []
  return {
    async ask(script, request = {}, options = {}) {
      const answers = "length" in script ? script : [script]
      const server = await startModelServer({ script: answers, apiKey })
      opened.push(server)
      const model = await open({ baseUrl: server.url, apiKey, ...options })
      const replies: ModelReply[] = []
      let deltas: Delta[] = []
      for (const _ of answers) {
        deltas = []
        const asked = typeof request === "function" ? request(replies) : request
        replies.push(await model.stream(requestWith(asked), (delta) => deltas.push(delta)))
      }
      return { reply: replies.at(-1)!, deltas, replies, server, model }
    },
    close: async () => {
      for (const server of opened) await server.close()
    },
  }
}

/** What the server wants to see. */
export const apiKey = "contract-key-0123456789"

/** A call as a script has it. */
export const call = (id: string, given: Json, tool = "add") => ({ id, tool, arguments: given })

/** The input of each call, as values: a provider that sends values does not keep how a text was written. */
export const inputsOf = ({ calls }: ModelReply): readonly unknown[] =>
  calls.map((given) => JSON.parse(given.arguments))

/** A reply, but for the port of the server: each case has its own. */
export const withoutPort = (reply: ModelReply): unknown =>
  JSON.parse(JSON.stringify(reply).replaceAll(/127\.0\.0\.1:\d+/g, "host"))

export const textOf = (deltas: readonly Delta[], type: Delta["type"]): string =>
  deltas.map((delta) => (delta.type === type ? delta.text : "")).join("")

/** Whether the client asked for a stream. */
export const isStreamed = ({ server }: Asked): boolean => server.requests[0]?.streamed === true

/** Whether the protocol sends a call's input as a text that may be anything. */
export function sendsTexts(asked: Asked): boolean {
  const protocol = asked.server.requests[0]?.protocol
  return protocol === "anthropic" ? isStreamed(asked) : protocol !== "gemini"
}

/** Whether the protocol has a word for an answer that ended for its calls. */
export const saysCalls = ({ server }: Asked): boolean =>
  ["openai", "anthropic"].includes(server.requests[0]?.protocol ?? "")

/** Whether the protocol wants an id for every call, so that a client need not make one up. */
export const givesIds = ({ server }: Asked): boolean => server.requests[0]?.protocol !== "gemini"

/** The history as a request has it. */
export function historyOf({ body }: ServedRequest): readonly Json[] {
  const list = body.messages ?? body.input ?? body.contents
  return Array.isArray(list) ? list : []
}
