/**
 * A tree whose store dies at moments that a seed chooses, in memory and without a clock: the same seed gives the same
 * logs. `tsx scripts/soak/simulate.ts --seeds N [--first S]`; the last line is JSON.
 */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { createGenerator } from "../../src/faces/testing/random.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { findFaults, type Ledger, openScenario } from "../../test/crash/scenario.ts"

export interface Simulated {
  readonly deaths: number
  /** Of all logs, but for ids and times. */
  readonly fingerprint: string
  readonly faults: readonly string[]
}

export async function simulate(seed: number): Promise<Simulated> {
  const random = createGenerator(seed)
  const store = memoryStore()
  const ledger: Ledger = new Map()
  let root: string | undefined
  let deaths = 0
  for (let isOver = false; !isOver; ) {
    const [how, at] = [random() < 0.5 ? "dieAfter" : "dieDuring", 1 + Math.floor(random() * 70)]
    // After more than three deaths in a row without a result a run is given up.
    const runtime = openScenario(deaths < 3 ? faultyStore(store, { [how]: at }) : store, ledger)
    const handle = root === undefined ? runtime.run("lead", "go") : runtime.resume(root, { force: true })
    root = handle.id
    isOver = await handle.done.then(
      ({ status }) => status === "ended",
      () => false,
    )
    if (!isOver) deaths++
  }
  return {
    deaths,
    fingerprint: await fingerprintOf(store, root!),
    faults: await findFaults(store, root!, ledger),
  }
}

async function fingerprintOf(store: Store, root: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const { run } of store.list({ root }))
    for await (const event of store.read(run)) {
      const { type, call, result } = event as typeof event & { call?: string; result?: { status: string } }
      hash.update(`${run.slice(root.length)} ${type} ${call} ${result?.status}\n`)
    }
  return hash.digest("hex")
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seeds: { type: "string", default: "1000" }, first: { type: "string", default: "1" } },
  })
  const [first, seeds] = [Number(values.first), Number(values.seeds)]
  let [deaths, wrong] = [0, 0]
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await simulate(seed)
    deaths += result.deaths
    if (result.faults.length === 0) continue
    wrong++
    console.log(`Seed ${seed}: ${result.faults.join("; ")}`)
  }
  console.log(JSON.stringify({ first, seeds, deaths, wrong }))
  process.exitCode = wrong === 0 ? 0 : 1
}
