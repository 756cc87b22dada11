import { expect, test } from "vitest"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { expectSound, results, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { storeWith } from "./store-with.ts"

const use = (tool: string, input: object) => ({ calls: [{ tool, input }] })

/** A subagent in the background that its parent stops, or that ends by itself before. */
const open = (store: Store, delayMs: number): Runtime =>
  world({
    store,
    script: {
      lead: [
        use("Agent", { agent: "slow", prompt: "x", background: true }),
        ...(delayMs < 1_000 ? [use("AgentWait", {})] : []),
        use("AgentCancel", { run: ".1", reason: "enough" }),
        ...Array.from({ length: 6 }, () => ({ text: "lead done" })),
      ],
      slow: [{ text: "slow done", delayMs }],
    },
    runtime: { tools: agentControlTools() },
  }).runtime

async function undisturbed(delayMs: number) {
  const whole = memoryStore()
  const handle = open(whole, delayMs).run("lead", "go")
  const log: StoredEvent[] = []
  for await (const event of handle) if ("seq" in event) log.push(event)
  return { whole, log, id: handle.id, said: await cancelled(whole, handle.id) }
}

/** What the call that cancels was told. */
const cancelled = async (store: Store, id: string): Promise<string | undefined> =>
  (await results(store, id)).at(-1)?.replaceAll(id, "R")

const told = naming("Run R.1", "told to stop")

test("a call that cancels says the same after a death at any event of the tree", async () => {
  const { whole, log, id, said } = await undisturbed(20_000)
  expect(said).toEqual(told)
  for (let length = 1; length < log.length; length++) {
    const store = await storeWith(log.slice(0, length), whole)
    await open(store, 20_000).resume(id).done
    expect({ length, said: await cancelled(store, id) }).toEqual({ length, said })
    await expectSound(store, id)
  }
})

test("a call that cancels and died before it knew says so, also where its subagent has ended of it since", async () => {
  const { whole, log, id } = await undisturbed(20_000)
  const ofLead = log.filter(({ run }) => run === id)
  const started = ofLead.findLastIndex(({ type }) => type === "tool-start")
  for (let length = started + 1; length <= ofLead.length; length++) {
    const [first, ...rest] = ofLead.slice(0, length)
    const store = await storeWith([first!, ...log.filter(({ run }) => run !== id), ...rest], whole)
    await open(store, 20_000).resume(id).done
    expect({ length, said: await cancelled(store, id) }).toEqual({ length, said: told })
  }
})

test("a call that comes too late says so, also after a death", async () => {
  const { whole, log, id, said } = await undisturbed(0)
  expect(said).toBe("Run R.1 has already ended.")
  const started = log.findLastIndex(({ run, type }) => run === id && type === "tool-start")
  const store = await storeWith(log.slice(0, started + 1), whole)
  await open(store, 0).resume(id).done
  expect(await cancelled(store, id)).toBe(said)
})
