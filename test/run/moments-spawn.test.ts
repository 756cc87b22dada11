import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { expectSound, stateOf, world } from "../kit.ts"
import { answers, delegate, done, note, open, run, spawning } from "./moments-kit.ts"

describe("a hook that spawns", () => {
  const helper: ModelScript = { helper: [{ text: "found it" }] }

  test("before the first turn has the model hear of it first", async () => {
    const { agents, told, events } = await run(
      { run_start: async () => spawning("before") },
      { script: { ...done, ...helper }, spawns: ["helper"] },
    )
    expect([agents, told]).toEqual([
      ["lead", "helper"],
      ["go", expect.stringMatching(/hook.*started.*subagent\.\n<report .*found it/s)],
    ])
    const ended = events.findIndex(({ type }) => type === "child-end")
    const asked = events.findIndex((event) => event.type === "model-start" && !event.run.includes("."))
    expect(ended).toBeLessThan(asked)
  })

  test.each(["run_start", "before_model"] as const)(
    "at %s before it denies the run where that fails",
    async (at) => {
      const { result } = await run(
        { [at]: async () => spawning("before") },
        {
          script: { ...done, helper: [{ error: { kind: "fatal", message: "no" } as never }] },
          spawns: ["helper"],
        },
      )
      expect(result.outcome).toEqual({
        type: "denied",
        reason: expect.stringMatching(/helper \(run .*\.1\) had to complete first.*: failed: /),
      })
    },
  )

  test("after the model holds up its calls", async () => {
    const { events } = await run(
      { after_model: async ({ turn }) => (turn === 1 ? spawning("before") : undefined) },
      { script: { lead: [{ calls: [note] }, { text: "done" }], ...helper }, spawns: ["helper"] },
    )
    const order = events.flatMap(({ type }) => (["child-end", "tool-start"].includes(type) ? [type] : []))
    expect(order).toEqual(["child-end", "tool-start"])
  })

  test.each(["before_model", "after_model"] as const)(
    "in the background at %s, every turn, does not keep the run going",
    async (at) => {
      const { result, agents } = await run(
        { [at]: async () => spawning("background") },
        { script: { lead: [{ calls: [note] }, ...answers(9)], helper: answers(9) }, spawns: ["helper"] },
      )
      expect([result.output, agents]).toEqual(["answer 1", ["lead", "helper", "helper"]])
    },
  )

  test("in the background, where no turns are left to hear of it, does not make a limit of what was complete", async () => {
    const { result, agents } = await run(
      { limit_near: async () => spawning("background") },
      {
        script: { lead: answers(9), helper: [{ text: "late", delayMs: 50 }] },
        spawns: ["helper"],
        runtime: { limits: { maxTurns: 1 } },
      },
    )
    expect([result.outcome, result.output, agents]).toEqual([
      { type: "completed" },
      "answer 1",
      ["lead", "helper"],
    ])
  })

  test.each(["before", "background"] as const)(
    "at stop (%s) lets the run go on with the report",
    async (mode) => {
      const { result, told } = await run(
        { stop: async ({ round }) => (round === 1 ? spawning(mode) : undefined) },
        { script: { lead: answers(9), ...helper }, spawns: ["helper"] },
      )
      expect([result.output, told.length, told[1]]).toEqual([
        "answer 2",
        2,
        expect.stringContaining("found it"),
      ])
    },
  )

  test("at stop of a run that has handed in its result has the model hear the report first", async () => {
    const { result, told, events } = await run(
      { stop: async ({ round }) => (round === 1 ? spawning("background") : undefined) },
      {
        agents: [
          { name: "lead", instructions: "x", result: { type: "object" } },
          { name: "helper", instructions: "x" },
        ],
        script: {
          lead: [1, 2].map((n) => ({ calls: [{ tool: "submit_result", input: { n } }] })),
          helper: [{ calls: [note] }, { text: "found it" }],
        },
        spawns: ["helper"],
      },
    )
    expect([result.value, told.length]).toEqual([{ n: 2 }, 2])
    const ended = events.findIndex(({ type }) => type === "child-end")
    expect(
      events.findIndex(
        (event) => event.type === "model-start" && event.turn === 2 && event.run === result.run,
      ),
    ).toBeGreaterThan(ended)
  })

  test("at stop, every time, is stopped after three rounds", async () => {
    const { result, agents, ends } = await run(
      { stop: async () => spawning("background") },
      { script: { lead: answers(9), helper: answers(9) }, spawns: ["helper"] },
    )
    expect([result.output, agents.length, ends.at(-1)]).toEqual([
      "answer 4",
      4,
      { moment: "stop", id: "stop:4", problems: [expect.stringMatching(/^code.*spawned/)] },
    ])
  })

  test("is not asked in or below a run that it spawned, nor of the agent that it would spawn", async () => {
    const asked: string[] = []
    const start = async ({ agent }: { agent: string }) => {
      asked.push(agent)
      return spawning("before")
    }
    const script: ModelScript = {
      lead: [{ text: "done" }],
      helper: [{ calls: [delegate("worker")] }, { text: "found it" }],
      worker: [{ text: "report" }],
    }
    const { agents } = await run({ run_start: start }, { script, spawns: ["helper"] })
    expect([asked, agents]).toEqual([["lead"], ["lead", "helper", "worker"]])
    const { runtime } = open({ run_start: start }, { script, spawns: ["helper"] })
    await runtime.run("helper", "go").done
    expect(asked).toEqual(["lead"])
  })

  test.each<[string, Partial<RuntimeParts>, RegExp]>([
    ["a limit of the tree", { limits: { maxSpawns: 1 } }, /limit of subagent runs/],
    ["a depth", { limits: { maxDepth: 1 } }, /nesting depth/],
    [
      "a rule that denies",
      { rules: [{ tool: "Agent", decision: "deny" }] },
      /denied by the rules of the configuration/,
    ],
    ["a rule that asks", { rules: [{ tool: "Agent", decision: "ask" }] }, /possible/],
  ])("is bounded by %s", async (_, runtime, problem) => {
    const { ends } = await run(
      { before_model: async ({ agent }) => (agent === "helper" ? undefined : spawning("background")) },
      {
        script: {
          lead: [{ calls: [delegate("worker")] }, { text: "done" }],
          worker: [{ text: "report" }],
          helper: answers(9),
        },
        spawns: ["helper"],
        runtime,
      },
    )
    expect(ends.flatMap(({ problems = [] }) => problems)).toEqual(
      expect.arrayContaining([expect.stringMatching(problem)]),
    )
  })

  test("before the first turn and is refused, denies the run", async () => {
    const { result } = await run(
      { run_start: async () => spawning("before") },
      {
        script: { ...done, ...helper },
        spawns: ["helper"],
        runtime: { rules: [{ tool: "Agent", decision: "deny" }] },
      },
    )
    expect(result.outcome).toEqual({
      type: "denied",
      reason: expect.stringMatching(/agent.*helper.*complete.*could not start: it is denied/),
    })
  })

  test.each([
    [
      "whom it does not name",
      async () => spawning("before"),
      [],
      /hands work to helper, which it does not name/,
    ],
    [
      "in place of nothing",
      async () => ({ type: "pass", spawns: [{ agent: "helper", task: "x", mode: "replace" }] }),
      ["helper"],
      /call.*replace/,
    ],
  ] as const)("cannot spawn %s", async (_, at, spawns, problem) => {
    const { agents, ends } = await run({ after_model: at } as never, {
      script: { ...done, ...helper },
      spawns,
    })
    expect([agents, ends[0]?.problems?.[0]]).toEqual([["lead"], expect.stringMatching(problem)])
  })

  test("hands on to the fallback of whom it spawned, by the rules of the run", async () => {
    const agents: readonly AgentInput[] = [
      { name: "lead", instructions: "x" },
      { name: "helper", instructions: "x", fallback: ["other"] },
      { name: "other", instructions: "x" },
    ]
    const script: ModelScript = {
      ...done,
      helper: [{ error: { kind: "fatal", message: "no" } as never }],
      other: [{ text: "found it" }],
    }
    const open = await run(
      { run_start: async () => spawning("before") },
      { agents, script, spawns: ["helper"] },
    )
    expect([open.agents, open.result.outcome]).toEqual([["lead", "helper", "other"], { type: "completed" }])
    const denied = await run(
      { run_start: async () => spawning("before") },
      {
        agents,
        script,
        spawns: ["helper"],
        runtime: { rules: [{ tool: "Agent(other)", decision: "deny" }] },
      },
    )
    expect([denied.agents, denied.result.outcome?.type]).toEqual([["lead", "helper"], "denied"])
  })

  test.each(["run_start", "before_model", "after_model", "stop"] as const)(
    "at %s and waits for a person has the run rest with it, and go on with it",
    async (at) => {
      const { runtime, store } = open(
        { [at]: async ({ turn }: { turn: number }) => (turn < 2 ? spawning("before") : undefined) },
        {
          script: { lead: answers(4), helper: [{ calls: [note] }, { text: "found it" }] },
          spawns: ["helper"],
          runtime: { rules: [{ tool: "Note", decision: "ask" }] },
        },
      )
      const handle = runtime.run("lead", "go")
      const resting = await handle.done
      expect([resting.status, resting.approvals.map(({ run }) => run)]).toEqual([
        "resting",
        [`${handle.id}.1`],
      ])
      await runtime.approve(`${handle.id}.1`, "c1", "allow")
      const ended = await runtime.resume(handle.id).done
      expect([ended.status, ended.outcome]).toEqual(["ended", { type: "completed" }])
      await expectSound(store, handle.id)
    },
  )

  test("before the first turn, and asks something, has the model answer it", async () => {
    const { runtime, store } = world({
      script: {
        lead: [
          { calls: [{ tool: "AgentSend", input: { to: "CHILD", text: "Tabs." } }] },
          { text: "answered" },
          { text: "done" },
        ],
        helper: [
          { calls: [{ tool: "AskParent", input: { question: "Tabs or spaces?" } }] },
          { text: "found it" },
        ],
      },
      runtime: {
        tools: agentControlTools(),
        hooks: [
          { name: "code", spawns: ["helper"], at: { run_start: async () => spawning("before") } },
          {
            name: "address",
            judge: async ({ run, tool, input }) =>
              tool === "AgentSend"
                ? { type: "rewrite", arguments: JSON.stringify({ ...input, to: `${run}.1` }) }
                : { type: "pass" },
          },
        ],
      },
    })
    const { run, outcome } = await runtime.run("lead", "go").done
    const { messages } = await stateOf(store, run)
    expect(outcome).toEqual({ type: "completed" })
    expect([...messages].flatMap(({ role, text }) => (role === "user" ? [text.split("\n")[0]] : []))).toEqual(
      ["go", expect.stringMatching(/question/), "A background subagent has ended."],
    )
  })
})
