import type {
  AuthProvider,
  FetchLike,
  JSONRPCMessage,
  OAuthClientProvider,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client"
import type { McpAddress } from "../../agent/mcp-server.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { connectionId, type ServerWire } from "./guarded-transport.ts"
import { createServerFetch } from "./server-fetch.ts"

/** The tokens for a server. `explain` words an error that only another login can mend. */
export type ServerTokens = (AuthProvider | OAuthClientProvider) & { explain?(error: unknown): unknown }

/** A server at an address: streamable HTTP, or the older way with server-sent events. */
export class AddressWire implements ServerWire {
  readonly reaches = "address"
  readonly lastOutput = ""
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly ended: Promise<string | undefined>
  readonly #make: (ask: FetchLike) => Promise<Carrier>
  readonly #bounds: McpBounds
  readonly #tokens: ServerTokens | undefined
  #carrier: Carrier | undefined
  #fault: string | undefined
  #settle!: (why: string | undefined) => void
  #isOver = false
  #hasReportedEnd = false

  constructor({ url, headers = {}, type = "http" }: McpAddress, bounds: McpBounds, tokens?: ServerTokens) {
    this.#bounds = bounds
    this.#tokens = tokens
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#make = async (ask) => {
      const { StreamableHTTPClientTransport, SSEClientTransport } = await import(
        "@modelcontextprotocol/client"
      )
      const options = {
        fetch: ask,
        requestInit: { headers: { ...headers } },
        ...(tokens && { authProvider: tokens }),
      }
      return type === "http"
        ? new StreamableHTTPClientTransport(new URL(url), { ...options, reconnectionOptions })
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
    const carrier = await this.#make(await createServerFetch(this.#bounds.message, (why) => this.fail(why)))
    this.#carrier = carrier
    carrier.onmessage = (message) => {
      if (!this.#isOver) this.onmessage?.(message)
    }
    carrier.onerror = (error) => this.onerror?.(error)
    carrier.onclose = () => this.#end()
    await withNetworkCause(carrier.start())
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isOver || !this.#carrier) throw new ServerFailure("ended", "it has ended")
    await withNetworkCause(this.#carrier.send(message, options)).catch((error) => {
      throw this.#tokens?.explain?.(error) ?? error
    })
  }

  async close(): Promise<void> {
    const carrier = this.#carrier
    if (!carrier || this.#isOver) return this.#end()
    this.#isOver = true
    // The server may keep data for this connection until it is told to drop it. A server that does not answer is left
    // alone.
    if (carrier[connectionId] !== undefined)
      await Promise.race([carrier[leave]?.().catch(() => {}), pause(this.#bounds.grace)])
    await carrier.close()
    this.#end()
  }

  fail(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#fault = why
    void this.#carrier?.close()
  }

  #end(): void {
    if (this.#hasReportedEnd) return
    this.#hasReportedEnd = true
    this.#isOver = true
    this.#settle(this.#fault)
    this.onclose?.()
  }
}

/** The package's name for the method that tells the server to drop the connection's data. */
const leave = "terminateSession"

type Carrier = Transport & { [leave]?(): Promise<void> }

/** The package reconnects a broken stream, but gives up soon on a server that is gone. */
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 2_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

/** Adds the reason for a failed request, which Node puts into the error's `cause`. */
async function withNetworkCause<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    if (error instanceof TypeError && cause !== undefined)
      throw new ServerFailure("answer", `it cannot be reached: ${describeThrown(cause)}`, error)
    throw error
  }
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time).unref())
