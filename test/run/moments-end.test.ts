import { describe, expect, test } from "vitest"
import type { AgentIsolation } from "../../src/agent/isolation.ts"
import type { MomentQuestions } from "../../src/run/ports/hooked-moment.ts"
import { until, untilAborted } from "../kit.ts"
import { answers, delegate, note, type Options, open, run } from "./moments-kit.ts"

describe("at stop, a hook", () => {
  test("that blocks lets the run go on with its reason", async () => {
    const rounds: unknown[] = []
    const { result, told } = await run(
      {
        async stop({ round, output }) {
          rounds.push([round, output])
          return round === 1 ? { type: "block", reason: "say more", context: ["how"] } : undefined
        },
      },
      { script: { lead: answers(9) } },
    )
    expect([result.outcome, result.output, result.objection, rounds, told]).toEqual([
      { type: "completed" },
      "answer 2",
      undefined,
      [
        [1, "answer 1"],
        [2, "answer 2"],
      ],
      ["go", "Note from a hook: how", expect.stringMatching(/objects.*say more\nResolve/)],
    ])
  })

  test("that always objects ends after three rounds, and the result says so", async () => {
    const { result } = await run(
      { stop: async () => ({ type: "block", reason: "never" }) },
      { script: { lead: answers(9) } },
    )
    expect([result.outcome, result.output, result.proof.turns, result.objection]).toEqual([
      { type: "completed" },
      "answer 4",
      4,
      { hook: "code", reason: "never" },
    ])
    expect(result.proof.warnings).toEqual([expect.stringMatching(/^The hook "code".*objected.*never.?$/)])
  })

  test("that objects to giving up is heard, and a run that still gives up has the outcome that it had", async () => {
    const { result } = await run(
      { stop: async () => ({ type: "block", reason: "try again" }) },
      {
        script: { lead: [{ calls: [note] }, ...answers(9)] },
        runtime: { rules: [{ tool: "Note", decision: "deny" }] },
      },
    )
    expect([result.outcome, result.output, result.objection]).toEqual([
      { type: "denied", reason: expect.stringMatching(/made.*refused/) },
      "answer 4",
      { hook: "code", reason: "try again" },
    ])
  })

  test("that always objects ends after as many rounds as the limits say", async () => {
    const { result } = await run(
      { stop: async () => ({ type: "block", reason: "never" }) },
      { script: { lead: answers(9) }, runtime: { limits: { maxStopRounds: 1 } } },
    )
    expect([result.output, result.objection?.reason]).toEqual(["answer 2", "never"])
  })

  test("that has something to say but no objection leaves the report as it is", async () => {
    const { result, told, ends } = await run(
      { stop: async () => ({ type: "pass", context: ["well done"], variables: { seen: true } }) },
      { script: { lead: [{ text: "the whole report" }, { text: "Done." }] } },
    )
    expect([result.output, told, ends]).toEqual([
      "the whole report",
      ["go"],
      [{ moment: "stop", id: "stop:1", context: ["well done"], variables: { seen: true } }],
    ])
  })

  test("that blocks where no turns are left does not make a limit of what was complete", async () => {
    const { result } = await run(
      { stop: async () => ({ type: "block", reason: "more" }) },
      { script: { lead: answers(9) }, runtime: { limits: { maxTurns: 1 } } },
    )
    expect([result.outcome, result.output, result.objection?.reason]).toEqual([
      { type: "completed" },
      "answer 1",
      "more",
    ])
  })

  test("that fails to judge cannot be mended: the run ends, and the result says so", async () => {
    const { result } = await run({
      async stop() {
        throw new Error("broken")
      },
    })
    expect([result.outcome, result.objection]).toEqual([
      { type: "completed" },
      { hook: "code", reason: "it failed: broken", final: true },
    ])
  })

  test("is asked about a result that was handed in, and has it handed in again", async () => {
    const outputs: string[] = []
    const { result } = await run(
      {
        async stop({ output, round }) {
          outputs.push(output)
          return round === 1 ? { type: "block", reason: "higher" } : undefined
        },
      },
      {
        agents: [
          {
            name: "lead",
            instructions: "x",
            result: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
          },
        ],
        script: {
          lead: [1, 2].map((n) => ({ calls: [{ tool: "submit_result", input: { n } }] })),
        },
      },
    )
    expect([result.outcome, result.value, outputs]).toEqual([
      { type: "completed" },
      { n: 2 },
      ['{"n":1}', '{"n":2}'],
    ])
  })

  test("is asked when what must hold does, and again after every repair", async () => {
    const asked: string[] = []
    const { result } = await run(
      {
        async stop({ output, round }) {
          asked.push(output)
          return round === 1 ? { type: "block", reason: "again" } : undefined
        },
      },
      {
        agents: [{ name: "lead", instructions: "x", postconditions: [{ file: "x" }] }],
        script: { lead: answers(4) },
        runtime: {
          checkPostcondition: async (_, { output }) => ({
            holds: output !== "answer 1",
            problem: "too short",
          }),
        },
      },
    )
    expect([result.outcome, asked]).toEqual([{ type: "completed" }, ["answer 2", "answer 3"]])
  })

  test("is not asked about a run that does not complete", async () => {
    const asked: string[] = []
    const { result } = await run(
      {
        stop: async () => void asked.push("stop"),
        run_end: async ({ outcome }) => void asked.push(outcome.type),
      },
      { script: { lead: [{ error: { kind: "fatal", message: "no" } as never }] } },
    )
    expect([result.outcome?.type, asked]).toEqual(["failed", ["failed"]])
  })

  test("an objection of a child reaches whoever called it", async () => {
    const { state } = await run(
      { stop: async ({ agent }) => (agent === "worker" ? { type: "block", reason: "weak" } : undefined) },
      { script: { lead: [{ calls: [delegate("worker")] }, { text: "done" }], worker: answers(9) } },
    )
    const report = [...state.messages].find(({ role }) => role === "tool")?.text
    expect(report).toMatch(/^The hook "code".*objected.*weak\n<report .*\nanswer 4\n/s)
  })
})

describe("at run_end, a hook", () => {
  test.each<[string, Options, string]>([
    ["completed", {}, "completed"],
    [
      "denied",
      { hooks: [{ name: "no", at: { run_start: async () => ({ type: "block", reason: "no" }) } }] },
      "denied",
    ],
    [
      "limit",
      { script: { lead: [{ calls: [note] }, { text: "x" }] }, runtime: { limits: { maxTurns: 2 } } },
      "limit",
    ],
    ["no-output", { script: { lead: [{ text: "" }, { text: "" }] } }, "no-output"],
  ])("sees how it ends, and changes nothing: %s", async (_, options, outcome) => {
    const asked: unknown[] = []
    const { result, events } = await run(
      {
        async run_end(moment) {
          asked.push([moment.outcome, moment.output])
          return { type: "block", reason: "no", context: ["x"], variables: { ended: true } }
        },
      },
      options,
    )
    expect([result.outcome?.type, asked]).toEqual([outcome, [[result.outcome, result.output]]])
    expect(events.at(-1)?.type).toBe("run-end")
  })

  test("of a run that is cancelled, is not asked", async () => {
    const asked: unknown[] = []
    let isAsked = false
    const { runtime } = open({
      before_model: async (_, signal) => {
        isAsked = true
        return untilAborted(signal)
      },
      run_end: async () => void asked.push("asked"),
    } as MomentQuestions)
    const handle = runtime.run("lead", "go")
    await until(() => isAsked)
    await handle.cancel("enough")
    expect([(await handle.done).outcome, asked]).toEqual([{ type: "cancelled", reason: "enough" }, []])
  })

  test("that is cancelled in the meantime is not waited for; how the run ended stays", async () => {
    let isAsked = false
    const { runtime } = open({
      run_end: async (_, signal) => {
        isAsked = true
        return untilAborted(signal)
      },
    })
    const handle = runtime.run("lead", "go")
    await until(() => isAsked)
    await handle.cancel("enough")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
  })

  test("of a run that is answered from the cache, is not asked: nothing ran", async () => {
    const asked: string[] = []
    const at = Object.fromEntries(
      ["run_start", "stop", "run_end"].map((moment) => [moment, async () => void asked.push(moment)]),
    ) as MomentQuestions
    const results = new Map<string, never>()
    const { runtime } = open(at, {
      agents: [{ name: "lead", instructions: "x", cache: {} }],
      runtime: {
        cache: {
          digest: async () => "",
          get: async (key) => results.get(key),
          put: async (key, value) => void results.set(key, value as never),
        },
      },
    })
    const first = await runtime.run("lead", "go").done
    const second = await runtime.run("lead", "go").done
    expect([second.cached, asked]).toEqual([{ run: first.run }, ["run_start", "stop", "run_end"]])
  })
})

describe("a run that works in a place of its own", () => {
  /** Tells what became of the place, and what hooks were asked meanwhile. */
  function apart(problem?: string) {
    const order: string[] = []
    const worktree = {
      type: "worktree",
      path: "/w",
      branch: "b",
      base: "c",
      from: "/",
      repository: "/",
    } as const
    const isolation: AgentIsolation = {
      plan: async () => ({ worktree, cwd: "/w", warnings: [] }),
      async open() {
        order.push("open")
        return problem === undefined ? {} : { problem }
      },
      async close() {
        order.push("close")
        const { branch, base } = worktree
        return { branch, base, commits: 0, files: [], insertions: 0, deletions: 0, kept: "removed" }
      },
    }
    const see = async ({ moment, cwd }: { moment: string; cwd: string }) =>
      void order.push(`${moment} ${cwd}`)
    return {
      order,
      ended: run(
        { run_start: see, stop: see, run_end: see },
        { agents: [{ name: "lead", instructions: "x", isolation: "worktree" }], runtime: { isolation } },
      ),
    }
  }

  test("has it from the first moment to the last", async () => {
    const { order, ended } = apart()
    expect((await ended).result.outcome).toEqual({ type: "completed" })
    expect(order).toEqual(["open", "run_start /w", "stop /w", "run_end /w", "close"])
  })

  test("and cannot have it, is denied, and its hooks are told", async () => {
    const { order, ended } = apart("no room")
    expect((await ended).result.outcome?.type).toBe("denied")
    expect(order).toEqual(["open", "run_end /w", "close"])
  })
})
