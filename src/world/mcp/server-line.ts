import { setTimeout as pauseFor } from "node:timers/promises"
import type { Json, JsonMap } from "../../ground/message.ts"
import type { CallOptions, Connection } from "./connection.ts"
import { ServerFailure } from "./failure.ts"

/**
 * One server as long as somebody needs it: opened at its first use, and again after it has died. Each death without an
 * answer in between has the next use wait longer.
 */
export class ServerLine {
  readonly #open: () => Promise<Connection>
  #opening: Promise<Connection> | undefined
  #connection: Connection | undefined
  #deaths = 0
  #diedAt = 0
  #closed = false

  constructor(open: () => Promise<Connection>) {
    this.#open = open
  }

  async call(tool: string, input: JsonMap, options: CallOptions): Promise<Json> {
    const connection = await this.use(options.signal)
    const answer = await connection.call(tool, input, options)
    this.#deaths = 0
    return answer
  }

  /** The connection, which is opened where there is none. Throws a ServerFailure, or what the signal says. */
  async use(signal: AbortSignal): Promise<Connection> {
    if (this.#connection?.hasEnded()) this.#died()
    if (!this.#opening) {
      const wait = this.#diedAt + waitAfter(this.#deaths) - Date.now()
      if (wait > 0) await pauseFor(wait, undefined, { signal })
    }
    if (this.#closed) throw new ServerFailure("ended", "it is not needed any more")
    // Whoever waited as well may have opened it.
    this.#opening ??= this.#openOne()
    return this.#opening
  }

  /** Ends it, and nothing of it is left. */
  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#opening?.catch(() => undefined)
    await connection?.close()
  }

  async #openOne(): Promise<Connection> {
    try {
      this.#connection = await this.#open()
      return this.#connection
    } catch (error) {
      this.#died()
      throw error
    }
  }

  #died(): void {
    this.#opening = undefined
    this.#connection = undefined
    this.#deaths++
    this.#diedAt = Date.now()
  }
}

/** The first time it comes back at once. */
const waitAfter = (deaths: number): number => (deaths < 2 ? 0 : Math.min(30_000, 250 * 2 ** (deaths - 1)))
