import { expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { results, sleep, stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const delegate = (agent: string, more = {}) => ({ tool: "Agent", input: { agent, prompt: "x", ...more } })
const plain = (name: string, more = {}) => ({ name, instructions: "x", ...more })

/** When the last event of a run was recorded, and how the run ended. */
async function endOf(store: Store, run: string) {
  let at = 0
  for await (const event of store.read(run)) at = event.at
  return { at, outcome: (await stateOf(store, run)).end?.outcome }
}

test("a limit written out as undefined keeps its default", async () => {
  const turns = Array.from({ length: 150 }, (_, n) => use("work", { n }))
  const { runtime } = world({
    script: { a: [...turns, { text: "done" }], deep: [{ calls: [delegate("deep")] }, { text: "done" }] },
    agents: [
      { name: "a", instructions: "a" },
      { name: "deep", instructions: "deep", recursive: true },
    ],
    tools: [tool("work")],
  })
  const result = await runtime.run("a", "go", { limits: { maxTurns: undefined } as never }).done
  expect(result.outcome).toEqual({ type: "limit", limit: "turns" })
  expect(result.proof.turns).toBe(100)

  const deep = runtime.run("deep", "go", { limits: { maxDepth: undefined, maxSpawns: 20 } as never })
  await deep.done
  const depths: number[] = []
  for await (const { run } of runtime.list({ root: deep.id })) depths.push(run.split(".").length - 1)
  expect(depths).toEqual([0, 1, 2, 3])
})

test.each([-5, 1.5, Number.NaN])("a depth of %s is an error", async (depth) => {
  const { runtime } = world({ script: { a: [{ text: "x" }] } })
  await expect(runtime.run("a", "go", { depth }).done).rejects.toThrow(
    expect.objectContaining({ message: naming("depth", `${depth}`, "whole") }),
  )
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a tool's timeout of %s is an error", (timeout) => {
  expect(() => tool("work", () => "ok", { timeout })).toThrow(/positive/)
})

test("a limit on output alone reaches the model", async () => {
  const seen: unknown[] = []
  const { runtime } = world({
    script: { a: [{ text: "x" }] },
    runtime: {
      layers: { model: [(request, next) => (seen.push(request.maxOutputTokens), next(request))] },
    },
  })
  await runtime.run("a", "go", { limits: { maxOutputTokens: 100 } }).done
  expect(seen).toEqual([100])
})

test("a cost limit counts what replies report, where the model has no price", async () => {
  const turns = Array.from({ length: 10 }, (_, n) => ({ ...use("work", { n }), usage: { cost: 1 } }))
  const { runtime } = world({ script: { a: turns }, tools: [tool("work")] })
  const { outcome, proof } = await runtime.run("a", "go", { limits: { maxCost: 3 } }).done
  expect(outcome).toEqual({ type: "limit", limit: "cost" })
  expect(proof.usage.own.script!.cost).toBe(3)
})

test("submit_result is not among the calls that the limit of tool calls refuses", async () => {
  const { runtime } = world({
    agents: [plain("a", { result: { type: "object" }, limits: { maxToolCalls: 1 } })],
    script: { a: [use("work"), use("submit_result")] },
    tools: [tool("work")],
  })
  expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
})

test("a run that waits for a slot is ended by its own clock, not when the slot comes free", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [delegate("busy"), delegate("quick", { timeout: 0.05 })] }, { text: "done" }],
      busy: [use("slow"), { text: "busy" }],
      quick: [{ text: "quick" }],
    },
    tools: [tool("slow", async () => (await sleep(500), "ok"))],
  })
  const handle = runtime.run("lead", "go", { limits: { maxConcurrency: 1 } })
  await handle.done
  const busy = await endOf(store, `${handle.id}.1`)
  const quick = await endOf(store, `${handle.id}.2`)
  expect(quick.outcome).toEqual({ type: "timed-out", clock: "timeout" })
  expect(quick.at).toBeLessThan(busy.at - 100)
})

test("a run that waits for a resource is ended by its own clock, not when the resource comes free", async () => {
  let freed = 0
  const locked = async () => {
    await sleep(1_200)
    freed++
    return "ok"
  }
  const { runtime } = world({
    script: { a: [use("locked"), { text: "done" }] },
    tools: [tool("locked", locked, { resource: () => "one" })],
  })
  const holder = runtime.run("a", "go")
  await sleep(20)
  const waiting = await runtime.run("a", "go", { timeout: 200 }).done
  expect(waiting.outcome).toEqual({ type: "timed-out", clock: "timeout" })
  expect(freed).toBe(0)
  await holder.done
})

test("a run whose model never resolves is ended by its clock", async () => {
  let resolved = 0
  const { runtime } = world({
    script: {},
    agents: [plain("a")],
    runtime: {
      async resolveModel() {
        if (++resolved > 1) await new Promise(() => {})
        return { id: "m", stream: () => new Promise<never>(() => {}) }
      },
    },
  })
  const result = await runtime.run("a", "go", { timeout: 50 }).done
  expect(result.outcome).toEqual({ type: "timed-out", clock: "timeout" })
})

test("calls that must wait for one another's settlements all get their turn, on a store of uneven speed", async () => {
  const tryOnce = async (seed: number) => {
    const inner = memoryStore()
    const { runtime } = world({
      store: faultyStore(inner, { latency: 10, seed }),
      script: {
        lead: [{ calls: [1, 2, 3].map(() => delegate("b")) }, { text: "done" }],
        b: [{ text: "x", delayMs: 5 }],
      },
      agents: [plain("lead"), plain("b", { limits: { maxOutputTokens: 1_000 } })],
    })
    // Any one call can be afforded, and what it gives back lets the next one through.
    const handle = runtime.run("lead", "go", { limits: { maxTokens: 2_000, maxOutputTokens: 900 } })
    await handle.done
    return Promise.all([1, 2, 3].map(async (n) => (await endOf(inner, `${handle.id}.${n}`)).outcome?.type))
  }
  const ends = await Promise.all(Array.from({ length: 12 }, (_, index) => tryOnce(index + 1)))
  expect(new Set(ends.flat())).toEqual(new Set(["completed"]))
})

test("while others are in flight a call waits for its full output instead of taking what is left", async () => {
  const asked: unknown[] = []
  const { runtime } = world({
    script: {
      lead: [{ calls: [delegate("b"), delegate("b")] }, { text: "done" }],
      b: [{ text: "x", delayMs: 30 }],
    },
    agents: [
      plain("lead", { limits: { maxOutputTokens: 100 } }),
      plain("b", { tools: [], limits: { maxOutputTokens: 1_000 } }),
    ],
    runtime: {
      layers: {
        model: [
          (request, next) => {
            if (request.agent === "b") asked.push(request.maxOutputTokens)
            return next(request)
          },
        ],
      },
    },
  })
  await runtime.run("lead", "go", { limits: { maxTokens: 1_500 } }).done
  expect(asked).toEqual([1_000, 1_000])
})

test("a run that used up its own tokens ends at once, whatever its sibling still holds", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [delegate("small"), delegate("slow")] }, { text: "done" }],
      small: [use("work"), { text: "never" }],
      slow: [{ text: "slow", delayMs: 500 }],
    },
    agents: [
      plain("lead"),
      plain("small", { tools: ["work"], limits: { maxTokens: 70, maxOutputTokens: 10 } }),
      plain("slow"),
    ],
    tools: [tool("work", () => "x".repeat(200))],
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  const small = await endOf(store, `${handle.id}.1`)
  const slow = await endOf(store, `${handle.id}.2`)
  expect(small.outcome).toEqual({ type: "limit", limit: "tokens" })
  expect(small.at).toBeLessThan(slow.at - 100)
})

test("turns of a poller carry no warning about what was repeated before them", async () => {
  const { runtime, store } = world({
    script: { a: [use("same"), use("same"), use("same"), use("poll"), use("poll"), { text: "done" }] },
    tools: [tool("same"), tool("poll", () => "polled", { poller: true })],
  })
  const handle = runtime.run("a", "go")
  await handle.done
  const texts = await results(store, handle.id)
  expect(texts[2]).toMatch(/exactly these calls 3 times/)
  expect(texts.slice(3)).toEqual(["polled", "polled"])
})

test("doing the same again because somebody asked again is no loop", async () => {
  const turns = Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? use("status") : { text: `report ${n}` }))
  let sent = 0
  const { runtime } = world({
    script: { a: turns },
    tools: [tool("status")],
    runtime: {
      layers: {
        model: [
          async (request, next) => {
            if (request.turn % 2 === 0 && sent++ < 6) await runtime.send(request.run, "and now?")
            return next(request)
          },
        ],
      },
    },
  })
  const { outcome, proof } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(proof.evidence.calls).toEqual({ status: 7 })
})
