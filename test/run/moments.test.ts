import { describe, expect, onTestFinished, test } from "vitest"
import type { HookMoment } from "../../src/run/ports/hooked-moment.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { sleepingMachine } from "../cases/sleeping-machine.ts"
import { collect, tool, until, untilAborted, world } from "../kit.ts"
import { answers, delegate, done, momentEnd, note, open, run } from "./moments-kit.ts"

test("hooks are asked at every moment, in order, each knowing whom for", async () => {
  const asked: unknown[] = []
  const see = async (moment: HookMoment) => void asked.push(moment)
  const { id, ends } = await run(
    {
      run_start: see,
      before_model: see,
      after_model: see,
      after_spawn: see,
      limit_near: see,
      stop: see,
      run_end: see,
    },
    {
      script: {
        lead: [{ text: "first", calls: [note, delegate("worker")] }, { text: "done" }],
        worker: [{ text: "report" }],
      },
      hooks: [{ name: "limits", judge: async () => ({ type: "pass" }) }],
      agents: [
        { name: "lead", instructions: "x", limits: { maxToolCalls: 2 } },
        { name: "worker", instructions: "x" },
      ],
    },
  )
  const lead = { run: id, agent: "lead", depth: 0, task: "go", cwd: process.cwd(), variables: {} }
  const worker = { ...lead, run: `${id}.1`, agent: "worker", depth: 1, parent: id, task: "worker" }
  const completed = { type: "completed" }
  expect(asked).toEqual([
    { moment: "run_start", ...lead, turn: 0 },
    { moment: "before_model", ...lead, turn: 1 },
    { moment: "after_model", ...lead, turn: 1, output: "first", calls: ["Note", "Agent"] },
    { moment: "limit_near", ...lead, turn: 1, limit: "tool-calls", used: 2, allowed: 2 },
    { moment: "run_start", ...worker, turn: 0 },
    { moment: "before_model", ...worker, turn: 1 },
    { moment: "after_model", ...worker, turn: 1, output: "report", calls: [] },
    { moment: "stop", ...worker, turn: 1, round: 1, output: "report" },
    { moment: "run_end", ...worker, turn: 1, outcome: completed, output: "report" },
    {
      moment: "after_spawn",
      ...lead,
      turn: 1,
      child: `${id}.1`,
      subagent: "worker",
      outcome: completed,
      report: "report",
    },
    { moment: "before_model", ...lead, turn: 2 },
    { moment: "after_model", ...lead, turn: 2, output: "done", calls: [] },
    { moment: "stop", ...lead, turn: 2, round: 1, output: "done" },
    { moment: "run_end", ...lead, turn: 2, outcome: completed, output: "done" },
  ])
  expect(ends.map((end) => end.id)).toEqual([
    "run_start",
    "before_model:1",
    "after_model:1",
    "limit_near:tool-calls",
    "run_start",
    "before_model:1",
    "after_model:1",
    "stop:1",
    "run_end",
    `after_spawn:${id}.1`,
    "before_model:2",
    "after_model:2",
    "stop:2",
    "run_end",
  ])
})

test("a run without such hooks records nothing of moments", async () => {
  const { runtime } = world({
    script: done,
    runtime: { hooks: [{ name: "calls", judge: async () => ({ type: "pass" }) }] },
  })
  const events = await collect(runtime.run("lead", "go"))
  expect(events.flatMap(momentEnd)).toEqual([])
  expect(events[0]).not.toHaveProperty("moments")
})

test("a hook that is asked only at moments judges no call", async () => {
  const { events } = await run(
    { stop: async () => undefined },
    { script: { lead: [{ calls: [note] }, ...answers(1)] } },
  )
  expect(events.filter(({ type }) => type === "hook-end")).toEqual([])
})

test("a moment that is none is told before anything runs, with those that there are", () => {
  expect(() => open({ on_stop: async () => undefined } as never)).toThrow(
    /^Hook "code" names an unknown moment: "on_stop"\. .*run_start/,
  )
})

describe("at run_start, a hook", () => {
  test("tells the model before its first turn, and sets variables", async () => {
    const { told, state, ends } = await run({
      run_start: async () => ({ type: "pass", context: ["be brief"], variables: { warned: true } }),
    })
    expect([told, state.variables]).toEqual([["go", "Note from a hook: be brief"], { warned: true }])
    expect(ends).toEqual([
      { moment: "run_start", id: "run_start", context: ["be brief"], variables: { warned: true } },
    ])
  })

  test("is asked once, also in a run that continues another", async () => {
    const asked: unknown[] = []
    const { runtime } = open(
      { run_start: async ({ continues, turn }) => void asked.push([continues, turn]) },
      { script: { lead: [{ calls: [note] }, { text: "one" }, { text: "two" }] } },
    )
    const first = await runtime.run("lead", "go").done
    await runtime.run("lead", "on", { continues: first.run }).done
    expect(asked).toEqual([
      [undefined, 0],
      [first.run, 0],
    ])
  })

  test.each(["run_start", "before_model"] as const)(
    "or before_model (%s), that blocks denies the run",
    async (at) => {
      const { result, events } = await run({ [at]: async () => ({ type: "block", reason: "not today" }) })
      expect(result.outcome).toEqual({
        type: "denied",
        reason: `the hook "code" blocked ${at === "run_start" ? "the start of the run" : "the model request"}: not today`,
      })
      expect(events.filter(({ type }) => type === "model-start")).toEqual([])
    },
  )

  test.each([
    ["throws", () => Promise.reject(new Error("broken")), /it failed: broken/],
    ["gives a verdict that is none", async () => ({ type: "maybe" }), /an unknown verdict/],
    [
      "never ends",
      (_: unknown, signal: AbortSignal) => untilAborted(signal),
      /it failed: .*longer than 50 ms|stopped/,
    ],
  ])("that %s denies the run", async (_, at, reason) => {
    const { result } = await run({ run_start: at } as never, { runtime: { limits: { toolTimeout: 50 } } })
    expect(result.outcome).toEqual({ type: "denied", reason: expect.stringMatching(reason) })
  })

  test("that blocks is the last that is asked", async () => {
    const { ends } = await run(
      { run_start: async () => ({ type: "block", reason: "first" }) },
      { hooks: [{ name: "later", at: { run_start: async () => ({ type: "block", reason: "second" }) } }] },
    )
    expect(ends).toEqual([{ moment: "run_start", id: "run_start", block: { hook: "code", reason: "first" } }])
  })

  test("finds what earlier ones have set", async () => {
    const { state } = await run(
      { run_start: async () => ({ type: "pass", variables: { count: 1 } }) },
      {
        hooks: [
          {
            name: "later",
            at: {
              run_start: async ({ variables }) => ({
                type: "pass",
                variables: { count: Number(variables.count) + 1, locked: true },
              }),
            },
          },
        ],
      },
    )
    expect(state.variables).toEqual({ count: 2, locked: true })
  })
})

describe("what hooks tell at a moment", () => {
  test.each(["after_model", "limit_near"] as const)(
    "(%s) joins the next turn, and is no reason for one",
    async (at) => {
      const { result, told, state } = await run(
        { [at]: async () => ({ type: "pass", context: [`seen at ${at}`] }) },
        {
          script: { lead: [{ calls: [note] }, ...answers(9)] },
          runtime: { limits: at === "limit_near" ? { maxToolCalls: 1 } : {} },
        },
      )
      expect([result.output, state.turn, told]).toEqual([
        "answer 1",
        2,
        ["go", `Note from a hook: seen at ${at}`],
      ])
      expect(result.proof.undelivered).toEqual([])
    },
  )

  test("and a block there is told as well", async () => {
    const { result, told } = await run(
      { after_model: async ({ turn }) => (turn === 1 ? { type: "block", reason: "careful" } : undefined) },
      { script: { lead: [{ calls: [note] }, ...answers(9)] } },
    )
    expect([result.outcome, told]).toEqual([{ type: "completed" }, ["go", "Note from a hook: careful"]])
  })

  test("what goes wrong there is in the log, and the run goes on", async () => {
    const { result, ends } = await run({
      async after_model() {
        throw new Error("broken")
      },
      async run_end() {
        return { type: "block", reason: "too late" }
      },
    })
    expect([result.outcome, ends]).toEqual([
      { type: "completed" },
      [
        { moment: "after_model", id: "after_model:1", problems: ["code: it failed: broken"] },
        { moment: "run_end", id: "run_end", problems: ["code: too late"] },
      ],
    ])
  })
})

describe("at after_spawn, a hook", () => {
  const script: ModelScript = {
    lead: [{ calls: [delegate("worker")] }, { text: "done" }],
    worker: [{ text: "report" }],
  }

  test("sees the report before the model does, and adds to it", async () => {
    const { told, events } = await run(
      { after_spawn: async ({ report }) => ({ type: "pass", context: [`check ${report}`] }) },
      { script },
    )
    expect(told).toEqual(["go", "Note from a hook: check report"])
    const order = events.flatMap(({ type }) =>
      ["child-end", "moment-end", "tool-end"].includes(type) ? [type] : [],
    )
    expect(order).toEqual(["child-end", "moment-end", "tool-end"])
  })

  test("also of one in the background, and of one that failed", async () => {
    const asked: unknown[] = []
    const { told } = await run(
      {
        async after_spawn({ subagent, outcome, turn }) {
          asked.push([subagent, outcome.type, turn])
          return { type: "pass", context: ["seen"] }
        },
      },
      {
        script: {
          lead: [
            { calls: [delegate("worker", { background: true })] },
            { text: "waiting" },
            { text: "done" },
          ],
          worker: [{ error: { kind: "fatal", message: "no" } as never }],
        },
      },
    )
    expect(asked).toEqual([["worker", "failed", 2]])
    expect(told.map((text) => text.split("\n")[0])).toEqual([
      "go",
      "A background subagent has ended.",
      "Note from a hook: seen",
    ])
  })

  test("hears nothing of children that hooks spawn", async () => {
    const asked: string[] = []
    const { agents } = await run(
      {
        async after_spawn({ subagent }) {
          asked.push(subagent)
          return { type: "pass", spawns: [{ agent: "helper", task: "x", mode: "background" }] }
        },
      },
      {
        script: { ...script, lead: [...script.lead!, ...answers(3)], helper: answers(1) },
        spawns: ["helper"],
      },
    )
    expect([asked, agents]).toEqual([["worker"], ["lead", "worker", "helper"]])
  })
})

describe("at limit_near, a hook", () => {
  const near = async (limits: object, script: ModelScript = { lead: [...answers(1)] }) => {
    const asked: unknown[] = []
    await run(
      {
        limit_near: async ({ limit, used, allowed }) => void asked.push([limit, used, allowed]),
      },
      { script, runtime: { limits } },
    )
    return asked
  }
  const calls = (count: number) => ({ calls: Array.from({ length: count }, () => note) })

  test.each<[string, object, ModelScript, unknown]>([
    ["turns", { maxTurns: 5 }, { lead: [calls(1), calls(2), calls(3), ...answers(2)] }, ["turns", 4, 5]],
    ["not before", { maxTurns: 5 }, { lead: [calls(1), calls(2), ...answers(2)] }, undefined],
    ["tool calls", { maxToolCalls: 5 }, { lead: [calls(4), ...answers(1)] }, ["tool-calls", 4, 5]],
    [
      "tokens",
      { maxTokens: 100_000, maxOutputTokens: 10 },
      { lead: [{ text: "x", usage: { inputTokens: 80_000, outputTokens: 1 } }] },
      ["tokens", 80_001, 100_000],
    ],
    [
      "cost",
      { maxCost: 10 },
      { lead: [{ text: "x", usage: { inputTokens: 1, outputTokens: 1, cost: 9 } }] },
      ["cost", 9, 10],
    ],
  ])("is asked once: %s", async (_, limits, script, expected) => {
    expect(await near(limits, script)).toEqual(expected === undefined ? [] : [expected])
  })

  test("is asked while a tool is at work: the time", async () => {
    const machine = sleepingMachine()
    onTestFinished(machine.restore)
    const asked: unknown[] = []
    const opened = world({
      script: { lead: [{ calls: [{ tool: "Slow", input: {} }] }, { text: "done" }] },
      tools: [tool("Slow", () => (machine.sleep(500_000), new Promise(() => {})))],
      runtime: {
        limits: { timeout: 600_000 },
        hooks: [
          {
            name: "code",
            at: { limit_near: async ({ limit, used }) => void asked.push([limit, used]) },
          },
        ],
      },
    })
    const { done } = opened.runtime.run("lead", "go")
    await until(() => asked.length > 0)
    machine.sleep(100_000)
    expect([(await done).outcome, asked]).toEqual([
      { type: "timed-out", clock: "timeout" },
      [["timeout", expect.any(Number)]],
    ])
    expect((asked as number[][])[0]![1]).toBeGreaterThanOrEqual(480_000)
    expect((asked as number[][])[0]![1]).toBeLessThan(600_000)
  })
})
