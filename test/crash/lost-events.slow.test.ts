import { expect, test } from "vitest"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { fold } from "../../src/run/begin/load.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { type Ledger, openScenario } from "./scenario.ts"
import { storeWith } from "./store-with.ts"

/** How often each agent of the tree does something that must not happen twice. */
const most: Readonly<Record<string, number>> = { lead: 1, middle: 2, leaf: 0, deep: 2, watcher: 1 }

const lostEvent = ({ run, seq, at, v }: StoredEvent, rest: boolean): StoredEvent =>
  ({ run, seq, at, v, type: "event-lost", reason: "test", ...(rest && { rest }) }) as StoredEvent

/** With what a repair says of itself. */
function repairedStore(log: readonly StoredEvent[], whole: Store): Promise<Store> {
  const { run, at, v } = log[0]!
  const repair = { type: "log-repair", restored: 0, lost: 1, reasons: ["test"], kept: "test" }
  const seq = log.filter((event) => event.run === run).length
  return storeWith([...log, { run, at, v, seq, ...repair }], whole)
}

/** What a process had done that died after these events, of which all were written down. */
function agentsOf(log: readonly StoredEvent[]): ReadonlyMap<string, string> {
  return new Map(
    (log as readonly (StoredEvent & { agent?: string })[]).flatMap(({ run, type, agent }) =>
      type === "run-start" ? [[run, agent!] as const] : [],
    ),
  )
}

function opaqueStarts(log: readonly StoredEvent[]): readonly string[] {
  const opaque = new Set<string>()
  const started: string[] = []
  for (const event of log as readonly (StoredEvent & {
    calls?: readonly { id: string; effect: string }[]
    call?: string
  })[]) {
    if (event.type === "model-end")
      for (const { id, effect } of event.calls ?? [])
        if (effect === "opaque") opaque.add(`${event.run}:${id}`)
    if (event.type === "tool-start" && opaque.has(`${event.run}:${event.call}`)) started.push(event.run)
  }
  return started
}

async function faultsAfter(
  store: Store,
  root: string,
  before: readonly StoredEvent[],
): Promise<readonly string[]> {
  const ledger: Ledger = new Map()
  const { outcome, proof } = await openScenario(store, ledger).resume(root).done
  const faults: string[] = []
  if (outcome?.type !== "completed" && outcome?.type !== "uncertain")
    faults.push(`ended as ${JSON.stringify(outcome)}`)
  const agents = new Map(agentsOf(before))
  const runs: string[] = []
  for await (const { run, agent, status } of store.list({ root })) {
    runs.push(run)
    agents.set(run, agents.get(run) ?? agent)
    const folded = (await fold(store, run))!.state
    if (!folded.start) continue
    if (status !== "ended") faults.push(`${run} (${agent}) is ${status}`)
    faults.push(...checkHistory(folded.messages).map((problem) => `${run}: ${problem}`))
  }
  const done: Record<string, number> = {}
  const again = [...ledger].flatMap(([key, { effect, count }]) =>
    effect === "opaque" ? Array.from({ length: count }, () => key.split(":")[0]!) : [],
  )
  for (const run of [...opaqueStarts(before), ...again]) {
    const agent = agents.get(run)!
    done[agent] = (done[agent] ?? 0) + 1
  }
  for (const [agent, count] of Object.entries(done))
    if (count > most[agent]!) faults.push(`${agent} did ${count} opaque things`)
  const isTold = proof.warnings.some((warning) => warning.includes("lost"))
  if (!isTold && before.some(({ run }) => run === root) && (await lostIn(store, root)))
    faults.push("the result does not say that events are lost")
  return faults
}

async function lostIn(store: Store, run: string): Promise<boolean> {
  for await (const { type } of store.read(run)) if (type === "event-lost") return true
  return false
}

async function recorded(): Promise<{ whole: Store; root: string; log: readonly StoredEvent[] }> {
  const whole = memoryStore()
  const handle = openScenario(whole, new Map()).run("lead", "go")
  await handle.done
  const log: StoredEvent[] = []
  for await (const event of whole.follow(handle.id, {}, new AbortController().signal)) {
    log.push(event)
    if (event.run === handle.id && event.type === "run-end") break
  }
  return { whole, root: handle.id, log }
}

test("whichever event is lost, and wherever the process died after it: the tree ends, and nothing opaque happens twice", async () => {
  const { whole, root, log } = await recorded()
  for (let at = 0; at < log.length; at++) {
    if (log[at]!.seq === 0) continue
    for (const length of new Set([at + 1, at + 2, at + 4, at + 12, log.length - 1])) {
      if (length > log.length || length <= at) continue
      const before = log.slice(0, length)
      const store = await repairedStore(
        before.map((event, index) => (index === at ? lostEvent(event, false) : event)),
        whole,
      )
      const lost = `${at} (${log[at]!.type} of ${log[at]!.run.slice(26)}) of ${length}`
      expect({ lost, faults: await faultsAfter(store, root, before) }).toEqual({ lost, faults: [] })
    }
  }
})

test("whichever two events of a run in a row are lost, nothing opaque happens twice", async () => {
  const { whole, root, log } = await recorded()
  for (let at = 0; at < log.length; at++) {
    if (log[at]!.seq === 0) continue
    const next = log.findIndex(({ run, seq }) => run === log[at]!.run && seq === log[at]!.seq + 1)
    if (next < 0) continue
    for (const length of new Set([next + 1, next + 3, log.length - 1])) {
      const before = log.slice(0, Math.max(next + 1, length))
      const store = await repairedStore(
        before.map((event, index) => (index === at || index === next ? lostEvent(event, false) : event)),
        whole,
      )
      const lost = `${at} and ${next} (${log[at]!.type}, ${log[next]!.type}) of ${length}`
      expect({ lost, faults: await faultsAfter(store, root, before) }).toEqual({ lost, faults: [] })
    }
  }
})

test("however much is lost at the end, nothing opaque happens twice", async () => {
  const { whole, root, log } = await recorded()
  for (let length = 1; length < log.length; length++) {
    const left = log.slice(0, length)
    const ended = new Set(left.filter(({ type }) => type === "run-end").map(({ run }) => run))
    const last = new Map(left.map((event) => [event.run, event]))
    const fillers = [...last.values()]
      .filter(({ run }) => !ended.has(run))
      .map((event) => lostEvent({ ...event, seq: event.seq + 1 }, true))
    const store = await repairedStore([...left, ...fillers], whole)
    expect({ length, faults: await faultsAfter(store, root, log) }).toEqual({ length, faults: [] })
  }
})

test("a subagent whose first event is lost is reported as uncertain, and its caller goes on", async () => {
  const { whole, root, log } = await recorded()
  for (let at = 0; at < log.length; at++) {
    const { run, seq } = log[at]!
    if (seq !== 0 || run === root) continue
    const before = log.slice(0, at + 6)
    if (before.filter((event) => event.run === run).length < 2) continue
    const store = await repairedStore(
      before.map((event, index) => (index === at ? lostEvent(event, false) : event)),
      whole,
    )
    expect({ run, faults: await faultsAfter(store, root, before) }).toEqual({ run, faults: [] })
  }
})
