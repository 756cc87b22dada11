import { getEventListeners } from "node:events"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, describe, expect, test } from "vitest"
import type { ScriptedAnswer, ServedRequest } from "../../src/faces/testing/model-server.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import { expectSound, sleep, stateOf, tool, until, untilAborted, world } from "../kit.ts"
import { client, closeServers, plain, protocols, served, worldOn } from "./support.ts"

afterEach(closeServers)

const use = (name: string, input = {}) => ({ tool: name, arguments: input })
const delegate = (agent: string, more = {}) => use("Agent", { agent, prompt: "x", ...more })
const stalled: ScriptedAnswer = {
  text: "some words that",
  fault: { type: "stall", afterBytes: 400, pingMs: 5 },
}
const limited: ScriptedAnswer = {
  fault: { type: "status", status: 429, headers: { "retry-after": "60" }, error: { message: "slow down" } },
}

type Answers = { readonly [agent: string]: ScriptedAnswer }

/** Answers by agent, and how many requests and tools have begun when everything is where it was to get to. */
const states: [string, Answers, { asked: number; tools: number }, Partial<RuntimeParts>?][] = [
  ["a model's stream", { a: stalled }, { asked: 1, tools: 0 }],
  ["the wait for a model's first byte", { a: { text: "x", delayMs: 3_000 } }, { asked: 1, tools: 0 }],
  ["a tool", { a: { calls: [use("hang")] } }, { asked: 1, tools: 1 }],
  [
    "a tool and its siblings",
    { a: { text: "words", calls: [use("quick"), use("hang"), use("quick"), use("hang")] } },
    { asked: 1, tools: 4 },
  ],
  [
    "a hook",
    { a: { calls: [use("quick")] } },
    { asked: 1, tools: 0 },
    { hooks: [{ name: "slow", judge: (_, signal) => untilAborted(signal) }] },
  ],
  [
    "a layer of a tool",
    { a: { calls: [use("quick")] } },
    { asked: 1, tools: 0 },
    { layers: { tool: [({ context }) => untilAborted(context.signal)] } },
  ],
  ["a child's stream", { a: { calls: [delegate("b")] }, b: stalled }, { asked: 2, tools: 0 }],
  ["a child's tool", { a: { calls: [delegate("b")] }, b: { calls: [use("hang")] } }, { asked: 2, tools: 1 }],
  [
    "a grandchild's tool",
    { a: { calls: [delegate("b")] }, b: { calls: [delegate("c")] }, c: { calls: [use("hang")] } },
    { asked: 3, tools: 1 },
  ],
  [
    "a background child",
    { a: { calls: [delegate("b", { background: true })] }, b: { calls: [use("hang")] } },
    { asked: 3, tools: 1 },
  ],
  ["a backoff", { a: limited }, { asked: 1, tools: 0 }],
  ["a child's backoff", { a: { calls: [delegate("b")] }, b: limited }, { asked: 2, tools: 0 }],
  [
    "a child's wait for an approval, beside a tool",
    { a: { calls: [delegate("b"), use("hang")] }, b: { calls: [use("change")] } },
    { asked: 2, tools: 1 },
  ],
]

describe.each(protocols)("on the wire of %s", (protocol) => {
  describe("an abort stops everything in time, nothing starts later, and the history is valid", () => {
    test.each(states)("102: during %s", async (_, answers, expected, runtimeParts = {}) => {
      let tools = 0
      const { runtime, store, server, problems } = await served(
        protocol,
        (request) => (isAgain(request) ? { text: "done" } : answerFor(request, answers)),
        {
          agents: ["a", "b", "c"].map((name) => plain(name)),
          tools: [
            tool("hang", (_, { signal }) => (tools++, untilAborted(signal))),
            tool("quick", () => `${++tools}`),
            tool("change", () => `${++tools}`),
          ],
          runtime: { rules: [{ tool: "change", decision: "ask" }], ...runtimeParts },
        },
      )
      const controller = new AbortController()
      const handle = runtime.run("a", "go", { signal: controller.signal })
      const begun = () => ({ asked: server.requests.length, tools })
      await until(() => begun().asked >= expected.asked && tools >= expected.tools)
      // What began last has yet to get to where it waits.
      await sleep(50)
      controller.abort()
      expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "its signal was aborted" })
      await sleep(50)
      expect(begun()).toEqual(expected)
      for await (const { run } of store.list({ root: handle.id }))
        expect((await stateOf(store, run)).end?.outcome.type).toBe("cancelled")
      await expectSound(store, handle.id)
      // What is left is a history to go on with.
      const later = worldOn({ model: client(protocol, server) }, { store, tools: [tool("hang")] }).runtime
      const again = later.run("a", "again", { continues: handle.id })
      expect((await again.done).outcome).toEqual({ type: "completed" })
      expect(problems()).toEqual([])
      expect(getEventListeners(controller.signal, "abort")).toEqual([])
    })
  })
})

test("102: an abort while a whole tree rests on approvals ends it at once, and no approval starts anything", async () => {
  let ran = 0
  const { runtime, store } = world({
    script: {
      a: [{ calls: [1, 2].map(() => ({ tool: "Agent", input: { agent: "b", prompt: "x" } })) }],
      b: [{ calls: [{ tool: "change" }] }],
    },
    tools: [tool("change", () => `${++ran}`)],
    runtime: { rules: [{ tool: "change", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  const { status, approvals } = await handle.done
  expect([status, approvals.length]).toEqual(["resting", 2])
  await handle.cancel("enough")
  for await (const { run } of store.list({ root: handle.id }))
    expect((await stateOf(store, run)).end?.outcome.type).toBe("cancelled")
  for (const { run, call } of approvals) await expect(runtime.approve(run, call, "allow")).rejects.toThrow()
  await runtime.resume(handle.id).done
  expect(ran).toBe(0)
})

test("103: aborting in every way at once, again and after the end, is one abort", async () => {
  let begun = 0
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "hang" }] }], b: [{ text: "done" }] },
    tools: [tool("hang", (_, { signal }) => (begun++, untilAborted(signal)))],
  })
  const controller = new AbortController()
  const handle = runtime.run("a", "go", { signal: controller.signal })
  await until(() => begun === 1)
  controller.abort()
  controller.abort()
  await Promise.all([handle.cancel("x"), handle.cancel("y"), runtime.cancel(handle.id, "z")])
  const { outcome } = await handle.done
  expect(outcome?.type).toBe("cancelled")
  const log = await eventsOf(store, handle.id)
  expect(log.filter((type) => type === "cancel-request" || type === "run-end")).toEqual([
    "cancel-request",
    "run-end",
  ])

  const later = new AbortController()
  const ended = runtime.run("b", "go", { signal: later.signal })
  await ended.done
  for (const run of [handle, ended]) {
    const before = await eventsOf(store, run.id)
    await run.cancel()
    await runtime.cancel(run.id)
    later.abort()
    expect(await eventsOf(store, run.id)).toEqual(before)
  }
  expect((await runtime.read(handle.id)).outcome).toEqual(outcome)
  expect((await runtime.read(ended.id)).outcome).toEqual({ type: "completed" })
})

test("104: 10,000 calls that each listen to their signal leave no warning, no listener and no memory behind", async () => {
  const warnings: string[] = []
  const listen = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`)
  process.on("warning", listen)
  const controller = new AbortController()
  const heaps: number[] = []
  for (let round = 0; round < 11; round++) {
    // Each run is let go of before the next: what is left is what the runtime, or the signal, keeps.
    await callsInOneRun(2_000, controller.signal)
    heaps.push(usedHeap())
  }
  process.off("warning", listen)
  expect(warnings).toEqual([])
  expect(getEventListeners(controller.signal, "abort")).toEqual([])
  // The inline caches of V8 keep objects of up to five runs alive. After those, nothing may grow: five runs would take 20 MB.
  expect(heaps.at(-1)! - heaps[5]!).toBeLessThan(6_000_000)
})

async function callsInOneRun(count: number, signal: AbortSignal): Promise<void> {
  const width = 100
  const turns = Array.from({ length: count / width }, (_, turn) => ({
    calls: Array.from({ length: width }, (_, n) => ({ tool: "quick", input: { turn, n } })),
  }))
  const { runtime } = world({
    script: { a: [...turns, { text: "done" }] },
    // It never takes back what it gave its signal.
    tools: [
      tool("quick", (_, context) => (context.signal.addEventListener("abort", () => {}), "x".repeat(1_000))),
    ],
  })
  const { proof } = await runtime.run("a", "go", { signal, limits: { maxToolCalls: count } }).done
  expect(proof.evidence.calls).toEqual({ quick: count })
}

function usedHeap(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Which agent a request is of, told from its system prompt, and what it says there. */
function answerFor({ body }: ServedRequest, answers: Answers): ScriptedAnswer {
  const text = JSON.stringify(body)
  const agent = ["a", "b", "c"].find((name) => text.includes(`You are ${name}.`))!
  const spoken = (body.messages as { role: string }[]).some(({ role }) => role === "assistant")
  return spoken ? { text: "waiting" } : answers[agent]!
}

const isAgain = ({ body }: ServedRequest): boolean => JSON.stringify(body.messages).includes("again")

async function eventsOf(store: ReturnType<typeof world>["store"], run: string): Promise<readonly string[]> {
  const types: string[] = []
  for await (const { type } of store.read(run)) types.push(type)
  return types
}
