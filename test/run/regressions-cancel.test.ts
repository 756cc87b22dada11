import { describe, expect, test } from "vitest"
import { defineTool } from "../../src/agent/tool.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { Store } from "../../src/run/log/store.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, results, sleep, tool, untilAborted, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const delegate = (agent: string) => use("Agent", { agent, prompt: "x" })
const plain = (name: string, more = {}) => ({ name, instructions: "x", ...more })

/** The model of every agent; the one named "late" waits for the gate the given time that it is asked for. */
function late(script: ModelScript, time: number, gate: Promise<void>) {
  const model = scriptedModel(script)
  let asked = 0
  return async (name: string) => {
    if (name === "late" && ++asked === time) await gate
    return model
  }
}

/** Gives out after many reads, so that a tree that spins fails instead of blocking the process. */
function bounded(store: Store): Store {
  let reads = 0
  return {
    ...store,
    read(run, from) {
      if (++reads > 500) throw new Error("the tree spins")
      return store.read(run, from)
    },
  }
}

const one = { a: [use("work"), { text: "done" }] }
const two = { a: [delegate("b"), { text: "done" }], b: [use("work"), { text: "b done" }] }
const twoAgents = [plain("a"), plain("b", { model: "late" })]

type Parts = Omit<Parameters<typeof world>[0], "store">
const states: [string, (gate: Promise<void>) => Parts][] = [
  [
    "its model is being resolved",
    (gate) => ({
      script: one,
      agents: [plain("a", { model: "late" })],
      runtime: { resolveModel: late(one, 2, gate) },
    }),
  ],
  [
    "the model of a child is being resolved, before the child begins",
    (gate) => ({ script: two, agents: twoAgents, runtime: { resolveModel: late(two, 1, gate) } }),
  ],
  [
    "the model of a child is being resolved, before its first turn",
    (gate) => ({ script: two, agents: twoAgents, runtime: { resolveModel: late(two, 2, gate) } }),
  ],
  [
    "a hook judges",
    () => ({
      script: one,
      runtime: { hooks: [{ name: "slow", judge: (_, signal) => untilAborted(signal) }] },
    }),
  ],
  [
    "arguments are being checked",
    (gate) => ({
      script: { a: [use("checked"), { text: "done" }] },
      tools: [tool("work"), checkedAfter(gate)],
    }),
  ],
]

/** A tool whose validator is foreign code that takes its time. */
function checkedAfter(gate: Promise<void>) {
  const input = {
    "~standard": {
      version: 1,
      vendor: "slow",
      validate: () => gate.then(() => ({ value: {} })),
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  } as const
  return defineTool({ name: "checked", description: "", effect: "read", input, execute: () => "ok" })
}

describe("102: cancel stops a run, and nothing begins afterwards, while", () => {
  test.each(states)("%s", async (_, parts) => {
    let open!: () => void
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let begun = 0
    const { runtime: more, tools = [tool("work")], ...rest } = parts(gate)
    const { runtime, store } = world({
      ...rest,
      store: bounded(memoryStore()),
      tools,
      runtime: {
        ...more,
        layers: {
          model: [(request, next) => (begun++, next(request))],
          tool: [(call, next) => (begun++, next(call))],
        },
      },
    })
    const handle = runtime.run("a", "go")
    await sleep(50)
    const before = begun
    await handle.cancel("enough")
    expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
    // What was waited for comes after all, and finds nobody.
    open()
    await sleep(20)
    expect(begun).toBe(before)
    await expectSound(store, handle.id)
    for await (const { run, status } of store.list({ root: handle.id }))
      expect({ run, status }).toEqual({ run, status: "ended" })
  })
})

test("a handle can be cancelled in the same breath as its run is started", async () => {
  const { runtime } = world({
    script: { a: [use("hang")] },
    tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
  })
  const handle = runtime.run("a", "go")
  await handle.cancel("never mind")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "never mind" })
})

test("resuming with a signal that is already aborted cancels", async () => {
  let ran = 0
  const { runtime } = world({
    script: { a: [use("write"), { text: "done" }] },
    tools: [tool("write", () => `${ran++}`)],
    runtime: { rules: [{ tool: "write", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  await runtime.approve(handle.id, "c1", "allow")
  const result = await runtime.resume(handle.id, { signal: AbortSignal.abort() }).done
  expect(result.outcome).toEqual({ type: "cancelled", reason: "its signal was aborted" })
  expect(ran).toBe(0)
})

test("what a child used is in its parent's proof, also when the child is slow to stop", async () => {
  let open!: () => void
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let worked = 0
  const { runtime } = world({
    script: two,
    agents: twoAgents,
    tools: [tool("work", () => `${++worked}`)],
    // Once to begin, once for the first turn: the second turn hangs.
    runtime: { resolveModel: late(two, 3, gate) },
  })
  const handle = runtime.run("a", "go")
  while (worked === 0) await sleep(5)
  await sleep(20)
  await handle.cancel()
  const { usage } = (await handle.done).proof
  const child = (await runtime.read(`${handle.id}.1`)).proof.usage
  open()
  expect(child.own.script).toEqual({ inputTokens: 10, outputTokens: 5 })
  expect(usage.inclusive.script).toEqual({ inputTokens: 20, outputTokens: 10 })
})

test("on a store of uneven speed nothing of a run begins once its cancel is recorded", async () => {
  const script = {
    a: [
      { calls: [{ tool: "work" }, delegate("b").calls[0]!, { tool: "work", input: { n: 2 } }] },
      use("work", { n: 3 }),
      { text: "done" },
    ],
    b: [use("work"), { text: "b done" }],
  }
  const model = scriptedModel(script)
  const tryOnce = async (seed: number) => {
    const inner = memoryStore()
    const uneven = faultyStore(inner, { latency: 6, seed })
    const cancelled = new Set<string>()
    const late: string[] = []
    const begin = (run: string) => cancelled.has(run) && late.push(run)
    const { runtime } = world({
      store: {
        ...uneven,
        async append(claim, events, options) {
          const answer = await uneven.append(claim, events, options)
          for (const { run, type } of events) if (type === "cancel-request") cancelled.add(run)
          return answer
        },
      },
      script,
      tools: [tool("work", async () => (await sleep(2), "ok"), { resource: () => "one" })],
      runtime: {
        resolveModel: async () => (await sleep(3), model),
        hooks: [{ name: "pass", judge: async () => ({ type: "pass" }) }],
        layers: {
          model: [(request, next) => (begin(request.run), next(request))],
          tool: [(call, next) => (begin(call.context.run), next(call))],
        },
      },
    })
    const handle = runtime.run("a", "go")
    await sleep(5 + ((seed * 7) % 60))
    await handle.cancel("enough")
    const { outcome } = await handle.done
    await expectSound(inner, handle.id)
    return { seed, outcome: outcome?.type, late }
  }
  const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
  const expected = seeds.map((seed) => ({ seed, outcome: "cancelled", late: [] }))
  expect(await Promise.all(seeds.map(tryOnce))).toEqual(expected)
})

test("a run that is cancelled just before it takes an agent on ends", async () => {
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async append(claim, events, options) {
      if (events.some(({ type }) => type === "tool-end")) void handle.cancel("enough")
      await sleep(20)
      return inner.append(claim, events, options)
    },
  }
  const { runtime } = world({
    store,
    script: { a: [{ calls: [...delegate("b").calls, ...delegate("c").calls] }, { text: "done" }] },
    agents: [plain("a"), plain("b", { mode: "self" }), plain("c", { mode: "self" })],
  })
  const handle = runtime.run("a", "go")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
  expect((await results(inner, handle.id)).at(-1)).toMatch(/stopping/)
})
