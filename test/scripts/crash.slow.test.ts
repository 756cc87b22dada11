/** A script whose cadre is killed goes on where it was, and repeats nothing. */
import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, test } from "vitest"

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-script-crash-"))
  fs.mkdirSync(path.join(folder, "work"))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

interface Printed {
  readonly type: string
  readonly run: string
  readonly note?: {
    readonly started?: { readonly name: string }
    readonly answered?: { readonly name: string }
  }
  readonly result?: { readonly status: string; readonly text: string }
}

/** Runs the program until it ends, or kills it once it has printed such an event. */
async function play(
  script: string,
  run?: string,
  until?: (event: Printed) => boolean,
): Promise<readonly Printed[]> {
  const program = path.join(import.meta.dirname, "crash-program.ts")
  const words = ["--import", "tsx", program, folder, script, ...(run === undefined ? [] : [run])]
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  const events: Printed[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as Printed
    events.push(event)
    if (until?.(event)) child.kill("SIGKILL")
  }
  return events
}

const put = (text: string): string => {
  const file = path.join(folder, "work.pym")
  fs.writeFileSync(file, text)
  return file
}
const started = (events: readonly Printed[]) => events.flatMap(({ note }) => note?.started?.name ?? [])
const results = (events: readonly Printed[]) => events.flatMap(({ result }) => result ?? [])

test("what was answered is not asked again, and the script goes on", async () => {
  const script = put(
    [
      "from grail import external",
      "@external",
      "async def write_file(path: str, content: str) -> bool: ...",
      "@external",
      "async def read_file(path: str) -> str: ...",
      'await write_file(path="a.txt", content="one")',
      'before = await read_file(path="a.txt")',
      'await write_file(path="a.txt", content="two")',
      "n = 0",
      "while n < 3000000:",
      "    n = n + 1",
      'after = await read_file(path="a.txt")',
      "[before, after]",
    ].join("\n"),
  )
  let answers = 0
  const killed = await play(script, undefined, ({ note }) => note?.answered !== undefined && ++answers === 3)
  expect([started(killed), results(killed)]).toEqual([["write_file", "write_file"], []])
  const resumed = await play(script, killed[0]!.run)
  // The second writing would have made the first answer "two".
  expect(results(resumed)).toMatchObject([{ status: "ok", text: '["one","two"]' }])
  // The handle shows the whole log, and nothing was started again.
  expect(started(resumed)).toEqual(["write_file", "write_file"])
})

test("a command that was running is not run again: its outcome is unknown", async () => {
  const script = put(
    [
      "from grail import external",
      "@external",
      "async def run_command(cmd: str, args: list[str]) -> dict: ...",
      'x = await run_command(cmd="sh", args=["-c", "echo x >> ran.txt; sleep 60"])',
      "x",
    ].join("\n"),
  )
  const ran = path.join(folder, "work/ran.txt")
  const killed = await play(script, undefined, ({ note }) => {
    if (note?.started === undefined) return false
    while (!fs.existsSync(ran)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return true
  })
  expect(started(killed)).toEqual(["run_command"])
  const resumed = await play(script, killed[0]!.run)
  expect(results(resumed).map(({ status, text }) => [status, JSON.parse(text).code])).toEqual([
    ["unknown", "INTERRUPTED"],
  ])
  expect(resumed.findLast(({ type }) => type === "run-end")).toMatchObject({ outcome: { type: "uncertain" } })
  expect(fs.readFileSync(ran, "utf8")).toBe("x\n")
})
