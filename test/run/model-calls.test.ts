import { expect, test } from "vitest"
import type { Model, ModelError, ModelReply, ModelRequest } from "../../src/model.ts"
import type { RunEvent } from "../../src/run/event.ts"
import { Gate } from "../../src/run/gate.ts"
import { collect, expectSound, sleep, stateOf, tool, world } from "../kit.ts"

const overflow: ModelError = { kind: "overflow", message: "prompt is too long", retryable: false }
const later = (retryAfter?: number): ModelError => ({
  kind: "rate-limit",
  message: "slow down",
  retryable: true,
  ...(retryAfter !== undefined && { retryAfter }),
})
const usage = { inputTokens: 10, outputTokens: 5 }

let calls = 0

const say = (text: string): ModelReply => ({ text, calls: [], usage, stop: "end" })
const fail = (error: ModelError): ModelReply => ({ text: "", calls: [], usage, stop: "other", error })
const use = (...tools: string[]): ModelReply => ({
  text: "",
  // Never the same twice: a run that repeats itself is warned.
  calls: tools.map((name) => ({ wire: `w${++calls}`, tool: name, arguments: `{"n":${calls}}` })),
  usage,
  stop: "calls",
})

/** Asks a function, and remembers what it was asked; a text is what fitted into one request. */
function asked(
  answer: (request: ModelRequest, number: number) => ModelReply | Promise<ModelReply>,
  more: Partial<Model> = {},
) {
  const requests: { at: number; run: string; system: string; texts: readonly string[]; tools: number }[] = []
  const model: Model = {
    id: "m",
    stream: async (request) => {
      const texts = [...request.messages].map(({ text }) => text)
      requests.push({
        at: Date.now(),
        run: request.run,
        system: request.system,
        texts,
        tools: request.tools.length,
      })
      return answer(request, requests.length)
    },
    ...more,
  }
  return { model, requests }
}

const one = [{ name: "a", instructions: "You are a." }]
const long = (size: number) => "x".repeat(size)

test("61, 1.7: a provider that says later makes the siblings on the same key wait too", async () => {
  let first = true
  const { model, requests } = asked(
    () => {
      if (!first) return say("done")
      first = false
      return fail(later(300))
    },
    { gate: "key" },
  )
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const refused = runtime.run("a", "one")
  while (requests.length === 0) await sleep(1)
  const sibling = runtime.run("a", "two")
  const results = await Promise.all([refused.done, sibling.done])
  expect(results.map(({ outcome }) => outcome)).toEqual([{ type: "completed" }, { type: "completed" }])
  const [start, ...rest] = requests.map(({ at }) => at)
  expect(requests).toHaveLength(3)
  for (const at of rest) expect(at - start!).toBeGreaterThanOrEqual(300)
})

test("61: a key of another gate does not wait", () => {
  const gate = new Gate()
  gate.heard(later(), 500)
  expect([gate.enter("outside"), new Gate().enter("outside")]).toEqual(["wait", "pass"])
})

test("63, 1.7: of twenty runs that are told to wait, each comes back at a time of its own, and all finish", async () => {
  let arrived = 0
  let all!: () => void
  const together = new Promise<void>((resolve) => {
    all = resolve
  })
  const { model, requests } = asked(
    async () => {
      if (++arrived > 20) return say("done")
      if (arrived === 20) all()
      await together
      return fail(later(50))
    },
    { gate: "key" },
  )
  const { runtime } = world({
    script: {},
    agents: one,
    runtime: { resolveModel: async () => model },
  })
  const results = await Promise.all(Array.from({ length: 20 }, () => runtime.run("a", "go").done))
  expect(new Set(results.map(({ outcome }) => outcome?.type))).toEqual(new Set(["completed"]))
  expect(requests).toHaveLength(40)
  const [first] = requests.slice(20).map(({ at }) => at)
  expect(requests.at(-1)!.at - first!).toBeGreaterThan(50)
})

test("63: after a refusal requests pass one by one in their order, closer together with each that is answered", async () => {
  const gate = new Gate()
  const start = performance.now()
  gate.heard(later(), 200)
  const passed: { name: string; at: number }[] = []
  const stand = (name: string) => gate.wait(() => passed.push({ name, at: performance.now() - start }))
  stand("a")
  const leave = stand("b")
  stand("c")
  leave()
  while (passed.length < 2) await sleep(1)
  expect(passed.map(({ name }) => name)).toEqual(["a", "c"])
  expect(passed[0]!.at).toBeGreaterThanOrEqual(199)
  expect(passed[1]!.at - passed[0]!.at).toBeGreaterThanOrEqual(99)
  expect(gate.enter("outside")).toBe("wait")
  for (let count = 0; count < 30; count++) gate.heard(undefined, 0)
  expect([gate.enter("outside"), gate.enter("outside")]).toEqual(["pass", "pass"])
})

test("63: whoever is called when the gate has closed again waits again, and what waits never passes together", async () => {
  const gate = new Gate()
  gate.heard(later(), 1)
  const passed: number[] = []
  for (let count = 0; count < 20; count++) gate.wait(() => passed.push(performance.now()))
  await sleep(20)
  expect(gate.enter("line")).toBe("pass")
  // Answers enough to open it, if nobody stood there.
  for (let count = 0; count < 30; count++) gate.heard(undefined, 0)
  await sleep(0)
  expect(passed.length).toBeLessThan(5)
  gate.heard(later(), 10_000)
  expect(gate.enter("line")).toBe("wait")
})

test("61: a run that is cancelled while it waits at the gate ends at once, and asks nothing more", async () => {
  const { model, requests } = asked(() => fail(later(60_000)), { gate: "key" })
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const first = runtime.run("a", "one")
  while (requests.length === 0) await sleep(1)
  const second = runtime.run("a", "two")
  await sleep(20)
  await Promise.all([first.cancel(), second.cancel()])
  const results = await Promise.all([first.done, second.done])
  expect(results.map(({ outcome }) => outcome?.type)).toEqual(["cancelled", "cancelled"])
  expect(requests).toHaveLength(1)
})

test("the next model of a list is asked when the first one fails for good before any tool has run, and the result says so", async () => {
  const broken: ModelError = { kind: "rejected", message: "no such model", retryable: false }
  const bad = asked(() => fail(broken), { id: "bad" })
  const good = asked(() => say("done"), { id: "good" })
  const { runtime, store } = world({
    script: {},
    agents: one,
    runtime: {
      models: {
        settle: async () => ({
          uses: [{ name: "bad" }, { name: "good", effort: "high" }],
          resolved: "bad",
          warnings: [],
        }),
        open: async (use) => ("name" in use && use.name === "bad" ? bad : good).model,
        register: () => "x",
        keepsSecrets: () => true,
        redact: (text) => text,
      },
    },
  })
  const result = await runtime.run("a", "go").done
  expect(result.output).toBe("done")
  expect(result.proof.warnings).toEqual([
    "bad failed, so the next model of the list was asked: no such model",
  ])
  expect(result.proof.model.resolved).toBe("good")
  expect(result.proof.usage.own).toEqual({ bad: usage, good: usage })
  const events = await recorded(store, result.run)
  expect(events.map(({ type }) => type)).toEqual([
    "run-start",
    "model-start",
    "model-fallback",
    "model-start",
    "model-end",
    "run-end",
  ])
})

test("after a tool has run no other model of the list is asked", async () => {
  const broken: ModelError = { kind: "rejected", message: "gone", retryable: false }
  const { model } = asked((_, number) => (number === 1 ? use("work") : fail(broken)))
  const { runtime } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: {
      models: {
        settle: async () => ({ uses: [{ name: "m" }, { name: "other" }], warnings: [] }),
        open: async () => model,
        register: () => "x",
        keepsSecrets: () => true,
        redact: (text) => text,
      },
    },
  })
  expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "failed", reason: "gone" })
})

test("1.4: another model than was asked for is a warning", async () => {
  const { model } = asked(() => ({ ...say("done"), model: "gpt-4o-mini" }), { asks: "gpt-5" })
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const { outcome, proof } = await runtime.run("a", "go").done
  expect([outcome, proof.warnings]).toEqual([
    { type: "completed" },
    ["The provider was asked for gpt-5 and reports that it ran gpt-4o-mini."],
  ])
})

test("1.4: another model than was asked for fails the run under strictModel, before any of its calls", async () => {
  let ran = 0
  const { model } = asked(() => ({ ...use("work"), model: "gpt-4o-mini" }), { asks: "gpt-5" })
  const { runtime } = world({
    script: {},
    agents: one,
    tools: [tool("work", () => `${++ran}`)],
    runtime: { resolveModel: async () => model, strictModel: true },
  })
  const { outcome } = await runtime.run("a", "go").done
  expect([outcome, ran]).toEqual([
    {
      type: "failed",
      reason:
        "The provider was asked for gpt-5 and reports that it ran gpt-4o-mini, which strictModel does not let pass.",
    },
    0,
  ])
})

test.each([
  ["the definition", { agents: [{ ...one[0]!, allowModelOverride: false }], runtime: {} }, "its definition"],
  ["the configuration", { agents: one, runtime: { allowModelOverride: false } }, "the configuration"],
])("a call cannot choose another model where %s says so", async (_, { agents, runtime: more }, who) => {
  const { runtime } = world({ script: { a: [{ text: "done" }] }, agents, runtime: more })
  await expect(runtime.run("a", "go", { model: "script" }).done).rejects.toMatchObject({
    code: "MODEL_DENIED",
    message: `Agent "a" was to run on "script", but ${who} does not let a call choose the model. Leave it out.`,
  })
})

test("76: a history that does not fit is made shorter once and sent again; what does not fit then ends the run", async () => {
  const { model, requests } = asked((_, number) => (number <= 2 ? use("work") : fail(overflow)))
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work", () => long(5000))],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "failed", reason: "prompt is too long" })
  expect(requests).toHaveLength(4)
  expect(JSON.stringify(requests[3]!.texts)).not.toBe(JSON.stringify(requests[2]!.texts))
  expect((await recorded(store, run)).filter(({ type }) => type === "compaction-end")).toHaveLength(1)
  await expectSound(store, run)
})

test("76: old tool results go first, without asking the model, and the run goes on", async () => {
  const { model, requests } = asked((request, number) =>
    number <= 3
      ? use("work")
      : [...request.messages].some(({ text }) => text.startsWith("[This"))
        ? say("done")
        : fail(overflow),
  )
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work", () => long(5000))],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  const removed =
    "[This result, 5000 characters, was removed to make room. Call the tool again if you still need it.]"
  expect(requests.at(-1)!.texts).toEqual(["go", "", removed, "", removed, "", long(5000)])
  await expectSound(store, run)
})

test("76: where results are not what is long, the model sums up what came before the last turn", async () => {
  const talk = long(3000)
  const { model, requests } = asked(({ system, messages }, number) => {
    if (system.startsWith("You are given the beginning")) return say("It looked at everything.")
    if (number <= 3) return { ...use("work"), text: talk }
    return [...messages].length > 5 ? fail(overflow) : say("done")
  })
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run, proof } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(requests.at(-1)!.texts).toEqual([
    "go",
    "Note from the runtime: the messages that stood here were removed to make room. A summary of them:\n\nIt looked at everything.",
    talk,
    "ok",
  ])
  expect(requests.at(-2)).toMatchObject({ tools: 0 })
  expect(proof.usage.own).toEqual({ m: { inputTokens: 60, outputTokens: 30 } })
  await expectSound(store, run)
})

test("78: several results of one turn that overflow together are each cut to a share", async () => {
  const { model, requests } = asked((request, number) => {
    if (number === 1) return use("work", "work", "work", "work")
    const length = [...request.messages].reduce((sum, { text }) => sum + text.length, 0)
    return length > 60_000 ? fail(overflow) : say("done")
  })
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work", () => long(40_000))],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run } = await runtime.run("a", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect(requests).toHaveLength(3)
  await expectSound(store, run)
})

test("77: one result that is larger than any window reaches the model as its beginning, its end and a note", async () => {
  const { model, requests } = asked((_, number) => (number === 1 ? use("work") : say("done")))
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work", () => `begin${long(3_000_000)}end`)],
    runtime: { resolveModel: async () => model },
  })
  const { run } = await runtime.run("a", "go").done
  const text = requests[1]!.texts.at(-1)!
  expect(text.length).toBeLessThan(50_100)
  expect([text.slice(0, 5), text.slice(-3), /bytes left out by the runtime/.test(text)]).toEqual([
    "begin",
    "end",
    true,
  ])
  const end = (await recorded(store, run)).find((event) => event.type === "tool-end")
  const full = end?.type === "tool-end" ? end.result.full : undefined
  expect(await store.getBlob(run, full!)).toHaveLength(3_000_008)
})

test("79: an agent that cannot fit its model is refused before the first request, with the sizes", async () => {
  const { model, requests } = asked(() => say("done"), { window: 1000 })
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: long(9000) }],
    runtime: { resolveModel: async () => model },
  })
  await expect(runtime.run("a", "go").done).rejects.toThrow(
    /Agent "a" cannot fit its model: its instructions, context, tools and task have \d+ bytes, which is at least \d+ tokens, and the model takes 1000\./,
  )
  expect(requests).toEqual([])
})

test("79: where nothing can be left out, the run ends with the sizes and does not send the same again", async () => {
  const { model, requests } = asked(() => fail(overflow))
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const { outcome } = await runtime.run("a", "go").done
  expect(requests).toHaveLength(1)
  expect(outcome).toMatchObject({
    type: "failed",
    reason: expect.stringMatching(
      /^prompt is too long The prompt and tools of \d+ bytes and the messages of 2 bytes hold nothing that could be left out\./,
    ),
  })
})

test.each([
  ["is empty", () => say("  "), "its summary was empty"],
  ["fails", () => fail({ kind: "rejected", message: "refused", retryable: false }), "refused"],
  [
    "throws",
    () => {
      throw new Error("kaboom")
    },
    "kaboom",
  ],
])("80: a summary that %s fails the run and leaves the history as it was", async (_, summary, why) => {
  const talk = long(3000)
  const { model } = asked(({ system }, number) => {
    if (system.startsWith("You are given the beginning")) return summary()
    return number <= 3 ? { ...use("work"), text: talk } : fail(overflow)
  })
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const { outcome, run, output } = await runtime.run("a", "go").done
  expect(outcome).toEqual({
    type: "failed",
    reason: `prompt is too long Making the history shorter failed: ${why}`,
  })
  expect(output).toBe(talk)
  const { messages } = await stateOf(store, run)
  expect([...messages].map(({ text }) => text)).toEqual(["go", talk, "ok", talk, "ok", talk, "ok"])
})

test("102: a run that is cancelled while its history is made shorter stops, and stays as it was", async () => {
  const talk = long(3000)
  let summing!: () => void
  const sums = new Promise<void>((resolve) => {
    summing = resolve
  })
  const { model } = asked(({ system, signal }, number) => {
    if (!system.startsWith("You are given"))
      return number <= 3 ? { ...use("work"), text: talk } : fail(overflow)
    summing()
    return new Promise((resolve) =>
      signal.addEventListener("abort", () =>
        resolve(fail({ kind: "aborted", message: "aborted", retryable: false })),
      ),
    )
  })
  const { runtime, store } = world({
    script: {},
    agents: one,
    tools: [tool("work")],
    runtime: { resolveModel: async () => model },
  })
  const handle = runtime.run("a", "go")
  await sums
  await handle.cancel("enough")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
  expect((await stateOf(store, handle.id)).messages).toHaveLength(7)
  await expectSound(store, handle.id)
})

test("a key that a tool, a model or a task lets out is in no event, no blob and no later request", async () => {
  const key = "sk-live-0123456789abcdef"
  const { model, requests } = asked((_, number) =>
    number === 1 ? { ...use("work"), text: `I know ${key}` } : say(`The key is ${key}.`),
  )
  const { runtime, store } = world({
    script: {},
    agents: [{ name: "a", instructions: `Use ${key}.` }],
    tools: [tool("work", () => `${long(49_990)}${key}${long(60_000)}`)],
    runtime: {
      models: {
        settle: async () => ({ uses: [{ name: "m" }], warnings: [] }),
        open: async () => model,
        register: () => "x",
        keepsSecrets: () => true,
        redact: (text) => text.replaceAll(key, "[redacted]"),
      },
    },
  })
  const handle = runtime.run("a", `Go, ${key}`)
  const events = await collect(handle)
  const result = await handle.done
  expect(result.output).toBe("The key is [redacted].")
  const kept = JSON.stringify([
    await recorded(store, handle.id),
    result,
    events.filter((event) => "seq" in event),
    requests,
  ])
  expect(kept).not.toContain(key)
  expect(kept).not.toContain(key.slice(0, 12))
  const { definition, ...start } = (await stateOf(store, handle.id)).start!
  expect([start.task, JSON.parse((await store.getBlob(handle.id, definition))!).agent.instructions]).toEqual([
    "Go, [redacted]",
    "Use [redacted].",
  ])
})

test("a log of version 1 is read as one of this version", async () => {
  const { runtime, store } = world({ script: { a: [{ text: "done" }] } })
  const { run } = await runtime.run("a", "go").done
  const events = await recorded(store, run)
  const first = events[0] as Extract<RunEvent, { type: "run-start" }>
  const old = {
    ...first,
    v: 1,
    run: `${run.slice(0, -1)}z`,
    model: { requested: null, name: "script", resolved: "script" },
  }
  await store.create(old as never)
  expect((await stateOf(store, old.run)).start?.model).toEqual({
    requested: null,
    source: "default",
    uses: [{ name: "script" }],
    resolved: "script",
  })
})

test("a limit on cost that cannot be counted is told", async () => {
  const { model } = asked(() => say("done"))
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const { proof } = await runtime.run("a", "go", { limits: { maxCost: 1 } }).done
  expect(proof.warnings).toEqual([
    "There is no price for m, so the limit on cost counts only what its provider reports.",
  ])
})

async function recorded(store: ReturnType<typeof world>["store"], run: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  return events
}
