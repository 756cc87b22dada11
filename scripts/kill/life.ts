import { type ChildProcess, spawn } from "node:child_process"
import fs from "node:fs"
import { setTimeout } from "node:timers/promises"
import type { TreeName } from "./trees.ts"

/** The settings of a worker process. */
export interface Order {
  readonly directory: string
  readonly ledger: string
  readonly seen: string
  readonly tree: TreeName
  readonly seed: number
  /** The MCP server of the tree, a program. */
  readonly server: string
  /** The tree to resume; without it a new one is started. */
  readonly root?: string
  /** Die in this write, counted from 1, after this part of its bytes. */
  readonly tear?: { readonly write: number; readonly part: number }
}

/** One worker process, from its start to its end. */
export class Life {
  readonly ready: Promise<void>
  readonly exited: Promise<"ended" | "killed" | "crashed" | "hung">
  readonly over: AbortSignal
  errors = ""
  readonly #process: ChildProcess

  constructor(worker: string, order: Order) {
    const over = new AbortController()
    this.over = over.signal
    const child = spawn(process.execPath, [worker, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.#process = child
    alive.add(child)
    child.stderr.setEncoding("utf8").on("data", (text) => {
      this.errors += text
    })
    let isHung = false
    const timer = globalThis.setTimeout(() => {
      isHung = true
      child.kill("SIGKILL")
    }, patience)
    this.exited = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        clearTimeout(timer)
        alive.delete(child)
        over.abort()
        resolve(isHung ? "hung" : signal === "SIGKILL" ? "killed" : code === 0 ? "ended" : "crashed")
      })
    })
    this.ready = Promise.race([
      new Promise<void>((resolve) => child.stdout.once("data", () => resolve())),
      this.exited.then(() => {}),
    ])
  }

  async killAfter(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.over }).catch(() => {})
    this.#process.kill("SIGKILL")
  }
}

/** Milliseconds after which a worker counts as hung. */
const patience = 30_000

const alive = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL")
})

/**
 * Processes that still mention the folder on their command line. Only Linux tells without starting another one. A server
 * of a killed worker ends a moment after it.
 */
export async function leftProcesses(folder: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return []
  for (let round = 0; round < 200 && findProcesses(folder).length > 0; round++) await setTimeout(50)
  return findProcesses(folder).map((id) => `process ${id} is still there`)
}

function findProcesses(word: string): readonly string[] {
  return fs.readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word)
    } catch {
      // It ended while we looked.
      return false
    }
  })
}
