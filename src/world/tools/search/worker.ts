import type { Worker } from "node:worker_threads"

export class SlowPattern extends Error {}

export interface MatcherOptions {
  readonly source: string
  readonly flags: string
  readonly span: "line" | "lines"
  /** The most matching lines of a text. */
  readonly most: number
}

const longestForOneText = 2000

/** Runs a regular expression where it can be stopped, because one such as `(a+)+$` may take for ever. */
export class Matcher {
  readonly #options: MatcherOptions
  #worker: Worker | undefined
  #settle: ((answer: readonly number[] | Error) => void) | undefined

  constructor(options: MatcherOptions) {
    this.#options = options
  }

  /**
   * The numbers of the lines that match. Throws SlowPattern if that takes too long; after that the matcher is
   * unusable.
   */
  async match(text: string, deadline: number, signal: AbortSignal): Promise<readonly number[]> {
    const worker = await this.#open()
    return new Promise((resolve, reject) => {
      const timeout = Math.min(longestForOneText, deadline - performance.now())
      const timer = setTimeout(() => this.#settle?.(new SlowPattern()), Math.max(1, timeout))
      const abort = () =>
        this.#settle?.(signal.reason instanceof Error ? signal.reason : new Error("stopped"))
      signal.addEventListener("abort", abort)
      this.#settle = (answer) => {
        this.#settle = undefined
        clearTimeout(timer)
        signal.removeEventListener("abort", abort)
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      worker.postMessage(text)
    })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  async #open(): Promise<Worker> {
    if (this.#worker) return this.#worker
    const { Worker } = await import("node:worker_threads")
    this.#worker = new Worker(program, {
      eval: true,
      workerData: this.#options,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on("message", (numbers: readonly number[]) => this.#settle?.(numbers))
    this.#worker.on("error", (error) => this.#settle?.(error))
    return this.#worker
  }
}

/**
 * A string, because a bundle has no file for it. The pattern is data: it never becomes part of this string.
 */
const program = `
const { parentPort, workerData } = require("node:worker_threads")
const { source, flags, span, most } = workerData
const inLine = new RegExp(source, flags)
const inText = new RegExp(source, flags + "g")
const match = { line: matchLines, lines: matchText }[span]
parentPort.on("message", (text) => parentPort.postMessage(match(text)))

function matchLines(text) {
  const found = []
  const lines = text.split("\\n")
  // The text after the last line break is not a line if it is empty.
  if (lines.at(-1) === "") lines.pop()
  for (let index = 0; index < lines.length && found.length < most; index++)
    if (inLine.test(lines[index].endsWith("\\r") ? lines[index].slice(0, -1) : lines[index])) found.push(index + 1)
  return found
}

function matchText(text) {
  const found = new Set()
  let line = 1
  let at = 0
  for (const match of text.matchAll(inText)) {
    for (; at < match.index; at++) if (text[at] === "\\n") line++
    const last = line + (match[0].replace(/\\n$/, "").split("\\n").length - 1)
    for (let number = line; number <= last; number++) found.add(number)
    if (found.size >= most) break
  }
  return [...found]
}
`
