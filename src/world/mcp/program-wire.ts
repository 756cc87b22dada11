import type { Writable } from "node:stream"
import type { JSONRPCMessage } from "@modelcontextprotocol/client"
import { messageOf } from "../../ground/errors.ts"
import type { ProcessResult, Talk } from "../sandbox/process.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import type { Wire } from "./guarded-transport.ts"
import { answeredBy, type Line, LineReader } from "./read-lines.ts"
import { Unsolicited } from "./unsolicited.ts"

/** Runs the program of a server until it ends, or the signal has it end; or says why it does not. */
export type RunServer = (
  talk: Talk,
  signal: AbortSignal,
) => Promise<ProcessResult | { readonly refused: string }>

/** A server that is a program, over its input and output. It is started once. */
export class ProgramWire implements Wire {
  readonly reaches = "program"
  onclose?: () => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Settles when the program and all that it started have ended. */
  readonly ended: Promise<string>
  readonly #run: RunServer
  readonly #bounds: McpBounds
  readonly #lines: LineReader
  readonly #noisy: Unsolicited
  readonly #stop = new AbortController()
  /** What was sent before anything was heard: where its sandbox has to be made anew it is told that again. */
  #unheard: string[] | undefined = []
  #input: Writable | undefined
  #noise = ""
  #fault: string | undefined
  #settle!: (why: string) => void
  #over = false
  lastWords = ""

  constructor(run: RunServer, bounds: McpBounds) {
    this.#run = run
    this.#bounds = bounds
    this.#lines = new LineReader(bounds.message)
    this.#noisy = new Unsolicited(bounds.unsolicited)
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const talk: Talk = {
        began: (input) => {
          this.#input = input
          for (const text of this.#unheard ?? []) input.write(text)
          resolve()
        },
        heard: (chunk) => {
          this.#unheard = undefined
          for (const line of this.#lines.read(chunk)) if (!this.#over) this.#hear(line)
        },
      }
      this.#run(talk, this.#stop.signal).then(
        (result) => {
          if ("refused" in result) reject(notRun(result.refused))
          this.#end("refused" in result ? result.refused : this.#whyEnded(result))
        },
        (error) => {
          reject(notRun(messageOf(error)))
          this.#end(messageOf(error))
        },
      )
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input
    if (this.#over || !input) throw new ServerFailure("ended", "it has ended")
    const text = `${JSON.stringify(message)}\n`
    this.#unheard?.push(text)
    if (input.write(text)) return
    const drained = new AbortController()
    const free = new Promise<void>((resolve) => {
      input.once("drain", resolve)
      drained.signal.addEventListener("abort", () => input.off("drain", resolve))
    })
    await Promise.race([free, this.ended])
    drained.abort()
  }

  /** Ends its input, tells it to end, kills it and all that it started: whichever it takes. */
  async close(): Promise<void> {
    if (!this.#input) return
    this.#over = true
    this.#input.end()
    const timer = setTimeout(() => this.#stop.abort(), this.#bounds.grace)
    await this.ended
    clearTimeout(timer)
  }

  fail(why: string): void {
    if (this.#over) return
    this.#over = true
    this.#fault = why
    this.#stop.abort()
  }

  #hear(line: Line): void {
    switch (line.type) {
      case "noise":
        this.#noise = `${this.#noise}${line.text}\n`.slice(-mostSaid)
        if (this.#noisy.isTooMany(Date.now()))
          this.fail(`it printed more than ${this.#bounds.unsolicited} lines in a second that are no messages`)
        return
      case "too-long":
        return this.#refuse(line)
      case "endless":
        return this.fail(
          `it sent ${line.bytes} bytes and no end of a message, of which ${this.#bounds.message} are the most`,
        )
      case "message":
        // Some versions of the protocol have several messages in one line.
        for (const one of Array.isArray(line.value) ? line.value : [line.value])
          if (!this.#over) this.onmessage?.(one)
    }
  }

  /** A message that was not kept: where its call is known, that has failed, and else the server. */
  #refuse(line: Extract<Line, { type: "too-long" }>): void {
    const why = `it sent a message of ${line.bytes} bytes, and ${this.#bounds.message} are the most that one may have`
    const id = answeredBy(line)
    if (id === undefined) return this.fail(why)
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_603, message: why } })
  }

  #whyEnded({ ended, exitCode, errors, unsandboxed }: ProcessResult): string {
    this.lastWords = [this.#noise, errors.head, errors.tail].join("").trim().slice(-mostSaid).toWellFormed()
    const why = this.#fault ?? (ended === "exit" ? `it ended with exit code ${exitCode}` : endings[ended])
    return unsandboxed === undefined ? `${why}, in the sandbox` : why
  }

  #end(why: string): void {
    this.#over = true
    this.#settle(why)
    this.onclose?.()
  }
}

const notRun = (why: string): ServerFailure =>
  new ServerFailure("refused", `it was not started: ${why.replace(/^Not run: /, "").replace(/\.$/, "")}`)

const endings = {
  timeout: "it was ended after the longest time that a process may have",
  aborted: "it was ended",
  "output-limit": "it printed more than is allowed",
  "process-limit": "it started more processes than are allowed",
} as const

const mostSaid = 2_000
