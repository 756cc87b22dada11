import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { createRunId } from "../../src/run/log/id.ts"
import {
  type Claim,
  isRefusal,
  type Store,
  type StoredEvent,
  type StoreRefusal,
} from "../../src/run/log/store.ts"

const workerFile = fileURLToPath(new URL("worker.ts", import.meta.url))

export const event = (run: string, seq: number, extra: object = {}): StoredEvent => ({
  run,
  seq,
  at: seq,
  v: 1,
  type: "test",
  ...extra,
})

export const newRun = (): string => createRunId(Date.now())

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "cadre-ownership-"))
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** As far as it can be read, and the error it stopped at. */
export async function readable(store: Store, run: string): Promise<{ seqs: number[]; code?: string }> {
  const seqs: number[] = []
  try {
    for await (const stored of store.read(run)) seqs.push(stored.seq)
    return { seqs }
  } catch (error) {
    return { seqs, code: (error as { code?: string }).code ?? String(error) }
  }
}

export async function owned(
  store: Store,
  run: string,
  options?: { force?: true; repair?: true },
): Promise<Claim> {
  const claim = await store.claim(run, options)
  if (isRefusal(claim)) throw new Error(`refused: ${JSON.stringify(claim)}`)
  return claim
}

export type Answer =
  | Claim
  | StoreRefusal
  | "ok"
  | "created"
  | "exists"
  | "released"
  | "letters"
  | "delivered"
  | "waiting"

/** Another process with a store on the same directory. */
export class Worker {
  readonly child: ChildProcess
  readonly ready: Promise<void>
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  readonly acknowledged: number[] = []
  #id = 1
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  #errors = ""

  constructor(options: {
    readonly directory: string
    readonly mode?: string
    readonly root?: string
    /** What to run the worker with, such as `unshare`. */
    readonly prefix?: readonly string[]
    readonly environment?: NodeJS.ProcessEnv
  }) {
    const { directory, mode = "serve", root = "", prefix = [], environment = {} } = options
    const command = [...prefix, process.execPath, "--import", "tsx", workerFile, directory, mode, root]
    this.child = spawn(command[0]!, command.slice(1), {
      stdio: ["ignore", "inherit", "pipe", "ipc"],
      env: { ...process.env, ...environment },
    })
    this.child.stderr?.on("data", (text) => {
      this.#errors += text
    })
    this.exited = new Promise((resolve) =>
      this.child.once("exit", (code, signal) => resolve({ code, signal })),
    )
    this.ready = new Promise((resolve, reject) => {
      this.child.once("message", () => resolve())
      this.child.once("error", reject)
      this.exited.then(() => {
        const error = new Error(`the worker ended: ${this.#errors}`)
        reject(error)
        for (const { reject: fail } of this.#waiting.values()) fail(error)
      })
    })
    this.ready.catch(() => {})
    this.child.on("message", ({ id, value, error }: { id: number; value?: unknown; error?: object }) => {
      if (mode !== "serve" && typeof value === "number") this.acknowledged.push(value)
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(value)
      else waiting?.reject(Object.assign(new Error(), error))
    })
    running.add(this)
    this.exited.then(() => running.delete(this))
  }

  async call<Value = Answer>(name: string, ...given: readonly unknown[]): Promise<Value> {
    await this.ready
    const id = this.#id++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.child.send({ id, name, given })
    })
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL")
    await this.exited
  }
}

const running = new Set<Worker>()

export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map((worker) => worker.kill()))
}

/** A process id namespace of its own, with /proc to match. */
export const namespacePrefix = ["unshare", "-Urpf", "--mount-proc", "--kill-child"]

/** Whether namespaces can be made here. On CI a machine that cannot must not pass silently. */
export function canUnshare(): boolean {
  const works = spawnSync(namespacePrefix[0]!, [...namespacePrefix.slice(1), "true"]).status === 0
  if (works) return true
  if (process.env.CI === "true")
    throw new Error("unshare does not work here, and on CI its tests may not be skipped")
  console.warn(
    "SKIPPED: unshare does not work here; other process id namespaces and full disks are not tested.",
  )
  return false
}

/** Runs in a mount namespace of its own where `folder` is a small file system. */
export const smallDisk = (folder: string, mountOptions: string): readonly string[] => [
  "unshare",
  "-Urm",
  "sh",
  "-c",
  `mount -t tmpfs -o ${mountOptions} tmpfs "$0" && exec "$@"`,
  folder,
]
