import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Order, Report } from "./worker.ts"
import type { Places } from "./world.ts"

/** One worker process, and what it was told to do and has not done. */
export class Member {
  readonly tasks = new Map<number, Order>()
  readonly #child: ChildProcess
  readonly exited: Promise<unknown>
  errors = ""

  constructor(file: string, places: Places, onReport: (report: Report, member: Member) => void) {
    const child = spawn(process.execPath, ["--expose-gc", file, JSON.stringify(places)], {
      stdio: ["pipe", "pipe", "pipe"],
      cwd: places.work,
      env: {
        PATH: process.env.PATH,
        HOME: places.base,
        TMPDIR: places.temporary,
        XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR,
        LANG: "C.UTF-8",
      },
    })
    this.#child = child
    alive.add(child)
    this.exited = once(child, "close").then(() => alive.delete(child))
    child.stdin.on("error", () => {})
    child.stderr.setEncoding("utf8").on("data", (text) => {
      this.errors = (this.errors + text).slice(-4_000)
    })
    createInterface({ input: child.stdout }).on("line", (line) => {
      const report = parse(line)
      if (!report) return
      if (report.type === "done" || report.type === "refused") this.tasks.delete(report.number)
      onReport(report, this)
    })
  }

  give(order: Order): void {
    this.tasks.set(order.number, order)
    this.#child.stdin!.write(`${JSON.stringify(order)}\n`)
  }

  /** What it had not done. Its last reports have come when this is over. */
  async kill(): Promise<readonly Order[]> {
    this.#child.kill("SIGKILL")
    await this.exited
    return [...this.tasks.values()]
  }

  /** Lets it end by itself: undefined, or how it ended instead. */
  async dismiss(): Promise<string | undefined> {
    this.#child.stdin!.end()
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 20_000)
    await this.exited
    clearTimeout(timer)
    const { exitCode, signalCode } = this.#child
    return exitCode === 0 ? undefined : `a worker ended with ${exitCode ?? signalCode}: ${this.errors}`
  }
}

const alive = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL")
})

/** Undefined: a kill left only a part of the line. */
function parse(line: string): Report | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
