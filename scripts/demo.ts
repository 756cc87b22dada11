/** An editor hands a text to two reviewers. The process is killed in the middle; another one finishes the run. */
import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { createRuntime, jsonlStore, type RunProof, type RunResult, type RunState } from "cadre"
import { answer, article, corrected, placesIn } from "./demo/newsroom.ts"
import { nameCall, paint, plain, Screen } from "./demo/screen.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-demo-"))
const { desk, runs, ledger } = placesIn(folder)
fs.mkdirSync(desk)
fs.writeFileSync(path.join(desk, "article.md"), article)
// It only reads: the runs belong to the processes started below.
const runtime = createRuntime({ store: jsonlStore({ directory: runs }) })
const screen = new Screen()
let worker: ChildProcess | undefined
process.once("SIGINT", () => process.exit(130))
process.once("exit", () => {
  worker?.kill("SIGKILL")
  fs.rmSync(folder, { recursive: true, maxRetries: 5 })
})

const { root, before } = await play()
process.exitCode = (await showResult(root, before)) === "right" ? 0 : 1
await runtime.close()

/** Follows the tree from outside through both processes; answers which calls had ended before the kill. */
async function play(): Promise<{ readonly root: string; readonly before: readonly string[] }> {
  screen.say(paint("bold", "An editor has a text reviewed by two subagents, which work at the same time."))
  screen.say()
  worker = start()
  screen.say(paint("cyan", `▶ process ${worker.pid} starts the run`))
  const root = await firstRun()
  const ended: string[] = []
  let before: readonly string[] | undefined
  for await (const event of runtime.follow(root, new AbortController().signal)) {
    if (event.type === "tool-end") {
      const { start, calls } = screen.states.get(event.run)!
      const call = calls.find(({ id, kind }) => id === event.call && kind === "function")
      if (call) ended.push(`${start!.agent} ${nameCall(call)}`)
    }
    screen.add(event)
    if (event.run === root && event.type === "run-end") break
    if (before || !isGoodMoment([...screen.states.values()])) continue
    before = [...ended]
    worker.kill("SIGKILL")
    await once(worker, "exit")
    screen.say(
      `\n${paint("red", `✗ process ${worker.pid} is killed (SIGKILL): facts is done, style is not`)}\n`,
    )
    await setTimeout(600)
    worker = start(root)
    screen.say(paint("cyan", `▶ process ${worker.pid} resumes the run from its log`))
  }
  if (worker.exitCode === null) await once(worker, "exit")
  if (!before) throw new Error("The run ended before the moment to kill it came.")
  return { root, before }
}

/** One reviewer is done, the other one is in the middle of something. */
function isGoodMoment(states: readonly RunState[]): boolean {
  const facts = states.find(({ start }) => start?.agent === "facts")
  const style = states.find(({ start }) => start?.agent === "style")
  return facts?.end !== undefined && style !== undefined && style.turn >= 2 && !style.end
}

async function showResult(root: string, before: readonly string[]): Promise<"right" | "wrong"> {
  const results: RunResult[] = []
  for await (const { run } of runtime.list({ root })) results.push(await runtime.read(run))
  const { outcome, output, proof } = results[0]!
  const { requested, resolved, reported } = proof.model
  const files = results.flatMap((result) => result.proof.evidence.files)
  const intact = files.filter(({ path: file, hash }) => hashOf(file) === hash)
  const effects = ledgerLines()
  const kept = before.filter((line) => effects.filter((effect) => effect === line).length === 1)
  const unsettled = results.reduce((total, result) => total + result.proof.usage.unsettled.calls, 0)

  const lines = [
    ["result", `${outcome?.type}: "${output}"`],
    ["model", `requested ${requested}, resolved ${resolved}, reported ${reported.join(", ")}`],
    ...results.map(({ agent, proof }) => ["calls", `${agent}: ${tell(proof.evidence.calls)}`]),
    ...files.map((file) => [
      "written",
      `${file.path} ${file.hash.slice(0, 12)}… ${intact.includes(file) ? "as on the disk" : "NOT as on the disk"}`,
    ]),
    ["tokens", `the editor's own: ${tokens(proof.usage.own)}`],
    ["tokens", `with subagents: ${tokens(proof.usage.inclusive)}`],
    ["asked again", `model requests in flight when the process died: ${unsettled}`],
    ...kept.map((line) => ["not repeated", line]),
  ] as const
  screen.say()
  for (const [name = "", text = ""] of lines) screen.say(`${paint("bold", name.padEnd(13))} ${plain(text)}`)

  const article = fs.readFileSync(path.join(desk, "article.md"), "utf8")
  const isRight =
    outcome?.type === "completed" &&
    output === answer &&
    article === corrected &&
    files.length === 3 &&
    intact.length === 3 &&
    kept.length >= 3 &&
    kept.length === before.length
  screen.say(isRight ? paint("green", "\n✓ right") : paint("red", "\n✗ wrong"))
  return isRight ? "right" : "wrong"
}

function start(run?: string): ChildProcess {
  const file = path.join(import.meta.dirname, "demo", "worker.ts")
  const child = spawn(
    process.execPath,
    ["--import", "tsx", file, folder, ...(run === undefined ? [] : [run])],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  )
  child.stderr.on("data", (text) => screen.say(plain(String(text))))
  // One that is killed has no code.
  child.once("exit", (code) => code && process.exit(1))
  return child
}

async function firstRun(): Promise<string> {
  for (;;) {
    for await (const { run } of runtime.list()) return run
    await setTimeout(20)
  }
}

function ledgerLines(): readonly string[] {
  return fs.readFileSync(ledger, "utf8").split("\n").filter(Boolean)
}

function hashOf(file: string): string {
  return createHash("sha256")
    .update(fs.readFileSync(path.join(desk, file)))
    .digest("hex")
}

function tell(calls: RunProof["evidence"]["calls"]): string {
  return Object.entries(calls)
    .map(([tool, times]) => `${tool} × ${times}`)
    .join(", ")
}

function tokens(usage: RunProof["usage"]["own"]): string {
  return Object.values(usage)
    .map(({ inputTokens, outputTokens }) => `${inputTokens} in, ${outputTokens} out`)
    .join("; ")
}
