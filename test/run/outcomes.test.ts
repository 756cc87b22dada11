import { describe, expect, test } from "vitest"
import { expectSound, results, tool, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const nudge = /last.*final/

describe("50, 51: an empty final message takes the last text of the run, else one nudge, else no-output", () => {
  test.each([
    {
      script: [{ text: "the answer", ...use("save") }, { text: "" }],
      outcome: { type: "completed" },
      output: "the answer",
      nudged: false,
    },
    {
      script: [use("save"), { text: "  \n" }, { text: "now then" }],
      outcome: { type: "completed" },
      output: "now then",
      nudged: true,
    },
    {
      script: [use("save"), { text: "" }, { text: "" }],
      outcome: { type: "no-output" },
      output: "",
      nudged: true,
    },
    { script: [{ text: "" }, { text: " " }], outcome: { type: "no-output" }, output: "", nudged: true },
  ])("%#: $outcome.type", async ({ script, outcome, output, nudged }) => {
    const { runtime, store } = world({ script: { a: script }, tools: [tool("save")] })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({ outcome, output })
    let seen = false
    for await (const event of store.read(handle.id))
      seen ||= nudge.test((event as never as { text?: string }).text ?? "")
    expect(seen).toBe(nudged)
    await expectSound(store, handle.id)
  })
})

test("50: a parent sees that a child had no output", async () => {
  const { runtime, store } = world({
    script: {
      a: [use("Agent", { agent: "mute", prompt: "x" }), { text: "done" }],
      mute: [{ text: "" }, { text: "" }],
    },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect(await results(store, handle.id)).toEqual([
    `The subagent did not complete: it ended without any output.\n(no output)`,
  ])
})

test.each([
  [
    { text: "half", stop: "length" },
    { type: "limit", limit: "output" },
  ],
  [
    { text: "half", stop: "filter" },
    { type: "failed", reason: expect.stringContaining("filter") },
  ],
  [
    { text: "odd", stop: "other" },
    {
      type: "failed",
      reason: expect.stringMatching(/reply.*ended/),
    },
  ],
])("52, 53: a reply that stopped by %j ends as %j", async (reply, outcome) => {
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: {
      resolveModel: async () => ({
        id: "m",
        stream: async () => ({ calls: [], usage: { inputTokens: 1, outputTokens: 1 }, ...reply }) as never,
      }),
    },
  })
  expect((await runtime.run("a", "go").done).outcome).toEqual(outcome)
})

describe("submit_result", () => {
  const agents = [
    {
      name: "a",
      instructions: "x",
      result: {
        type: "object",
        properties: { n: { type: "integer" } },
        required: ["n"],
        additionalProperties: false,
      },
    },
  ]
  const submit = (n: unknown) => ({ tool: "submit_result", input: { n } })

  test("the first valid one ends the run: calls before it ran, calls after it are skipped", async () => {
    const ran: string[] = []
    const { runtime, store } = world({
      agents,
      script: { a: [{ calls: [{ tool: "before" }, submit(1), { tool: "after" }, submit(2)] }] },
      tools: ["before", "after"].map((name) => tool(name, () => `${ran.push(name)}`)),
    })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({
      outcome: { type: "completed" },
      value: { n: 1 },
      output: '{"n":1}',
    })
    expect(ran).toEqual(["before"])
    expect(await results(store, handle.id)).toEqual([
      "1",
      "Accepted.",
      expect.stringContaining("submitted"),
      expect.stringContaining("submitted"),
    ])
    await expectSound(store, handle.id)
  })

  test("an invalid one is explained and may be mended", async () => {
    const { runtime, store } = world({
      agents,
      script: { a: [{ calls: [submit("one")] }, { calls: [submit(1)] }] },
    })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({ value: { n: 1 } })
    expect((await results(store, handle.id))[0]).toMatch(/not valid.*n: /)
  })

  test("a model that ends without it is asked once, then the run has failed", async () => {
    const { runtime } = world({ agents, script: { a: [{ text: "done" }, { text: "really done" }] } })
    expect(await runtime.run("a", "go").done).toMatchObject({
      outcome: { type: "failed", reason: expect.stringContaining("calling") },
      output: "really done",
    })
  })
})

test("a run whose every call was refused and that gave up ends as denied", async () => {
  const { runtime } = world({
    script: { a: [use("write"), { text: "I was not allowed to." }] },
    tools: [tool("write")],
    runtime: { rules: [{ tool: "write", decision: "deny" }] },
  })
  expect(await runtime.run("a", "go").done).toMatchObject({
    outcome: { type: "denied" },
    output: "I was not allowed to.",
  })
})

test("65: a provider that fails for good ends the run as failed with its words and the work so far", async () => {
  const { runtime } = world({
    script: {
      a: [
        { text: "so far", ...use("work") },
        { error: { kind: "rejected", message: "401: bad key", retryable: false } },
      ],
    },
    tools: [tool("work")],
  })
  expect(await runtime.run("a", "go").done).toMatchObject({
    outcome: { type: "failed", reason: "401: bad key" },
    output: "so far",
  })
})

test("a model that throws breaks its contract: the run fails and says so, the process lives", async () => {
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: {
      resolveModel: async () => ({
        id: "m",
        stream: () => {
          throw new Error("kaboom")
        },
      }),
    },
  })
  expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "failed", reason: "kaboom" })
})

test("a passing failure is tried again, and each retry is an event", async () => {
  let attempts = 0
  const { runtime, store } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: {
      resolveModel: async () => ({
        id: "m",
        stream: async () => ({
          text: "ok",
          calls: [],
          stop: "end",
          usage: { inputTokens: 1, outputTokens: 1 },
          ...(++attempts < 3 && {
            error: { kind: "overloaded", message: "529", retryable: true, retryAfter: 5 },
          }),
        }),
      }),
    },
  })
  const handle = runtime.run("a", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  const types: string[] = []
  for await (const event of store.read(handle.id)) types.push(event.type)
  expect(types).toEqual([
    "run-start",
    "model-start",
    "model-retry",
    "model-start",
    "model-retry",
    "model-start",
    "model-end",
    "run-end",
  ])
})

test("the proof says what ran on what: definition, model, tools, calls, evidence and usage", async () => {
  const { runtime } = world({
    script: { a: [use("edit"), { text: "done" }] },
    tools: [
      tool("edit", () => ({
        text: "ok",
        evidence: {
          files: [{ path: "a.txt", hash: "abc" }],
          commands: [{ command: "npm test", exitCode: 1 }],
        },
      })),
    ],
  })
  const { proof } = await runtime.run("a", "go").done
  expect(proof).toMatchObject({
    definition: { name: "a", pinned: expect.stringMatching(/^[0-9a-f]{64}$/) },
    model: { requested: null, source: "default", resolved: "script", reported: ["script"] },
    warnings: [],
    toolsOffered: ["edit"],
    denied: [],
    evidence: {
      calls: { edit: 1 },
      files: [{ path: "a.txt", hash: "abc" }],
      commands: [{ command: "npm test", exitCode: 1 }],
      unknown: [],
    },
    usage: {
      own: { script: { inputTokens: 20, outputTokens: 10 } },
      inclusive: { script: { inputTokens: 20, outputTokens: 10 } },
      unsettled: { calls: 0, tokens: 0, cost: 0 },
    },
    turns: 2,
    undelivered: [],
    differences: [],
  })
})

describe("what cannot start says why and what is known", () => {
  const { runtime } = world({ script: { reviewer: [{ text: "x" }] } })
  test.each([
    [
      "an unknown agent",
      () => runtime.run("reviwer", "go"),
      /no agent named "reviwer". Did you mean "reviewer"\? Known: reviewer\./,
    ],
    [
      "an unknown model",
      () => runtime.run("reviewer", "go", { model: "gpt" }),
      /there is no model "gpt"\. Known: .*script/,
    ],
    ["an unknown run", () => runtime.resume("01jd0000000000000000000000"), /No run 01jd/],
    ["30: a run id that is a path", () => runtime.resume("../../x"), /"\.\.\/\.\.\/x" is not a run id/],
    ["30: a run id that is SQL", () => runtime.resume("' OR 1=1 --"), /is not a run id/],
  ])("%s", async (_, start, expected) => {
    await expect(start().done).rejects.toThrow(expected)
  })
})

test.each([
  undefined,
  {},
  { text: "x" },
  { text: "x", calls: [{}], usage: { inputTokens: 1, outputTokens: 1 } },
])("a reply of the shape %j ends the run as failed, not open", async (reply) => {
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: { resolveModel: async () => ({ id: "m", stream: async () => reply as never }) },
  })
  expect((await runtime.run("a", "go").done).outcome).toMatchObject({
    type: "failed",
    reason: expect.stringMatching(/bug in the client/),
  })
})

test("an empty task or message is refused", async () => {
  const { runtime } = world({ script: { a: [{ text: "x" }] } })
  await expect(runtime.run("a", " \n").done).rejects.toMatchObject({ code: "TEXT_EMPTY" })
  await expect(runtime.send("x", "")).rejects.toMatchObject({ code: "TEXT_EMPTY" })
})

test("failed attempts cost what they cost", async () => {
  let attempts = 0
  const usage = { inputTokens: 10, outputTokens: 10 }
  const { runtime } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: {
      resolveModel: async () => ({
        id: "m",
        price: { input: 1, output: 1 },
        stream: async () => ({
          text: "ok",
          calls: [],
          stop: "end",
          usage,
          ...(++attempts === 1 && { error: { kind: "network", message: "reset", retryable: true } }),
        }),
      }),
    },
  })
  expect((await runtime.run("a", "go").done).proof.usage.own).toEqual({
    m: { inputTokens: 20, outputTokens: 20, cost: 40 },
  })
})
