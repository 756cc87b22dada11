import { expect, test } from "vitest"
import type { ModelError } from "../../src/agent/model.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { collect, stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { asked, fail, long, one, recorded, say, usage, use } from "./asked-model.ts"

test("the next model of a list is asked when the first one fails for good before any tool has run, and the result says so", async () => {
  const broken: ModelError = { kind: "rejected", message: "no such model", retryable: false }
  const bad = asked(() => fail(broken), { id: "bad" })
  const good = asked(() => say("done"), { id: "good" })
  const { runtime, store } = world({
    script: {},
    agents: one,
    runtime: {
      models: {
        resolve: async () => ({
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
  expect(result.proof.warnings).toEqual([expect.stringMatching(/^bad.*next.*asked.*no such model.?$/)])
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
        resolve: async () => ({ uses: [{ name: "m" }, { name: "other" }], warnings: [] }),
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
      reason: expect.stringMatching(/gpt-5.*gpt-4o-mini.*strictModel/),
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
    message: naming('"a"', `"script": ${who}`, "choose", "Leave"),
  })
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
        resolve: async () => ({ uses: [{ name: "m" }], warnings: [] }),
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
  expect(proof.warnings).toEqual([expect.stringMatching(/m.*counts/)])
})
