import { expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { recorded, sleep, stateOf, tool, untilAborted, world } from "../kit.ts"

const use = (name: string) => ({ calls: [{ tool: name }] })
const hang = tool("hang", (_, { signal }) => untilAborted(signal))

test.each([
  { type: "weird" },
  { type: "message" },
  { type: "approval", call: "c1", decision: "maybe" },
  { type: "__proto__" },
  null,
])("a letter that says %j is dropped, and the run goes on", async (body) => {
  const { runtime, store } = world({
    script: { a: [use("slow"), { text: "done" }] },
    tools: [tool("slow", async () => (await sleep(40), "ok"))],
  })
  const handle = runtime.run("a", "go")
  await created(store, handle.id)
  await store.send({ run: handle.id, key: "k", at: 0, body: body as never })
  expect((await handle.done).outcome).toEqual({ type: "completed" })
})

test("a message to a run that can no longer be recorded fails its sender instead of hanging", async () => {
  const store = memoryStore()
  const { runtime } = world({
    store: faultyStore(store, { failAppend: 4 }),
    script: { a: [use("hang"), { text: "done" }] },
    tools: [hang],
  })
  const handle = runtime.run("a", "go")
  await recorded(store, handle.id, "tool-start")
  await expect(runtime.send(handle.id, "hello")).rejects.toThrow(/disk is full, as planned/)
  await expect(handle.done).rejects.toThrow(/disk is full, as planned/)
})

test("resuming in the same breath as a run comes to rest drives it under a new claim", async () => {
  const { runtime, store } = world({
    script: { a: [use("write"), { text: "done" }] },
    tools: [tool("write")],
    runtime: { rules: [{ tool: "write", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  for (let time = 0; time < 20; time++) {
    const again = runtime.resume(handle.id)
    expect((await again.done).status).toBe("resting")
  }
  const answered = runtime.approve(handle.id, "c1", "allow")
  const resumed = runtime.resume(handle.id).done
  await answered
  await resumed
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
  expect((await stateOf(store, handle.id)).end?.outcome).toEqual({ type: "completed" })
})

test("a child that its parent ended without is ended when the tree is resumed", async () => {
  const store = memoryStore()
  const parts = {
    store,
    script: {
      a: [
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "x", background: true } }] },
        { text: "done" },
      ],
      b: [use("hang")],
    },
    tools: [hang],
  }
  const handle = world(parts).runtime.run("a", "go")
  await recorded(store, `${handle.id}.1`, "tool-start")
  const claim = (await store.claim(handle.id, { force: true })) as never
  const { seq } = await last(store, handle.id)
  const end = { type: "run-end", outcome: { type: "completed" }, output: "done" }
  await store.append(claim, [{ run: handle.id, seq: seq + 1, at: 0, v: 1, ...end } as never])
  await store.release(claim)
  await handle.done.catch(() => {})
  expect((await world(parts).runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
  expect((await stateOf(store, `${handle.id}.1`)).end?.outcome).toEqual({
    type: "cancelled",
    reason: "its parent has ended",
  })
})

test("a call that waits for a resource somebody else holds is cancelled at once", async () => {
  const locked = tool("locked", (_, { signal }) => untilAborted(signal), { resource: () => "one" })
  const parts = { script: { a: [use("locked"), { text: "done" }] }, tools: [locked] }
  const { runtime } = world(parts)
  const holder = runtime.run("a", "go")
  await sleep(20)
  const waiting = runtime.run("a", "go")
  await sleep(20)
  await waiting.cancel()
  expect((await waiting.done).outcome?.type).toBe("cancelled")
  await holder.cancel()
  await holder.done
})

test("31: a message that meets the end of its run is in the history, or reported undelivered, or refused: never lost", async () => {
  const seen = { delivered: 0, undelivered: 0, refused: 0 }
  for (let round = 0; round < 200; round++) {
    const store = memoryStore()
    const parts = { store, script: { a: [{ text: "done" }, { text: "done" }] } }
    const handle = world(parts).runtime.run("a", "go")
    const other = world(parts).runtime
    for (let tick = 0; tick < round % 40; tick++)
      await (round % 2 === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)))
    const answer = await other.send(handle.id, "late", { key: "late" }).catch((error) => error.code)
    await handle.done
    const state = await stateOf(store, handle.id)
    const delivered = [...state.messages].filter(({ text }) => text === "late").length
    const undelivered = state.inbox.filter(({ text }) => text === "late").length
    const refused = answer === "RUN_ENDED" || answer === "RUN_UNKNOWN" ? 1 : 0
    if (!refused)
      expect({ round, answer, found: delivered + undelivered }).toEqual({ round, answer, found: 1 })
    if (delivered) seen.delivered++
    else if (undelivered) seen.undelivered++
    else if (refused) seen.refused++
  }
  expect(seen.delivered).toBeGreaterThan(0)
  expect(seen.refused).toBeGreaterThan(0)
})

async function created(store: ReturnType<typeof memoryStore>, run: string): Promise<void> {
  while ((await last(store, run)).seq < 0) await sleep(1)
}

async function last(store: ReturnType<typeof memoryStore>, run: string) {
  let event = { seq: -1 }
  for await (event of store.read(run));
  return event
}
