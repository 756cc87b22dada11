import { type ChildProcess, fork } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import type { LaneOptions, Order, TestRun } from "./lane.ts"

/** One process of test runs. Whatever hangs in it is killed, and another takes its place. */
export class Lane {
  readonly #options: LaneOptions
  readonly #folder: string
  #child: ChildProcess | undefined

  constructor(options: LaneOptions, folder: string) {
    this.#options = options
    this.#folder = folder
  }

  /** What came of the test files, as far as they were run; `hung` where they took longer than they may. */
  async run(order: Order, milliseconds: number): Promise<readonly TestRun[] | "hung"> {
    const child = this.#child ?? (await this.#open())
    return new Promise((resolve) => {
      const timer = setTimeout(() => end("hung"), milliseconds)
      const end = (answer: readonly TestRun[] | "hung") => {
        clearTimeout(timer)
        child.removeAllListeners()
        if (answer === "hung") this.close()
        resolve(answer)
      }
      child.once("message", ({ runs }: { runs: readonly TestRun[] }) => end(runs))
      child.once("exit", () => end("hung"))
      child.send(order)
    })
  }

  close(): void {
    const pid = this.#child?.pid
    this.#child = undefined
    if (pid === undefined) return
    try {
      process.kill(-pid, "SIGKILL")
    } catch {
      // It has ended by itself.
    }
  }

  #open(): Promise<ChildProcess> {
    const file = path.join(fs.mkdtempSync(path.join(this.#folder, "lane-")), "options.json")
    fs.writeFileSync(file, JSON.stringify(this.#options))
    const child = fork(path.join(import.meta.dirname, "lane.ts"), [file], {
      // A group of its own, so that its workers can be killed with it.
      detached: true,
      execArgv: ["--import", import.meta.resolve("tsx")],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, TMPDIR: this.#folder },
      cwd: this.#options.root,
    })
    this.#child = child
    return new Promise((resolve, reject) => {
      child.once("message", () => {
        child.removeAllListeners()
        resolve(child)
      })
      child.once("exit", (code) => reject(new Error(`The test runner ended with ${code}.`)))
    })
  }
}

/** Has all lanes work until nothing is left, or the time is over. */
export async function share<Item>(
  items: readonly Item[],
  lanes: readonly Lane[],
  until: number,
  work: (item: Item, lane: Lane) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    lanes.map(async (lane) => {
      for (let item = left.shift(); item !== undefined && Date.now() < until; item = left.shift())
        await work(item, lane)
    }),
  )
}
