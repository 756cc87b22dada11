import { setTimeout as pauseFor } from "node:timers/promises"
import type { ToolEffect } from "../../agent/tool.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import type { CallOptions, McpConnection } from "./connection.ts"
import { ServerFailure } from "./failure.ts"
import type { ServerListing } from "./read-listing.ts"

/** The tool that a run calls, as the run knows it. */
export interface CalledTool {
  readonly name: string
  /** The hash of the tool as the run's model was told about it. */
  readonly hash: string
  readonly effect: ToolEffect
}

/**
 * The connection to one server. It is opened at its first use, and again after the server has died. With each death
 * that no answer interrupts, the next use waits longer.
 */
export class ServerLine {
  readonly #open: () => Promise<McpConnection>
  readonly #read: (connection: McpConnection) => Promise<ServerListing>
  /** The list of the open connection, and the number of changes that the server had reported before. */
  #listing:
    | { readonly connection: McpConnection; readonly changes: number; readonly done: Promise<ServerListing> }
    | undefined
  #opening: Promise<McpConnection> | undefined
  #connection: McpConnection | undefined
  #deaths = 0
  #diedAt = 0
  #closed = false

  constructor(
    open: () => Promise<McpConnection>,
    read: (connection: McpConnection) => Promise<ServerListing>,
  ) {
    this.#open = open
    this.#read = read
  }

  /**
   * Calls a tool. Throws a ServerFailure of type `changed` where the server's tool is not the one that the run knows. A
   * server that was started again or reports a change is asked for its list first.
   */
  async call(tool: Omit<CalledTool, "effect">, input: JsonMap, options: CallOptions): Promise<Json> {
    const connection = await this.use(options.signal)
    const { list } = await this.#listOf(connection)
    const listed = list.tools.find(({ name }) => name === tool.name)
    if (listed?.hash !== tool.hash)
      throw new ServerFailure("changed", listed ? "the tool has changed" : "the tool is gone")
    const answer = await (listed.method
      ? connection.read(listed.method, input, options)
      : connection.call(tool.name, input, { ...options, ...(listed.headers && { headers: listed.headers }) }))
    this.#deaths = 0
    return answer
  }

  /** Lists the server's tools, again only where the server may have changed. */
  async list(signal: AbortSignal): Promise<ServerListing> {
    return this.#listOf(await this.use(signal))
  }

  #listOf(connection: McpConnection): Promise<ServerListing> {
    const changes = connection.countListChanges()
    const last = this.#listing
    if (last?.connection === connection && last.changes === changes) return last.done
    const done = this.#read(connection)
    this.#listing = { connection, changes, done }
    done.catch(() => {
      // The next call asks again.
      if (this.#listing?.done === done) this.#listing = undefined
    })
    return done
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
