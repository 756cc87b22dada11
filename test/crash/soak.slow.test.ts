import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { afterAll, expect, test } from "vitest"
import { longRun } from "../../scripts/soak/long-run.ts"
import { parallel } from "../../scripts/soak/parallel.ts"
import { simulate } from "../../scripts/soak/simulate.ts"
import { createGenerator } from "../../src/faces/testing/random.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { findFaults, openScenario } from "./scenario.ts"

const root = path.resolve(import.meta.dirname, "../..")
const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-soak-test-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

test.skipIf(sandboxMissing !== undefined)(
  "223, 225: runs that use the tools, in processes that are killed, on a server that fails, all end rightly and leave nothing",
  async () => {
    const { code, output } = await script("scripts/soak.ts", "--minutes", "0.2", "--at-once", "12")
    const { runs, trees, kills, lost, repeatedOpaque, left } = lastLine(output)
    expect({ code, lost, repeatedOpaque, left }, output).toEqual({
      code: 0,
      lost: 0,
      repeatedOpaque: 0,
      left: 0,
    })
    expect(kills, output).toBeGreaterThan(2)
    expect(trees, output).toBeGreaterThan(runs)
  },
)

test("224: 1,000 subagents at the same time all finish", async () => {
  const { finished, mostAtOnce } = await parallel(1_000)
  expect({ finished, mostAtOnce }).toEqual({ finished: 1_000, mostAtOnce: 1_000 })
})

test("226: a run of many turns goes on in a small window, and its log reads as what happened", async () => {
  const { outcome, compactions, longest, problems } = await longRun(1_500)
  expect({ outcome, problems }).toEqual({ outcome: "completed", problems: [] })
  expect(compactions).toBeGreaterThan(2)
  expect(longest).toBeLessThanOrEqual(400)
})

test("228: 50 trees of the version before, some still with a live worker of it, finish with this one", async () => {
  const whole = memoryStore()
  const recorded = openScenario(whole, new Map()).run("lead", "go")
  await recorded.done
  const log = await orderedLog(whole, recorded.id)
  const store = jsonlStore({ directory: path.join(base, "versions") })
  const held: (() => Promise<void>)[] = []
  const trees = Array.from({ length: 50 }, (_, index) => recorded.id.slice(0, -2) + String(10 + index))
  for (const [index, tree] of trees.entries()) {
    const cut = 1 + Math.floor((index / trees.length) * (log.length - 2))
    const release = await recordOld(store, tree, log.slice(0, cut), whole)
    if (index % 5 === 0) held.push(release)
    else await release()
  }
  const another = jsonlStore({ directory: path.join(base, "versions") })
  const runtime = openScenario(another, new Map())
  const refused: string[] = []
  for (const tree of trees)
    await runtime.resume(tree).done.catch(({ code }) => refused.push(`${code} ${trees.indexOf(tree) % 5}`))
  expect(refused).toEqual(Array.from({ length: 10 }, () => "RUN_OWNED 0"))
  for (const release of held) await release()
  for (const tree of trees) {
    await runtime.resume(tree).done
    expect(await findFaults(another, tree, new Map())).toEqual([])
    for await (const { run } of another.list({ root: tree })) {
      const versions: number[] = []
      for await (const { v } of another.read(run)) versions.push(v)
      expect(versions).toEqual(versions.toSorted((left, right) => left - right))
    }
  }
  await runtime.close()
  await store.close()
})

test("229: start-up after SIGKILL at random points of start-up: what was begun is found, resumed and ends", async () => {
  const world = new CommandWorld()
  try {
    const random = createGenerator(229)
    world.agent("worker", ["tools: []"])
    world.script({
      worker: [{ text: "done", delayMs: 150 }, ...Array.from({ length: 4 }, () => ({ text: "done" }))],
    })
    for (let round = 0; round < 15; round++) {
      const { child, ended } = world.start(["run", "worker", "go", ...world.model])
      await setTimeout(random() * 700)
      child.kill("SIGKILL")
      await ended
    }
    const { runs } = JSON.parse((await world.cadre("runs", "--json")).stdout)
    const open = runs.filter(({ status }: { status: string }) => status !== "ended")
    for (const { id } of open) {
      const { code, stdout, stderr } = await world.cadre("resume", id)
      expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "done\n" })
    }
    expect((await world.cadre("run", "worker", "go", ...world.model)).code).toBe(0)
  } finally {
    world.remove()
  }
})

test("231: every call to the file system and every start of a process fails once: no hang, no false success", async () => {
  const { code, output } = await script("scripts/soak/failing-calls.ts")
  const { calls, byCall, faults } = lastLine(output)
  expect({ code, faults }, output).toEqual({ code: 0, faults: 0 })
  expect(calls).toBeGreaterThan(80)
  for (const name of ["openSync", "writeSync", "fdatasync", "renameSync", "linkSync", "spawn"])
    expect(byCall, name).toHaveProperty(name)
})

test("232: trees that die where a seed says reach their right end, and a seed replays exactly", async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { faults, fingerprint } = await simulate(seed)
    expect({ seed, faults }).toEqual({ seed, faults: [] })
    if (seed % 10 === 0) expect((await simulate(seed)).fingerprint, `seed ${seed}`).toBe(fingerprint)
  }
})

async function script(
  file: string,
  ...words: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", file, ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1" },
  })
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
  return { output: await text(child.stdout), code: await closed }
}

const lastLine = (output: string) => JSON.parse(output.trimEnd().split("\n").at(-1)!)

async function orderedLog(store: Store, tree: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.follow(tree, {}, new AbortController().signal)) {
    events.push(event)
    if (event.run === tree && event.type === "run-end") break
  }
  return events
}

/** Writes events as the version before did, and holds the claim until told otherwise. */
async function recordOld(
  store: Store,
  tree: string,
  log: readonly StoredEvent[],
  whole: Store,
): Promise<() => Promise<void>> {
  const before = log[0]!.run
  let claim: Awaited<ReturnType<Store["claim"]>> | undefined
  for (const event of log) {
    const old = downcast(JSON.parse(JSON.stringify(event).replaceAll(before, tree)))
    if (event.type === "run-start") {
      const { definition } = event as unknown as { definition: string }
      await store.putBlob(old.run, (await whole.getBlob(event.run, definition))!)
    }
    if (event.seq === 0) await store.create(old)
    claim ??= await store.claim(tree)
    if (!("epoch" in claim)) throw new Error(`There is no claim on ${tree}.`)
    if (event.seq > 0) await store.append(claim, [old])
  }
  return async () => void (await store.release(claim as never))
}

function downcast(event: StoredEvent): StoredEvent {
  if (event.type !== "run-start") return { ...event, v: 1 }
  const { model } = event as unknown as { model: { requested: string | null; resolved: string } }
  const { requested, resolved } = model
  return { ...event, v: 1, model: { requested, name: "script", resolved } } as StoredEvent
}
