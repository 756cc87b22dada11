import type { FetchLike, JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client"
import type { McpAddress } from "../../agent/mcp-server.ts"
import { messageOf } from "../../ground/errors.ts"
import { type NamedProxy, proxyFor, throughProxy } from "../../ground/proxy.ts"
import { boundedBody } from "./bounded-body.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { connectionId, type Wire } from "./guarded-transport.ts"

/** A server at an address: streamable HTTP, or the older way with server-sent events. */
export class AddressWire implements Wire {
  readonly reaches = "address"
  readonly lastWords = ""
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly ended: Promise<string | undefined>
  readonly #make: (ask: FetchLike) => Promise<Carrier>
  readonly #bounds: McpBounds
  #carrier: Carrier | undefined
  #fault: string | undefined
  #settle!: (why: string | undefined) => void
  #over = false
  #told = false

  constructor({ url, headers = {}, type = "http" }: McpAddress, bounds: McpBounds) {
    this.#bounds = bounds
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#make = async (ask) => {
      const { StreamableHTTPClientTransport, SSEClientTransport } = await import(
        "@modelcontextprotocol/client"
      )
      const options = { fetch: ask, requestInit: { headers: { ...headers } } }
      return type === "http"
        ? new StreamableHTTPClientTransport(new URL(url), { ...options, reconnectionOptions: briefly })
        : new SSEClientTransport(new URL(url), options)
    }
  }

  get hasPerRequestStream(): boolean {
    return this.#carrier?.hasPerRequestStream === true
  }

  get [connectionId](): string | undefined {
    return this.#carrier?.[connectionId]
  }

  setProtocolVersion(version: string): void {
    this.#carrier?.setProtocolVersion?.(version)
  }

  async start(): Promise<void> {
    const carrier = await this.#make(await this.#asker())
    this.#carrier = carrier
    carrier.onmessage = (message) => {
      if (!this.#over) this.onmessage?.(message)
    }
    carrier.onerror = (error) => this.onerror?.(error)
    carrier.onclose = () => this.#end()
    await told(carrier.start())
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#over || !this.#carrier) throw new ServerFailure("ended", "it has ended")
    await told(this.#carrier.send(message, options))
  }

  async close(): Promise<void> {
    const carrier = this.#carrier
    if (!carrier || this.#over) return this.#end()
    this.#over = true
    // It may keep something for us until it is told; one that does not answer is left.
    if (carrier[connectionId] !== undefined)
      await Promise.race([carrier[leave]?.().catch(() => {}), pause(this.#bounds.grace)])
    await carrier.close()
    this.#end()
  }

  fail(why: string): void {
    if (this.#over) return
    this.#over = true
    this.#fault = why
    void this.#carrier?.close()
  }

  /** Asks through the proxy that the environment names, follows no redirect, and reads no message that is too long. */
  async #asker(): Promise<FetchLike> {
    const { fetch } = await import("undici")
    const dispatchers = new Map<string, ReturnType<typeof throughProxy>>()
    const through = (proxy: NamedProxy) => {
      const known = dispatchers.get(proxy.url.href) ?? throughProxy(proxy)
      dispatchers.set(proxy.url.href, known)
      return known
    }
    return async (address, given) => {
      const proxy = proxyFor(address)
      if (proxy && "problem" in proxy) throw new ServerFailure("refused", proxy.problem)
      const dispatcher = proxy && (await through(proxy))
      const request = { ...given, redirect: "error" as const, ...(dispatcher && { dispatcher }) }
      const response = await fetch(address, request as Parameters<typeof fetch>[1])
      const most = this.#bounds.message
      const body = boundedBody(response.body, response.headers.get("content-type") ?? "", most, () =>
        this.fail(`it sent a message of more than ${most} bytes, which are the most that one may have`),
      )
      const { status, statusText, headers } = response
      // The package reads nothing else of it.
      return new Response(body as ReadableStream | null, { status, statusText, headers: [...headers] })
    }
  }

  #end(): void {
    if (this.#told) return
    this.#told = true
    this.#over = true
    this.#settle(this.#fault)
    this.onclose?.()
  }
}

/** Tells the server that nobody comes back, as the package calls it. */
const leave = "terminateSession"

type Carrier = Transport & { [leave]?(): Promise<void> }

/** A stream that breaks off is taken up again, but nobody waits long for a server that is gone. */
const briefly = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 2_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

/** Node says why a request failed in what caused it. */
async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    if (error instanceof TypeError && cause !== undefined)
      throw new ServerFailure("answer", `it cannot be reached: ${messageOf(cause)}`, error)
    throw error
  }
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time).unref())
