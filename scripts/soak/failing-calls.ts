/**
 * Fails every call to the file system, and every start of a process, once: the first of its kind in a run, then the second,
 * and so on until a run has no more of them. `tsx scripts/soak/failing-calls.ts`; the last line is JSON.
 */
import childProcess from "node:child_process"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { CadreError } from "../../src/ground/errors.ts"
import { fold } from "../../src/run/begin/load.ts"
import type { RunHandle } from "../../src/run/face/handle.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"

/** Calls that give an answer or throw. What only tells whether something is there is not among them: it never fails. */
const calls = [
  ...["openSync", "writeSync", "readSync", "fsyncSync", "linkSync", "renameSync", "mkdirSync", "rmSync"],
  ...["unlinkSync", "rmdirSync", "readdirSync", "readFileSync", "writeFileSync", "lstatSync", "fstatSync"],
  ...["statSync", "truncateSync", "realpathSync", "readlinkSync", "mkdtempSync"],
] as const

/** The call that is to fail, and how many of them are left until it does. */
let [target, left] = ["", 0]
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-failing-")))
const faults: string[] = []
const stray: unknown[] = []
process.on("unhandledRejection", (error) => stray.push(error))
patch()

const byCall: Record<string, number> = {}
// The first run loads what is loaded at first use.
const { folder: whole } = await play("nothing", 1)
if (!fs.existsSync(path.join(whole, "work/ledger")))
  faults.push("where nothing fails the command does not run")
for (const name of [...calls, "fdatasync", "spawn"])
  for (let [number, missed] = [1, 0]; missed < 2; number++) {
    const what = `${name} ${number}`
    const { state, folder, isReached } = await play(name, number)
    // How many there are may differ by one or two from run to run.
    if (isReached) byCall[name] = (byCall[name] ?? 0) + 1
    else missed++
    if (state === "hung") faults.push(`${what}: the run hung`)
    await goOn(folder, what, state)
    for (const error of stray.splice(0)) faults.push(`${what}: ${String((error as Error)?.stack ?? error)}`)
    fs.rmSync(folder, { recursive: true, force: true })
  }
fs.rmSync(base, { recursive: true, force: true })
for (const fault of faults.slice(0, 20)) console.log(fault)
const total = Object.values(byCall).reduce((sum, count) => sum + count, 0)
console.log(JSON.stringify({ calls: total, byCall, faults: faults.length }))
process.exit(faults.length === 0 ? 0 : 1)

type State = "ended" | "refused" | "hung"

async function play(
  name: string,
  number: number,
): Promise<{ readonly state: State; readonly folder: string; readonly isReached: boolean }> {
  const folder = path.join(base, `${name}-${number}`)
  for (const part of ["runs", "work"]) fs.mkdirSync(path.join(folder, part), { recursive: true })
  const runtime = open(folder)
  ;[target, left] = [name, number]
  const state = await settled(
    runtime.run("worker", "go", { cwd: path.join(folder, "work") }),
    `${name} ${number}`,
  )
  const isReached = left <= 0
  target = ""
  await runtime.close().catch((error) => faults.push(`${name} ${number}: closing failed: ${error}`))
  return { state, folder, isReached }
}

async function settled(handle: RunHandle, what: string): Promise<State> {
  const state = handle.done.then(
    ({ status }): State => (status === "ended" ? "ended" : "refused"),
    (error): State => {
      if (!(error instanceof CadreError)) faults.push(`${what}: ${error?.stack ?? error}`)
      return "refused"
    },
  )
  return Promise.race([state, setTimeout(20_000, "hung" as const, { ref: false })])
}

/** What was said to have ended has; what was not, does now; and a command ran once at most. */
async function goOn(folder: string, what: string, state: State): Promise<void> {
  const store = jsonlStore({ directory: path.join(folder, "runs") })
  for await (const { run } of store.list())
    if (state === "ended" && !(await fold(store, run))?.state.end)
      faults.push(`${what}: its end is not recorded`)
  await store.close()
  const runtime = open(folder)
  for await (const { run } of runtime.list()) {
    const { status, outcome } = await runtime.resume(run).done
    if (status !== "ended") faults.push(`${what}: resumed, it is ${status}`)
    const right = ["completed", "uncertain", ...(state === "ended" ? ["failed"] : [])]
    if (!right.includes(String(outcome?.type))) faults.push(`${what}: it ended as ${JSON.stringify(outcome)}`)
  }
  await runtime.close()
  const ledger = path.join(folder, "work/ledger")
  const times = fs.existsSync(ledger) ? fs.readFileSync(ledger, "utf8").split("\n").length - 1 : 0
  if (times > 1) faults.push(`${what}: the command ran ${times} times`)
}

function open(folder: string) {
  const file_path = path.join(folder, "work/a.txt")
  const end = Array.from({ length: 6 }, () => ({ text: "done" }))
  return createRuntime({
    store: jsonlStore({ directory: path.join(folder, "runs") }),
    agents: [defineAgent({ name: "worker", instructions: "Work." })],
    tools: builtInTools({ root: path.join(folder, "work"), sandbox: "off" }),
    models: {
      script: scriptedModel({
        worker: [
          { calls: [{ tool: "Write", input: { file_path, content: "one\n" } }] },
          { calls: [{ tool: "Read", input: { file_path } }] },
          { calls: [{ tool: "Edit", input: { file_path, old_string: "one", new_string: "two" } }] },
          { calls: [{ tool: "Bash", input: { command: "echo once >> ledger" } }] },
          {
            calls: [
              { tool: "Grep", input: { pattern: "two" } },
              { tool: "Glob", input: { pattern: "*" } },
            ],
          },
          ...end,
        ],
      }),
    },
  })
}

function patch(): void {
  const due = (name: string) => name === target && --left === 0
  const failure = (name: string) =>
    Object.assign(new Error(`EIO: i/o error, ${name}`), {
      code: "EIO",
      errno: -5,
      syscall: name.replace("Sync", ""),
    })
  const foreign = new Set<unknown>()
  const table = fs as unknown as Record<string, (...words: unknown[]) => unknown>
  for (const name of calls) {
    const real = table[name]!
    const failing = (...words: unknown[]) => {
      // Other processes are looked at as long as a command runs, which is as often as it happens to be.
      const isForeign = /^\/proc(?:\/\d|$)/.test(String(words[0])) || foreign.has(words[0])
      if (!isForeign && due(name)) throw failure(name)
      const result = real.apply(fs, words)
      if (name === "openSync") foreign[isForeign ? "add" : "delete"](result)
      return result
    }
    table[name] = Object.assign(failing, real)
  }
  const { fdatasync } = fs
  table.fdatasync = (descriptor, done) =>
    due("fdatasync")
      ? (done as (error: unknown) => void)(failure("fdatasync"))
      : fdatasync(descriptor as number, done as () => void)
  const { spawn } = childProcess
  const starts = childProcess as unknown as Record<string, unknown>
  starts.spawn = (file: string, words: string[], options: object) =>
    spawn(due("spawn") ? "/there/is/no/such/program" : file, words, options)
  syncBuiltinESMExports()
}
