import type { Writable } from "node:stream"
import type { JSONRPCMessage } from "@modelcontextprotocol/client"
import { describeThrown } from "../../ground/errors.ts"
import type { ProcessResult, Talk } from "../sandbox/process.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import type { ServerWire } from "./guarded-transport.ts"
import { MessageRate } from "./message-rate.ts"
import { findAnsweredId, LineReader, type ServerLineText } from "./read-lines.ts"

/** Runs a server's program until it ends or the signal aborts; or says why it was not started. */
export type RunServer = (
  talk: Talk,
  signal: AbortSignal,
) => Promise<ProcessResult | { readonly refused: string }>

/** A connection to a server's program, over its input and output. The program is started once. */
export class ProgramWire implements ServerWire {
  readonly reaches = "program"
  onclose?: () => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Resolves when the program and all processes that it started have ended. */
  readonly ended: Promise<string>
  readonly #run: RunServer
  readonly #bounds: McpBounds
  readonly #lines: LineReader
  readonly #noiseCounter: MessageRate
  readonly #stop = new AbortController()
  /**
   * Messages sent before the program printed anything. If the sandbox has to be made again, the new program gets them
   * again.
   */
  #unansweredTexts: string[] | undefined = []
  #input: Writable | undefined
  #drained: Promise<void> | undefined
  #noise = ""
  #fault: string | undefined
  #settle!: (why: string) => void
  #isOver = false
  lastOutput = ""

  constructor(run: RunServer, bounds: McpBounds) {
    this.#run = run
    this.#bounds = bounds
    this.#lines = new LineReader(bounds.message)
    this.#noiseCounter = new MessageRate(bounds.unsolicited)
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const talk: Talk = {
        onStart: (input) => {
          this.#input = input
          for (const text of this.#unansweredTexts ?? []) input.write(text)
          resolve()
        },
        onOutput: (chunk) => {
          this.#unansweredTexts = undefined
          for (const line of this.#lines.read(chunk)) if (!this.#isOver) this.#readLine(line)
        },
      }
      this.#run(talk, this.#stop.signal).then(
        (result) => {
          if ("refused" in result) reject(startFailure(result.refused))
          this.#end("refused" in result ? result.refused : this.#whyEnded(result))
        },
        (error) => {
          reject(startFailure(describeThrown(error)))
          this.#end(describeThrown(error))
        },
      )
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input
    if (this.#isOver || !input) throw new ServerFailure("ended", "it has ended")
    const text = `${JSON.stringify(message)}\n`
    this.#unansweredTexts?.push(text)
    if (input.writableCorked === 0) {
      // Calls that are made together are written together, which costs one call of the system in place of many.
      input.cork()
      process.nextTick(() => input.uncork())
    }
    if (input.write(text)) return
    this.#drained ??= this.#drain(input)
    await this.#drained
  }

  /** All messages that wait for a slow program share one listener. */
  async #drain(input: Writable): Promise<void> {
    await new Promise<unknown>((resolve) => {
      input.once("drain", resolve)
      void this.ended.then(resolve).then(() => input.off("drain", resolve))
    })
    this.#drained = undefined
  }

  /** Closes the program's input, then tells it to end, then kills it with all processes that it started. */
  async close(): Promise<void> {
    if (!this.#input) return
    this.#isOver = true
    this.#input.end()
    const timer = setTimeout(() => this.#stop.abort(), this.#bounds.grace)
    await this.ended
    clearTimeout(timer)
  }

  fail(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#fault = why
    this.#stop.abort()
  }

  #readLine(line: ServerLineText): void {
    switch (line.type) {
      case "noise":
        this.#noise = `${this.#noise}${line.text}\n`.slice(-maxLastOutput)
        if (this.#noiseCounter.isTooMany(Date.now()))
          this.fail(
            `it printed more than ${this.#bounds.unsolicited} lines in one second that are not messages`,
          )
        return
      case "too-long":
        return this.#refuseMessage(line)
      case "endless":
        return this.fail(
          `it sent ${line.bytes} bytes without ending its message; the limit for a message is ${this.#bounds.message} bytes`,
        )
      case "message":
        // Some versions of the protocol allow several messages in one line.
        for (const one of Array.isArray(line.value) ? line.value : [line.value])
          if (!this.#isOver) this.onmessage?.(one)
    }
  }

  /**
   * Handles a message that was too long to keep: the call that it answers fails. If that call is unknown, the
   * connection fails.
   */
  #refuseMessage(line: Extract<ServerLineText, { type: "too-long" }>): void {
    const why = `it sent a message of ${line.bytes} bytes; the limit is ${this.#bounds.message} bytes`
    const id = findAnsweredId(line)
    if (id === undefined) return this.fail(why)
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_603, message: why } })
  }

  #whyEnded({ ending, exitCode, errors, unsandboxed }: ProcessResult): string {
    this.lastOutput = [this.#noise, errors.head, errors.tail]
      .join("")
      .trim()
      .slice(-maxLastOutput)
      .toWellFormed()
    const why = this.#fault ?? (ending === "exit" ? `it ended with exit code ${exitCode}` : endings[ending])
    return unsandboxed === undefined ? `${why}, in the sandbox` : why
  }

  #end(why: string): void {
    this.#isOver = true
    this.#settle(why)
    this.onclose?.()
  }
}

const startFailure = (why: string): ServerFailure =>
  new ServerFailure("refused", `it was not started: ${why.replace(/^Not run: /, "").replace(/\.$/, "")}`)

const endings = {
  timeout: "it was ended because a process may not run longer",
  aborted: "it was ended",
  "output-limit": "it printed more than the limit",
  "process-limit": "it started more processes than the limit",
} as const

const maxLastOutput = 2_000
