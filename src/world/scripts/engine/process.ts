import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import type { Json } from "../../../ground/message.ts"
import type { EngineReply, EngineRequest } from "./protocol.ts"

/** The end of the process, or a line of it that is not a message. */
export type EngineLoss = { readonly type: "lost"; readonly message: string }

/** A process of the engine, which runs one script at a time. */
export class EngineProcess {
  readonly #child: ChildProcess
  #lines = ""
  #bytes = 0
  #queue: (EngineReply | EngineLoss)[] = []
  #waiting: ((reply: EngineReply | EngineLoss) => void) | undefined
  #isLost = false

  constructor() {
    this.#child = spawn(process.execPath, [...nodeOptions, engineFile()], {
      env: {},
      cwd: path.parse(process.cwd()).root,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    })
    this.#child.stdin!.on("error", () => {})
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => this.#read(text))
    this.#child.once("error", (error) => this.#lose(`it could not be started: ${error.message}`))
    this.#child.once("close", (code, signal) => this.#lose(`it ended with ${signal ?? `code ${code}`}`))
  }

  get isLost(): boolean {
    return this.#isLost
  }

  send(request: EngineRequest): void {
    this.#bytes = 0
    this.#child.stdin!.write(`${JSON.stringify(request)}\n`)
  }

  /** The next message. */
  next(): Promise<EngineReply | EngineLoss> {
    const waiting = this.#queue.shift()
    if (waiting) return Promise.resolve(waiting)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  kill(): void {
    this.#child.kill("SIGKILL")
  }

  /** Says again that it is ready, to the next script. */
  rejoin(): void {
    this.#queue = [{ type: "ready" }]
  }

  /** An idle process does not keep its host alive. */
  hold(use: "busy" | "idle"): void {
    const parts = [this.#child, this.#child.stdin, this.#child.stdout] as unknown as readonly Holding[]
    for (const part of parts) use === "busy" ? part.ref?.() : part.unref?.()
  }

  #read(text: string): void {
    this.#bytes += text.length
    if (this.#bytes > mostReply) {
      this.kill()
      return this.#lose("it sent too much")
    }
    this.#lines += text
    for (let end = this.#lines.indexOf("\n"); end >= 0; end = this.#lines.indexOf("\n")) {
      const line = this.#lines.slice(0, end)
      this.#lines = this.#lines.slice(end + 1)
      const reply = readReply(line)
      if (reply) this.#deliver(reply)
      else {
        this.kill()
        this.#lose("it sent a message that cannot be read")
      }
    }
  }

  #lose(message: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#deliver({ type: "lost", message })
  }

  #deliver(reply: EngineReply | EngineLoss): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting(reply)
    else this.#queue.push(reply)
  }
}

interface Holding {
  ref?(): void
  unref?(): void
}

/** The interpreter of JavaScript is deeply recursive. The default stack of a thread is twice as large. */
const nodeOptions = ["--stack-size=3900", "--max-old-space-size=512", "--no-warnings"]

/** Characters between two requests. A result may have four million, and its quotes may be escaped. */
const mostReply = 64 * 2 ** 20

function readReply(line: string): EngineReply | undefined {
  try {
    const reply = JSON.parse(line) as Json & EngineReply
    return typeof reply === "object" && reply !== null && typeof reply.type === "string" ? reply : undefined
  } catch {
    return undefined
  }
}

/** The built program. Tests of the sources use the built one, too. */
function engineFile(): string {
  const places = ["script-engine.mjs", "../../../../dist/script-engine.mjs"].map((place) =>
    path.resolve(import.meta.dirname, place),
  )
  return places.find((place) => existsSync(place)) ?? places[0]!
}
