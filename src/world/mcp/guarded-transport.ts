import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { McpBounds } from "./bounds.ts"
import { Unsolicited } from "./unsolicited.ts"

/** By which a server over HTTP knows whom it talks to, as the package calls it. */
export const connectionId = "sessionId"

/** How a server is reached. */
export interface Wire extends Transport {
  /** Ends the connection because of what the server did: nothing that it says counts any more. */
  fail(why: string): void
  /** Why it ended, once it has; undefined where whoever asked it knows more. */
  readonly ended: Promise<string | undefined>
  /** The end of what it printed besides messages; empty until it has ended. */
  readonly lastWords: string
  /** `program`: what is asked before it is greeted is asked in place, and silence means that it knows only the old way. */
  readonly reaches: "program" | "address"
}

/**
 * Stands between a server and the package that speaks its protocol. Answers are handed on once each, and only where somebody
 * waits for them; what comes unasked is counted. The package would refuse a whole list for one bad tool in it, and a whole
 * result for one bad part: so it gets a stand-in for either, and what the server said is kept beside it.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #wire: Wire
  readonly #bounds: McpBounds
  readonly #unsolicited: Unsolicited
  /** What was asked and not answered yet, by its id as text: some servers answer with that. */
  readonly #open = new Map<string, { readonly id: string | number; readonly method: string }>()
  readonly #answers = new Map<string, Json>()

  constructor(wire: Wire, bounds: McpBounds) {
    this.#wire = wire
    this.#bounds = bounds
    this.#unsolicited = new Unsolicited(bounds.unsolicited)
    // How the package knows a program.
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
      // Its answer may still come: nobody waits for it.
      this.#open.delete(String(message.params?.requestId))
    await this.#wire.send(message, options)
  }

  close(): Promise<void> {
    return this.#wire.close()
  }

  /** What the server answered in truth, where the package was given a stand-in for it. Once. */
  take(answer: unknown): Json {
    const key = isMap(answer) ? String(answer[standsFor]) : ""
    const kept = this.#answers.get(key)
    this.#answers.delete(key)
    return kept ?? null
  }

  #pass(message: unknown): void {
    if (!isMap(message)) return this.#count()
    if ("method" in message) {
      this.#count()
      this.onmessage?.(message as unknown as JSONRPCMessage)
      return
    }
    const asked = this.#open.get(String(message.id))
    if (!asked || !("result" in message || "error" in message)) return this.#count()
    this.#open.delete(String(message.id))
    this.onmessage?.({
      ...this.#readable(message, asked.method),
      jsonrpc: "2.0",
      id: asked.id,
    } as JSONRPCMessage)
  }

  #readable(message: JsonMap, method: string): object {
    const { result, error } = message
    if (error !== undefined && error !== null) return { error: errorOf(error) }
    if (!readByUs.has(method) || (isMap(result) && result.resultType === "input_required")) return { result }
    const key = String(message.id)
    this.#answers.set(key, result ?? null)
    return { result: { ...standIn, [standsFor]: key } }
  }

  #count(): void {
    if (this.#unsolicited.isTooMany(Date.now()))
      this.#wire.fail(
        `it sent more than ${this.#bounds.unsolicited} messages in a second that nobody asked for`,
      )
  }
}

const readByUs: ReadonlySet<string> = new Set(["tools/list", "tools/call"])

const standsFor = "cadreStandsFor"

/** Fits every version of the protocol, as the answer to any of these. */
const standIn = { resultType: "complete", tools: [], content: [], ttlMs: 0, cacheScope: "private" }

function errorOf(error: Json): object {
  const { code, message } = isMap(error) ? error : {}
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : internal,
    message: typeof message === "string" ? message : JSON.stringify(error).slice(0, 2_000),
  }
}

/** Of JSON-RPC: a fault in whoever answers. */
const internal = -32_603
