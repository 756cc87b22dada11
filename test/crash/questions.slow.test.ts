import { expect, test } from "vitest"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { expectSound, results, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { storeWith } from "./store-with.ts"

const use = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const ends = (text: string) => Array.from({ length: 6 }, () => ({ text }))

/** A subagent that is waited for asks, and its parent answers. */
const open = (store: Store): Runtime =>
  world({
    store,
    script: {
      lead: [
        use("Agent", { agent: "asker", prompt: "x" }),
        use("AgentSend", { to: ".1", text: "Tabs." }),
        ...ends("lead done"),
      ],
      asker: [use("AskParent", { question: "Tabs or spaces?", seconds: 60 }), ...ends("asker done")],
    },
    runtime: { tools: agentControlTools() },
  }).runtime

/** What was recorded of a tree that nobody disturbed. */
async function undisturbed() {
  const whole = memoryStore()
  const handle = open(whole).run("lead", "go")
  await handle.done
  const log: StoredEvent[] = []
  const stop = new AbortController()
  for await (const event of whole.follow(handle.id, {}, stop.signal)) {
    log.push(event)
    if (event.run === handle.id && event.type === "run-end") break
  }
  return { whole, log, id: handle.id, expected: await told(whole, handle.id) }
}

const told = async (store: Store, id: string) => ({
  lead: (await results(store, id)).map((text) => text.replaceAll(id, "R")),
  asker: await results(store, `${id}.1`),
})

test("a question and its answer survive a death after any event of the tree", async () => {
  const { whole, log, id, expected } = await undisturbed()
  expect(expected).toEqual({
    lead: [expect.stringContaining("Tabs or spaces?"), naming("Sent to run R.1")],
    asker: ["Tabs."],
  })
  for (let length = 1; length < log.length; length++) {
    const store = await storeWith(log.slice(0, length), whole)
    const { outcome } = await open(store).resume(id).done
    expect({ length, outcome, ...(await told(store, id)) }).toEqual({
      length,
      outcome: { type: "completed" },
      ...expected,
    })
    await expectSound(store, id)
  }
})

test("an answer that was read is told as sent, also where its sender died before it knew and the asker has ended", async () => {
  const { whole, log, id, expected } = await undisturbed()
  const ofLead = log.filter(({ run }) => run === id)
  for (let length = 1; length <= ofLead.length; length++) {
    const left = ofLead.slice(0, length)
    // Nothing of a child is there before its parent has recorded that it starts.
    if (!left.some(({ type }) => type === "child-start")) continue
    if (!left.some((event) => event.type === "tool-start")) continue
    const [first, ...rest] = left
    const store = await storeWith([first!, ...log.filter(({ run }) => run !== id), ...rest], whole)
    await open(store).resume(id).done
    expect({ length, ...(await told(store, id)) }).toEqual({ length, ...expected })
  }
})

test("an answer that comes while the asker is being picked up again is its answer", async () => {
  const { whole, log, id, expected } = await undisturbed()
  const asked = log.findIndex(({ run, type }) => run === `${id}.1` && type === "tool-start")
  const store = await storeWith(log.slice(0, asked + 1), whole)
  // As its parent's letter, already delivered to where the dead process would have found it.
  await store.send({
    run: `${id}.1`,
    key: `${id}:c2:message`,
    at: 0,
    body: { type: "message", from: id, text: "Tabs." } as never,
  })
  await open(store).resume(id).done
  expect((await told(store, id)).asker).toEqual(expected.asker)
})
