import { describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { sumTokens } from "../../src/ground/usage.ts"
import { expectSound, results, sleep, stateOf, tool, untilAborted, world } from "../kit.ts"

const call = (tool: string, input: unknown = {}) => ({ calls: [{ tool, input }] })
const delegate = (agent: string, prompt = "x") => ({ tool: "Agent", input: { agent, prompt } })
const counting = (count = 200) =>
  Array.from({ length: count }, (_, n) => ({
    text: `turn ${n + 1}`,
    calls: [{ tool: "work", input: { n } }],
  }))

describe("58: maxTurns N is at most N model calls, the last a closing turn without tools", () => {
  test.each([
    { maxTurns: 1, script: [{ text: "said" }], outcome: { type: "completed" }, output: "said" },
    { maxTurns: 1, script: counting(), outcome: { type: "limit", limit: "turns" }, output: "turn 1" },
    {
      maxTurns: 3,
      script: [...counting(2), { text: "closing words" }],
      outcome: { type: "limit", limit: "turns" },
      output: "closing words",
    },
    {
      maxTurns: 3,
      script: [...counting(1), { text: "early" }],
      outcome: { type: "completed" },
      output: "early",
    },
    { maxTurns: 3, script: counting(), outcome: { type: "limit", limit: "turns" }, output: "turn 3" },
  ])("$maxTurns turns, $outcome.type", async ({ maxTurns, script, outcome, output }) => {
    const offered: number[] = []
    const { runtime, store } = world({
      script: { a: script },
      tools: [tool("work")],
      runtime: {
        layers: {
          model: [
            (request, next) => {
              offered.push(request.tools.length)
              return next(request)
            },
          ],
        },
      },
    })
    const handle = runtime.run("a", "go", { limits: { maxTurns } })
    expect(await handle.done).toMatchObject({ outcome, output })
    expect(offered.length).toBeLessThanOrEqual(maxTurns)
    if (offered.length === maxTurns) expect(offered.at(-1)).toBe(0)
    await expectSound(store, handle.id)
  })

  test("submit_result stays available in the closing turn and completes the run", async () => {
    const result = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] }
    const { runtime } = world({
      script: { a: [...counting(1), { calls: [{ tool: "submit_result", input: { ok: true } }] }] },
      agents: [{ name: "a", instructions: "x", result }],
      tools: [tool("work")],
    })
    expect(await runtime.run("a", "go", { limits: { maxTurns: 2 } }).done).toMatchObject({
      outcome: { type: "completed" },
      value: { ok: true },
    })
  })
})

test("58: the limit of tool calls skips what is beyond it and ends the run with what it said", async () => {
  let ran = 0
  const many = {
    text: "working",
    calls: Array.from({ length: 5 }, (_, n) => ({ tool: "work", input: { n } })),
  }
  const { runtime, store } = world({ script: { a: [many, many] }, tools: [tool("work", () => `${ran++}`)] })
  const handle = runtime.run("a", "go", { limits: { maxToolCalls: 3 } })
  expect(await handle.done).toMatchObject({
    outcome: { type: "limit", limit: "tool-calls" },
    output: "working",
  })
  expect(ran).toBe(3)
  await expectSound(store, handle.id)
})

test("58, 1.8: wall time ends as timed-out, stops what is at work and keeps the partial output", async () => {
  const { runtime, store } = world({
    script: { a: [{ text: "partial", calls: [{ tool: "hang" }] }] },
    tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
  })
  const handle = runtime.run("a", "go", { timeout: 1_000 })
  expect(await handle.done).toMatchObject({
    outcome: { type: "timed-out", clock: "timeout" },
    output: "partial",
  })
  await expectSound(store, handle.id)
})

test("58, 1.8: idle time counts silence only: words reset it", async () => {
  const idle = (limits: object, script: object[]) =>
    world({
      script: { a: script },
      tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
    }).runtime.run("a", "go", { limits })
  expect((await idle({ idleTimeout: 40 }, [call("hang")]).done).outcome).toEqual({
    type: "timed-out",
    clock: "idleTimeout",
  })
  expect((await idle({ idleTimeout: 40 }, [{ text: "x", delayMs: 200 }]).done).outcome).toEqual({
    type: "timed-out",
    clock: "idleTimeout",
  })
})

test("58: tokens and cost end the run with that reason and its partial output", async () => {
  const script = {
    a: counting().map((turn) => ({ ...turn, usage: { inputTokens: 100, outputTokens: 50, cost: 0.01 } })),
  }
  const tokens = await world({ script, tools: [tool("work")] }).runtime.run("a", "go", {
    limits: { maxTokens: 2_000 },
  }).done
  expect(tokens).toMatchObject({ outcome: { type: "limit", limit: "tokens" } })
  expect(tokens.output).toMatch(/^turn \d+$/)
  expect(sumTokens(tokens.proof.usage.inclusive.script!)).toBeLessThanOrEqual(2_000)
})

test("1.6: eight parallel children on a small token limit never bill beyond it", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: Array.from({ length: 8 }, () => delegate("worker")) }, { text: "done" }],
      worker: counting().map((turn) => ({
        ...turn,
        delayMs: 1,
        usage: { inputTokens: 40, outputTokens: 20 },
      })),
    },
    tools: [tool("work")],
  })
  const handle = runtime.run("lead", "go", { limits: { maxTokens: 6_000, maxOutputTokens: 100 } })
  const { proof } = await handle.done
  const tokens = sumTokens(proof.usage.inclusive.script!)
  expect(tokens).toBeLessThanOrEqual(6_000)
  expect(tokens).toBeGreaterThan(3_000)
  await expectSound(store, handle.id)
})

test("1.6: a child's own token limit holds for everything below it, exactly", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [delegate("middle")] }, { text: "done" }],
      middle: [
        {
          calls: Array.from({ length: 4 }, () => delegate("worker")),
          usage: { inputTokens: 50, outputTokens: 10 },
        },
        { text: "middle done" },
      ],
      worker: counting().map((turn) => ({ ...turn, usage: { inputTokens: 40, outputTokens: 20 } })),
    },
    agents: [
      { name: "lead", instructions: "x" },
      { name: "middle", instructions: "x", limits: { maxTokens: 3_000, maxOutputTokens: 50 } },
      { name: "worker", instructions: "x", limits: { maxOutputTokens: 50 } },
    ],
    tools: [tool("work")],
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  const { usage } = (await runtime.read(`${handle.id}.1`)).proof
  expect(sumTokens(usage.inclusive.script!)).toBeLessThanOrEqual(3_000)
  await expectSound(store, handle.id)
})

test("59, R5, 1.5: depth 3 means three levels below the root; the fourth is told so and the spawn tool is not offered there", async () => {
  const offered: Record<number, readonly string[]> = {}
  const { runtime, store } = world({
    script: { a: [{ calls: [delegate("a")] }, { text: "done" }] },
    agents: [{ name: "a", instructions: "a", recursive: true }],
    runtime: {
      layers: {
        model: [
          (request, next) => {
            offered[request.run.split(".").length - 1] = request.tools.map(({ name }) => name)
            return next(request)
          },
        ],
      },
    },
  })
  const handle = runtime.run("a", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect(offered).toEqual({ 0: ["Agent"], 1: ["Agent"], 2: ["Agent"], 3: [] })
  expect(await results(store, `${handle.id}.1.1.1`)).toEqual([
    "Maximum subagent nesting depth (3) reached. Cannot spawn 'a' at depth 3. Finish with your own tools.",
  ])
})

test("at the depth limit a wrong name is still told as a wrong name", async () => {
  const { runtime, store } = world({ script: { a: [{ calls: [delegate("b")] }, { text: "done" }] } })
  const handle = runtime.run("a", "go", { depth: 3 })
  await handle.done
  expect(await results(store, handle.id)).toEqual([
    'There is no agent named "b". Did you mean "a"? Known: a.',
  ])
})

test("59, R5, 1.5: the spawns of a whole tree are counted together", async () => {
  const { runtime } = world({
    script: {
      lead: [{ calls: [delegate("middle"), delegate("middle")] }, { text: "done" }],
      middle: [{ calls: Array.from({ length: 5 }, () => delegate("leaf")) }, { text: "done" }],
      leaf: [{ text: "leaf" }],
    },
  })
  const handle = runtime.run("lead", "go", { limits: { maxSpawns: 7 } })
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  let runs = 0
  for await (const _ of runtime.list({ root: handle.id })) runs++
  expect(runs).toBe(1 + 7)
})

test("a run that waits holds no slot: concurrency 1 at depth 3 finishes", async () => {
  const { runtime } = world({ script: { a: [{ calls: [delegate("a"), delegate("a")] }, { text: "done" }] } })
  expect((await runtime.run("a", "go", { limits: { maxConcurrency: 1 } }).done).outcome).toEqual({
    type: "completed",
  })
})

test("60, 1.7: 1,000 subagents asked for in one turn queue behind the concurrency limit and all finish", async () => {
  let now = 0
  let most = 0
  const { runtime } = world({
    script: {
      lead: [{ calls: Array.from({ length: 1_000 }, () => delegate("leaf")) }, { text: "done" }],
      leaf: [call("work"), { text: "leaf" }],
    },
    tools: [
      tool("work", async () => {
        most = Math.max(most, ++now)
        await sleep(1)
        now--
        return "ok"
      }),
    ],
  })
  const result = await runtime.run("lead", "go", { limits: { maxConcurrency: 32, maxSpawns: 1_000 } }).done
  expect(result).toMatchObject({
    outcome: { type: "completed" },
    proof: { usage: { inclusive: { script: { outputTokens: 2_002 * 5 } } } },
  })
  expect(most).toBe(32)
})

test("a child never outlives its parent's deadline", async () => {
  const { runtime, store } = world({
    script: { lead: [{ calls: [delegate("slow")] }, { text: "done" }], slow: [call("hang")] },
    agents: [
      { name: "lead", instructions: "x" },
      { name: "slow", instructions: "x", limits: { timeout: 60_000 } },
    ],
    tools: [tool("hang", () => void handle.cancel())],
  })
  const handle = runtime.run("lead", "go", { timeout: 10_000 })
  await handle.done
  expect((await stateOf(store, `${handle.id}.1`)).start!.limits.timeout).toBeLessThanOrEqual(10_000)
})

test("a parent stopped by its clock cancels its children and keeps their words out of its own", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ text: "so far", calls: [delegate("slow")] }, { text: "done" }],
      slow: [{ text: "child text", ...call("hang") }],
    },
    tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
  })
  const handle = runtime.run("lead", "go", { timeout: 1_000 })
  expect(await handle.done).toMatchObject({ outcome: { type: "timed-out" }, output: "so far" })
  expect((await stateOf(store, `${handle.id}.1`)).end?.outcome.type).toMatch(/cancelled|timed-out/)
  await expectSound(store, handle.id)
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "5", null])(
  "R5, 1.6: a limit of %s is an error, never unlimited",
  async (value) => {
    const limits = { maxTurns: value as number }
    expect(() => defineAgent({ name: "a", instructions: "x", limits })).toThrow(
      /maxTurns must be a positive number/,
    )
    const { runtime } = world({ script: { a: [{ text: "x" }] } })
    await expect(runtime.run("a", "go", { limits }).done).rejects.toThrow(/maxTurns/)
  },
)

test("an unknown limit and a fraction of a turn are errors that name what is known", () => {
  expect(() =>
    defineAgent({ name: "a", instructions: "x", limits: { turns: 3, maxTurns: 1.5 } as never }),
  ).toThrow(/unknown limit "turns".*approvalTimeout, .*\); maxTurns.*whole.*number.*1.5/)
  expect(() => defineAgent({ name: "a", instructions: "x", limits: { maxTurn: 3 } as never })).toThrow(
    /unknown limit "maxTurn", did you mean "maxTurns"\? \(known: /,
  )
})
