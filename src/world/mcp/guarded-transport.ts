import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client"
import { describeThrown } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { McpBounds } from "./bounds.ts"
import { MessageRate } from "./message-rate.ts"

/** The package's name for the id by which a server over HTTP recognises this connection. */
export const connectionId = "sessionId"

/** The connection to one server. */
export interface ServerWire extends Transport {
  /** Ends the connection because of something that the server did. Later messages are ignored. */
  fail(why: string): void
  /** Resolves with the reason when the connection has ended. Undefined: the error of the failed request tells more. */
  readonly ended: Promise<string | undefined>
  /** The end of the output that was not a message; empty until the server has ended. */
  readonly lastOutput: string
  /**
   * `program`: the package probes the running program for its protocol version, and takes silence to mean the old
   * protocol.
   */
  readonly reaches: "program" | "address"
}

/**
 * Stands between a server and the package that speaks its protocol. Each answer is passed on once, and only for an open
 * request; unrequested messages are counted.
 *
 * The package would refuse a whole list for one bad tool, and a whole result for one bad part. So the package gets a
 * stand-in for both, and the server's own answer is stored beside it.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #wire: ServerWire
  readonly #bounds: McpBounds
  readonly #unsolicited: MessageRate
  /** Requests without an answer, by their id as text: some servers answer with a text where the id was a number. */
  readonly #open = new Map<string, { readonly id: string | number; readonly method: string }>()
  readonly #answers = new Map<string, Json>()
  /** The number of reported changes of the server's tools. */
  listChanges = 0
  /** Answers requests of the server. A rejection is the error that the server gets. */
  hear: ((method: string, params: JsonMap) => Promise<JsonMap>) | undefined

  constructor(wire: ServerWire, bounds: McpBounds) {
    this.#wire = wire
    this.#bounds = bounds
    this.#unsolicited = new MessageRate(bounds.unsolicited)
    // The package takes a transport with these properties for a program.
    if (wire.reaches === "program") Object.assign(this, { pid: null, stderr: null })
  }

  get hasPerRequestStream(): boolean {
    return this.#wire.hasPerRequestStream === true
  }

  get [connectionId](): string | undefined {
    return this.#wire[connectionId]
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion?.(version)
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#wire.setSupportedProtocolVersions?.(versions)
  }

  start(): Promise<void> {
    this.#wire.onmessage = (message: unknown) => this.#pass(message)
    this.#wire.onclose = () => this.onclose?.()
    this.#wire.onerror = (error) => this.onerror?.(error)
    return this.#wire.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ("method" in message && "id" in message)
      this.#open.set(String(message.id), { id: message.id, method: message.method })
    else if ("method" in message && message.method === "notifications/cancelled")
      // The answer may still come, but no request waits for it.
      this.#open.delete(String(message.params?.requestId))
    await this.#wire.send(message, options)
  }

  close(): Promise<void> {
    return this.#wire.close()
  }

  /** Returns the server's own answer for a stand-in, once. */
  take(answer: unknown): Json {
    const key = isMap(answer) ? String(answer[standsFor]) : ""
    const original = this.#answers.get(key)
    this.#answers.delete(key)
    return original ?? null
  }

  #pass(message: unknown): void {
    if (!isMap(message)) return this.#count()
    if ("method" in message) {
      this.#count()
      if (message.method === "notifications/tools/list_changed") this.listChanges++
      if (message.id !== undefined && message.id !== null && requestsOfServers.has(message.method))
        void this.#answer(message)
      else this.onmessage?.(message as unknown as JSONRPCMessage)
      return
    }
    const request = this.#open.get(String(message.id))
    if (!request || !("result" in message || "error" in message)) return this.#count()
    this.#open.delete(String(message.id))
    this.onmessage?.({
      ...this.#readable(message, request.method),
      jsonrpc: "2.0",
      id: request.id,
    } as JSONRPCMessage)
  }

  /** The package would judge a server's question by its own schema, and could not tell which call it belongs to. */
  async #answer({ id, method, params }: JsonMap): Promise<void> {
    const answer = await (
      this.hear?.(String(method), isMap(params) ? params : {}) ?? Promise.reject(new Error("no call listens"))
    ).then(
      (result) => ({ result }),
      (error) => ({ error: { code: internalErrorCode, message: describeThrown(error) } }),
    )
    // The server may be gone by now.
    await this.#wire.send({ jsonrpc: "2.0", id, ...answer } as JSONRPCMessage).catch(() => {})
  }

  #readable(message: JsonMap, method: string): object {
    const { result: answer, error } = message
    const result = asQuestions(error) ?? answer
    if (result === answer && error !== undefined && error !== null) return { error: toRpcError(error) }
    const standIn = standIns.get(method)
    if (!standIn) return { result }
    const key = String(message.id)
    this.#answers.set(key, result ?? null)
    return { result: standIn(key) }
  }

  #count(): void {
    if (this.#unsolicited.isTooMany(Date.now()))
      this.#wire.fail(`it sent more than ${this.#bounds.unsolicited} unrequested messages in one second`)
  }
}

const requestsOfServers: ReadonlySet<Json | undefined> = new Set([
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
])

/** A server may refuse a call until the person has visited addresses. That is the same as a question, in other words. */
function asQuestions(error: Json | undefined): JsonMap | undefined {
  if (!isMap(error ?? null) || (error as JsonMap).code !== visitFirstCode) return undefined
  const { data } = error as JsonMap
  const elicitations = isMap(data ?? null) ? (data as JsonMap).elicitations : undefined
  if (!Array.isArray(elicitations) || elicitations.length === 0) return undefined
  return {
    resultType: "input_required",
    retry: true,
    inputRequests: Object.fromEntries(
      elicitations.map((params, index) => [String(index), { method: "elicitation/create", params }]),
    ),
  }
}

/** The protocol's code of 2025-11-25 for "the person has to visit an address first". */
const visitFirstCode = -32_042

const standsFor = "cadreStandsFor"

/** Every version of the protocol expects these of an answer, and more of a list. */
const complete = { resultType: "complete" } as const
const completeList = { ...complete, ttlMs: 0, cacheScope: "private" } as const

/** The stand-ins for the answers to these methods, by the key of the answer. The package looks at each of their keys. */
const standIns: ReadonlyMap<string, (key: string) => object> = new Map<string, (key: string) => object>([
  ["tools/list", (key) => ({ ...completeList, tools: [], [standsFor]: key })],
  ["tools/call", (key) => ({ ...complete, content: [], [standsFor]: key })],
  ["resources/list", (key) => ({ ...completeList, resources: [], [standsFor]: key })],
  ["resources/templates/list", (key) => ({ ...completeList, resourceTemplates: [], [standsFor]: key })],
  ["resources/read", (key) => ({ ...completeList, contents: [], [standsFor]: key })],
  ["prompts/list", (key) => ({ ...completeList, prompts: [], [standsFor]: key })],
  ["prompts/get", (key) => ({ ...complete, messages: [], [standsFor]: key })],
])

function toRpcError(error: Json): object {
  const { code, message, data } = isMap(error) ? error : {}
  return {
    // It may name the versions of the protocol that the server speaks.
    ...(data !== undefined && { data }),
    code: typeof code === "number" && Number.isInteger(code) ? code : internalErrorCode,
    message: typeof message === "string" ? message : JSON.stringify(error).slice(0, 2_000),
  }
}

/** JSON-RPC's code for an internal error. */
const internalErrorCode = -32_603
