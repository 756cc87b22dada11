import { expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, recorded, results, sleep, stateOf, tool, until, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })

/** Runs until the given append, as if the process had died there. */
async function dieAt(
  store: Store,
  dieAfter: number,
  parts: Omit<Parameters<typeof world>[0], "store">,
): Promise<string> {
  const handle = world({ ...parts, store: faultyStore(store, { dieAfter }) }).runtime.run("a", "go")
  await expect(handle.done).rejects.toThrow(/has stopped|died/)
  return handle.id
}

test("33: resuming what has ended gives the recorded result and asks no model", async () => {
  let asked = 0
  const count = {
    layers: { model: [(request: never, next: (request: never) => never) => (asked++, next(request))] },
  } as never
  const { runtime } = world({ script: { a: [{ text: "done" }] }, runtime: count })
  const handle = runtime.run("a", "go")
  const first = await handle.done
  expect(await runtime.resume(handle.id).done).toEqual(first)
  expect(await runtime.resume(handle.id).done).toEqual(first)
  expect(asked).toBe(1)
})

test("27: a run finishes on the definition it started with, and the difference is reported", async () => {
  const store = memoryStore()
  const systems: string[] = []
  const spy = {
    layers: {
      model: [
        (request: { system: string }, next: (request: unknown) => never) => (
          systems.push(request.system), next(request)
        ),
      ],
    },
  } as never
  const script = { a: [use("work"), { text: "done" }] }
  const id = await dieAt(store, 4, {
    script,
    tools: [tool("work")],
    agents: [{ name: "a", instructions: "the first text" }],
  })
  const changed = world({
    store,
    script,
    tools: [tool("work")],
    agents: [{ name: "a", instructions: "another text" }],
    runtime: spy,
  })
  const result = await changed.runtime.resume(id, { force: true }).done
  expect(result.outcome).toEqual({ type: "completed" })
  expect(new Set(systems)).toEqual(new Set(["the first text"]))
  expect(result.proof.differences).toEqual([expect.stringMatching(/"a".*changed.*keeps/)])
})

test("28: a tool that is gone at resume is a result, and the run goes on", async () => {
  const store = memoryStore()
  const script = { a: [use("work"), { text: "done" }] }
  const id = await dieAt(store, 2, { script, tools: [tool("work")] })
  const { runtime } = world({ store, script, tools: [] })
  const result = await runtime.resume(id, { force: true }).done
  expect(result.outcome).toEqual({ type: "completed" })
  expect(await results(store, id)).toEqual([expect.stringMatching(/work.*longer.*available/)])
  expect(result.proof.differences).toContainEqual(expect.stringMatching(/"work".*registered/))
})

test("a process that dies inside the model call every time ends as failed, and every attempt is charged", async () => {
  const store = memoryStore()
  let asked = 0
  const stream = () => (asked++, new Promise<never>(() => {}))
  const dead = { resolveModel: async () => ({ id: "m", stream }) }
  const parts = { store, script: {}, agents: [{ name: "a", instructions: "x" }], runtime: dead }
  const first = world(parts).runtime.run("a", "go")
  // Each owner is left hanging in the request, as a dead one is, and the next takes the run from it.
  for (
    let resumes = 0;
    resumes < 10 && !(await stateOf(store, first.id).catch(() => undefined))?.end;
    resumes++
  ) {
    await until(() => asked === resumes + 1)
    const handle = world(parts).runtime.resume(first.id, { force: true })
    await Promise.race([handle.done, until(() => asked === resumes + 2)])
  }
  const state = await stateOf(store, first.id)
  expect(state.end?.outcome).toEqual({
    type: "failed",
    reason: expect.stringMatching(/died.*4/),
  })
  expect(state.unsettled.calls).toBe(4)
  await expectSound(store, first.id)
})

test("1, 2: an opaque call that had started is never run again: the model is told that its outcome is unknown", async () => {
  const store = memoryStore()
  let ran = 0
  const tools = [tool("bash", () => `${ran++}`, { effect: "opaque" })]
  const script = { a: [use("bash"), { text: "done" }] }
  const id = await dieAt(store, 3, { script, tools })
  const result = await world({ store, script, tools }).runtime.resume(id, { force: true }).done
  expect(ran).toBeLessThanOrEqual(1)
  expect((await results(store, id))[0]).toMatch(
    /outcome of this bash call is unknown.*Check before you repeat it/,
  )
  expect(result.outcome).toEqual({
    type: "uncertain",
    reason: expect.stringMatching(/outcome.*bash \(c1\)/),
  })
  expect(result.proof.evidence.unknown).toEqual([{ call: "c1", tool: "bash" }])
})

test("a run that checks an unknown outcome before it ends is completed", async () => {
  const store = memoryStore()
  const tools = [tool("bash", () => "ran", { effect: "opaque" }), tool("look")]
  const script = { a: [use("bash"), use("look"), { text: "it had taken effect" }] }
  const id = await dieAt(store, 3, { script, tools })
  expect((await world({ store, script, tools }).runtime.resume(id, { force: true }).done).outcome).toEqual({
    type: "completed",
  })
})

test("4: a call of class read, idempotent or keyed that had started runs again under the same key", async () => {
  for (const effect of ["read", "idempotent", "keyed"] as const) {
    const store = memoryStore()
    const keys: string[] = []
    const tools = [tool("work", (_, { key }) => (keys.push(key), "ok"), { effect })]
    const script = { a: [use("work"), { text: "done" }] }
    const id = await dieAt(store, 3, { script, tools })
    expect((await world({ store, script, tools }).runtime.resume(id, { force: true }).done).outcome).toEqual({
      type: "completed",
    })
    expect(new Set(keys)).toEqual(new Set([`${id}:c1`]))
    expect(await results(store, id)).toEqual(["ok"])
  }
})

test("12: a run that one runtime drives is refused to another, which writes nothing", async () => {
  const store = memoryStore()
  let answer!: (text: string) => void
  const answered = new Promise<string>((resolve) => {
    answer = resolve
  })
  const parts = {
    store,
    script: { a: [use("slow"), { text: "done" }] },
    tools: [tool("slow", () => answered)],
  }
  const handle = world(parts).runtime.run("a", "go")
  await recorded(store, handle.id, "tool-start")
  await expect(world(parts).runtime.resume(handle.id).done).rejects.toThrow(/is owned by/)
  answer("ok")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
})

test("15: resuming a run twice in one runtime is one run", async () => {
  const store = memoryStore()
  let ran = 0
  const parts = {
    script: { a: [use("work"), { text: "done" }] },
    tools: [tool("work", async () => (await sleep(20), `${ran++}`))],
  }
  const id = await dieAt(store, 2, parts)
  const { runtime } = world({ ...parts, store })
  const [first, second] = await Promise.all([
    runtime.resume(id, { force: true }).done,
    runtime.resume(id).done,
  ])
  expect(first).toEqual(second)
  expect(ran).toBe(1)
})

test("21, 22: a full disk or a failing sync stops before the next effect, and no success is reported", async () => {
  for (const plan of [{ failAppend: 3 }, { failSync: 1 }]) {
    let ran = 0
    const store = memoryStore()
    const { runtime } = world({
      store: faultyStore(store, plan),
      script: { a: [use("bash"), use("bash"), { text: "done" }] },
      tools: [tool("bash", () => `${ran++}`, { effect: "opaque" })],
    })
    const handle = runtime.run("a", "go")
    await expect(handle.done).rejects.toThrow(/not be recorded.*stopped: .*as planned/)
    expect(ran).toBe(0)
    expect((await stateOf(store, handle.id)).end).toBeUndefined()
  }
})

test("a follow-up continues the history of an ended run as a new run", async () => {
  const { runtime, store } = world({
    script: { a: [{ match: "first", text: "answer one" }, { text: "answer two" }] },
  })
  const first = runtime.run("a", "first question")
  await first.done
  const second = runtime.run("a", "second question", { continues: first.id })
  await second.done
  expect([...(await stateOf(store, second.id)).messages].map(({ text }) => text)).toEqual([
    "first question",
    "answer one",
    "second question",
    "answer one",
  ])
  await expectSound(store, second.id)
})

test("26: an event of an unknown type is refused with its version, unless it says that it may be ignored", async () => {
  const { runtime, store } = world({
    script: { a: [use("work")] },
    tools: [tool("work")],
    runtime: { rules: [{ tool: "*", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  const claim = (await store.claim(handle.id)) as never
  const extra = { run: handle.id, at: 0, v: 3, type: "future-thing" }
  await store.append(claim, [{ ...extra, seq: 4, ignorable: true } as never])
  await store.release(claim)
  expect((await runtime.read(handle.id)).status).toBe("resting")
  const again = (await store.claim(handle.id)) as never
  await store.append(again, [{ ...extra, seq: 5 } as never])
  await store.release(again)
  await expect(runtime.read(handle.id)).rejects.toThrow(
    /event 5 \(type "future-thing", version 3\).* up to version 2/,
  )
})
