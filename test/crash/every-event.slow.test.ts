import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf } from "../kit.ts"
import { findFaults, type Ledger, openScenario } from "./scenario.ts"
import { storeWith } from "./store-with.ts"

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

/** Runs until the store dies by plan, leaves a letter at that moment, and resumes on what was recorded. */
async function dieAndResume(
  plan: { dieAfter?: number; dieDuring?: number; seed: number; latency?: number },
  inner = memoryStore(),
) {
  const ledger: Ledger = new Map()
  const dying = faultyStore(inner, plan)
  const handle = openScenario(dying, ledger, pause).run("lead", "go")
  const ended = await handle.done.then(
    () => true,
    () => false,
  )
  if (ended) return { ended, faults: await findFaults(inner, handle.id, ledger), appends: dying.appends }
  // A letter to a run that has ended is refused to its sender; here it died before or after that point.
  const letters = (await stateOf(inner, handle.id)).end ? [] : ["steer"]
  await inner.send({
    run: handle.id,
    key: "steer",
    at: 0,
    body: { type: "message", from: "user", text: "steer" } as never,
  })
  const result = await openScenario(inner, ledger).resume(handle.id, { force: true }).done
  expect(result.status).toBe("ended")
  return { ended, faults: await findFaults(inner, handle.id, ledger, letters), appends: dying.appends }
}

test.each(["dieAfter", "dieDuring"] as const)(
  "7, 16, 17: stopped at every append (%s), a tree resumes to its right end",
  async (how) => {
    let stops = 0
    for (let at = 1; ; at++) {
      const { ended, faults } = await dieAndResume({ [how]: at, seed: at })
      expect({ at, faults }).toEqual({ at, faults: [] })
      if (ended) break
      stops++
    }
    expect(stops).toBeGreaterThan(80)
  },
)

test("stopped at every fifth append, a tree on disk resumes to its right end", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "cadre-crash-"))
  for (let at = 1; ; at += 5) {
    const store = jsonlStore({ directory })
    const { ended, faults } = await dieAndResume({ dieAfter: at, seed: at }, store)
    await store.close()
    expect({ at, faults }).toEqual({ at, faults: [] })
    if (ended) break
  }
  rmSync(directory, { recursive: true })
})

test("a store of uneven latency, stopped at random appends, loses and repeats nothing", async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const { faults } = await dieAndResume({ dieAfter: 1 + ((seed * 37) % 130), seed, latency: 4 })
    expect({ seed, faults }).toEqual({ seed, faults: [] })
  }
})

test("1, 2, 3, 4, 8, 9: every prefix of a recorded tree resumes to its right end, wherever the cut falls", async () => {
  const whole = memoryStore()
  const handle = openScenario(whole, new Map()).run("lead", "go")
  await handle.done
  const log = await orderedLog(whole, handle.id)
  for (let length = 1; length < log.length; length++) {
    for (const started of ["happened", "did-not"] as const) {
      const store = await storeWith(log.slice(0, length), whole)
      const ledger = ledgerOf(log.slice(0, length), started)
      await openScenario(store, ledger).resume(handle.id).done
      expect({ length, started, faults: await findFaults(store, handle.id, ledger) }).toEqual({
        length,
        started,
        faults: [],
      })
    }
  }
  expect(log.length).toBeGreaterThan(100)
})

test("a letter sent at any moment of a run that lives is delivered once", async () => {
  for (let wait = 0; wait < 12; wait++) {
    const store = memoryStore()
    const ledger: Ledger = new Map()
    const runtime = openScenario(store, ledger, pause)
    const handle = runtime.run("lead", "go")
    for (let tick = 0; tick < wait * 3; tick++) await new Promise((resolve) => setImmediate(resolve))
    const sent = await runtime.send(handle.id, "steer", { key: "steer" }).then(
      () => ["steer"],
      () => [],
    )
    await handle.done
    expect({ wait, faults: await findFaults(store, handle.id, ledger, sent) }).toEqual({ wait, faults: [] })
  }
})

async function orderedLog(store: Store, root: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  const stop = new AbortController()
  for await (const event of store.follow(root, {}, stop.signal)) {
    events.push(event)
    if (event.run === root && event.type === "run-end") break
  }
  return events
}

/** What the dead process had done: everything that ended, and of what had only started, all or nothing. */
function ledgerOf(log: readonly StoredEvent[], started: "happened" | "did-not"): Ledger {
  const ledger: Ledger = new Map()
  const effects = new Map<string, string>()
  for (const event of log as unknown as {
    type: string
    run: string
    call: string
    calls: { id: string; effect: string; kind: string }[]
  }[]) {
    if (event.type === "model-end")
      for (const call of event.calls) effects.set(`${event.run}:${call.id}`, call.effect)
    const key = `${event.run}:${event.call}`
    if (event.type === "tool-end" || (event.type === "tool-start" && started === "happened"))
      ledger.set(key, { effect: effects.get(key) as never, count: 1 })
  }
  return ledger
}
