import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client"
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
      this.onmessage?.(message as unknown as JSONRPCMessage)
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

  #readable(message: JsonMap, method: string): object {
    const { result, error } = message
    if (error !== undefined && error !== null) return { error: toRpcError(error) }
    if (isMap(result) && result.resultType === "input_required") return { error: inputRefused(result) }
    if (!methodsWithStandIn.has(method)) return { result }
    const key = String(message.id)
    this.#answers.set(key, result ?? null)
    return { result: { ...standIn, [standsFor]: key } }
  }

  #count(): void {
    if (this.#unsolicited.isTooMany(Date.now()))
      this.#wire.fail(`it sent more than ${this.#bounds.unsolicited} unrequested messages in one second`)
  }
}

const methodsWithStandIn: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
])

const standsFor = "cadreStandsFor"

/** Valid in every version of the protocol, as the answer to each of these methods. */
const standIn = {
  resultType: "complete",
  tools: [],
  content: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  prompts: [],
  messages: [],
  ttlMs: 0,
  cacheScope: "private",
}

function toRpcError(error: Json): object {
  const { code, message, data } = isMap(error) ? error : {}
  return {
    // It may name the versions of the protocol that the server speaks.
    ...(data !== undefined && { data }),
    code: typeof code === "number" && Number.isInteger(code) ? code : internalErrorCode,
    message: typeof message === "string" ? message : JSON.stringify(error).slice(0, 2_000),
  }
}

/** A call that asks cannot rest, because its effect may have begun. So it fails, and the model is told why. */
function inputRefused({ inputRequests }: JsonMap): object {
  const methods = isMap(inputRequests)
    ? Object.values(inputRequests).flatMap((one) =>
        isMap(one) && typeof one.method === "string" ? one.method : [],
      )
    : []
  const wants = methods.map((method) => (Object.hasOwn(wishes, method) ? wishes[method] : "something else"))
  return {
    code: internalErrorCode,
    message: `it asked for ${[...new Set(wants)].join(" and ") || "something else"} before it answers, which is not possible in a run. Call the tool with everything that it needs, or do without it`,
  }
}

const wishes: { readonly [method: string]: string } = {
  "elicitation/create": "a person's answer",
  "sampling/createMessage": "a model",
  "roots/list": "folders",
}

/** JSON-RPC's code for an internal error. */
const internalErrorCode = -32_603
