import { setTimeout as pauseFor } from "node:timers/promises"
import type { Json, JsonMap } from "../../ground/message.ts"
import type { CallOptions, McpConnection } from "./connection.ts"
import { ServerFailure } from "./failure.ts"

/**
 * The connection to one server. It is opened at its first use, and again after the server has died. With each death
 * that no answer interrupts, the next use waits longer.
 */
export class ServerLine {
  readonly #open: () => Promise<McpConnection>
  #opening: Promise<McpConnection> | undefined
  #connection: McpConnection | undefined
  #deaths = 0
  #diedAt = 0
  #closed = false

  constructor(open: () => Promise<McpConnection>) {
    this.#open = open
  }

  async call(tool: string, input: JsonMap, options: CallOptions): Promise<Json> {
    const connection = await this.use(options.signal)
    const answer = await connection.call(tool, input, options)
    this.#deaths = 0
    return answer
  }

  /** Returns the connection, and opens it if there is none. Throws a ServerFailure, or the signal's reason. */
  async use(signal: AbortSignal): Promise<McpConnection> {
    if (this.#connection?.hasEnded()) this.#recordDeath()
    if (!this.#opening) {
      const wait = this.#diedAt + delayAfter(this.#deaths) - Date.now()
      if (wait > 0) await pauseFor(wait, undefined, { signal })
    }
    if (this.#closed) throw new ServerFailure("ended", "it is not needed any more")
    // Another call that waited may have opened it.
    this.#opening ??= this.#openOne()
    return this.#opening
  }

  /** Closes the connection and everything that belongs to it. */
  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#opening?.catch(() => undefined)
    await connection?.close()
  }

  async #openOne(): Promise<McpConnection> {
    try {
      this.#connection = await this.#open()
      return this.#connection
    } catch (error) {
      this.#recordDeath()
      throw error
    }
  }

  #recordDeath(): void {
    this.#opening = undefined
    this.#connection = undefined
    this.#deaths++
    this.#diedAt = Date.now()
  }
}

/** The milliseconds before the next start. After the first death the server starts immediately. */
const delayAfter = (deaths: number): number => (deaths < 2 ? 0 : Math.min(30_000, 250 * 2 ** (deaths - 1)))
