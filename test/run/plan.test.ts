import { expect, onTestFinished, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { readClock } from "../../src/run/log/clock.ts"
import type { PlannedCall, Planner, PlannerPlan } from "../../src/run/ports/planner.ts"
import type { RunState } from "../../src/run/state/state.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { sleepingMachine } from "../cases/sleeping-machine.ts"
import { collect, expectSound, sleep, stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

const planned: AgentInput = { name: "planned", instructions: "Nobody reads this.", pipeline: { steps: [] } }
const worker: AgentInput = { name: "worker", instructions: "Work." }

const hand = (key: string, prompt = key): PlannedCall => ({
  type: "call",
  key,
  tool: "Agent",
  input: { agent: "worker", prompt },
})

type Step = (done: ReadonlyMap<string, string>, state: RunState) => PlannerPlan

/** Calls that were planned before are left out, so that a step can say what should be there by now. */
const planner = (step: Step): Planner => ({
  plan(_, state) {
    const results = [...state.plan!.results]
    const open = [...state.calls].filter(({ status }) => status !== "ended").map(({ key }) => key)
    const next = step(new Map(results.map(({ key, status, text }) => [key, `${status}: ${text}`])), state)
    const known = new Set([...results.map(({ key }) => key), ...open])
    return next.type === "end" ? next : { ...next, calls: next.calls.filter(({ key }) => !known.has(key)) }
  },
})

const calls = (...list: readonly PlannedCall[]): PlannerPlan => ({ type: "calls", calls: list })
const end = (output: string): PlannerPlan => ({ type: "end", outcome: { type: "completed" }, output })

test("a plan's calls join those in flight, and its results are found by the planner's own keys", async () => {
  const step: Step = (done) => {
    if (done.has("slow") && done.has("after")) return end([...done].map(String).join("\n"))
    return calls(hand("slow"), hand("fast"), ...(done.has("fast") ? [hand("after")] : []))
  }
  const { runtime, store } = world({
    agents: [planned, worker],
    script: {
      worker: [
        { match: "slow", text: "slow report", delayMs: 80 },
        { match: "fast", text: "fast report" },
        { match: "after", text: "after report" },
      ],
    },
    runtime: { planners: { pipeline: planner(step) } },
  })
  const handle = runtime.run("planned", "go")
  const events = await collect(handle)
  expect((await handle.done).output).toBe(
    "fast,ok: fast report\nafter,ok: after report\nslow,ok: slow report",
  )
  expect(
    events.flatMap((event): readonly unknown[] =>
      event.run !== handle.id || event.type === "text-delta"
        ? []
        : event.type === "plan-end"
          ? [
              [
                event.type,
                event.after,
                event.calls?.map(({ id, key }) => `${id} ${key}`) ?? [],
                event.end?.outcome,
              ],
            ]
          : event.type === "tool-end"
            ? [[event.type, event.call]]
            : event.type === "run-start"
              ? [[event.type, event.kind]]
              : [],
    ),
  ).toEqual([
    ["run-start", "pipeline"],
    ["plan-end", 0, ["c1 slow", "c2 fast"], undefined],
    ["tool-end", "c2"],
    ["plan-end", 1, ["c3 after"], undefined],
    ["tool-end", "c3"],
    ["plan-end", 2, [], undefined],
    ["tool-end", "c1"],
    ["plan-end", 3, [], { type: "completed" }],
  ])
  await expectSound(store, handle.id)
})

test("planned calls are checked like a model's: schema, agents, grants, hooks and rules", async () => {
  const keys = ["wrong", "nobody", "ungranted", "hooked", "denied", "allowed"]
  const step: Step = (done) => {
    if (done.size === keys.length) return end(JSON.stringify(Object.fromEntries([...done].sort())))
    const other = (key: string, name: string): PlannedCall => ({ type: "call", key, tool: name, input: {} })
    return calls(
      other("wrong", "Agent"),
      { type: "call", key: "nobody", tool: "Agent", input: { agent: "nobody", prompt: "x" } },
      other("ungranted", "secret"),
      other("hooked", "risky"),
      hand("denied"),
      other("allowed", "plain"),
    )
  }
  const { runtime } = world({
    agents: [{ ...planned, tools: ["Agent", "risky", "plain"] }, worker],
    script: { worker: [{ text: "never" }] },
    tools: [tool("secret"), tool("risky"), tool("plain")],
    runtime: {
      planners: { pipeline: planner(step) },
      rules: [{ tool: "Agent(worker)", decision: "deny" }],
      hooks: [
        {
          name: "guard",
          judge: async ({ tool }) =>
            tool === "risky" ? { type: "block", reason: "too risky" } : { type: "pass" },
        },
      ],
    },
  })
  const result = await runtime.run("planned", "go").done
  expect(JSON.parse(result.output)).toEqual({
    wrong: expect.stringMatching(/^error.*arguments.*valid/),
    nobody: expect.stringMatching(/^error: There is no agent named "nobody"/),
    ungranted: expect.stringMatching(/^denied: Not permitted: secret.*among.*the tools of agent "planned"/),
    hooked: "denied: Not permitted: too risky",
    denied: expect.stringMatching(/^denied.*permitted.*Agent \(worker\).*the configuration/),
    allowed: "ok: ok",
  })
})

test("a run that no model drives takes no agent on: nobody would follow its instructions", async () => {
  const step: Step = (done) => (done.size === 2 ? end([...done.values()].join("\n")) : calls(...both))
  const both: readonly PlannedCall[] = [
    { type: "call", key: "asked", tool: "Agent", input: { agent: "worker", prompt: "x", mode: "self" } },
    { type: "call", key: "written", tool: "Agent", input: { agent: "guide", prompt: "x" } },
  ]
  const { runtime } = world({
    agents: [planned, worker, { name: "guide", instructions: "Guide.", mode: "self" }],
    script: {},
    runtime: { planners: { pipeline: planner(step) } },
  })
  const why = ["drives", "instructions"]
  expect((await runtime.run("planned", "go").done).output).toEqual(
    naming("error: Cannot activate 'worker': ", ...why, "\nerror: Cannot activate 'guide': ", ...why),
  )
})

test("an approval rests the run until a person answers, and what they say is its result", async () => {
  const step: Step = (done) =>
    done.has("gate") ? end(done.get("gate")!) : calls({ type: "approval", key: "gate", message: "Ship it?" })
  const { runtime } = world({
    agents: [planned],
    script: {},
    runtime: { planners: { pipeline: planner(step) } },
  })
  for (const [decision, note, output] of [
    ["allow", undefined, "ok: Approved."],
    ["allow", "but slowly", "ok: but slowly"],
    ["deny", "not today", "denied: Not permitted: not today"],
  ] as const) {
    const first = await runtime.run("planned", "go").done
    expect([first.status, first.approvals]).toEqual([
      "resting",
      [
        {
          run: first.run,
          call: "c1",
          tool: "approval",
          arguments: '{"message":"Ship it?"}',
          way: [{ run: first.run, agent: "planned", task: "go" }],
        },
      ],
    ])
    await runtime.approve(first.run, "c1", decision, note)
    expect((await runtime.resume(first.run).done).output).toBe(output)
  }
})

test("a pause ends at its own time after a crash, with no slot held and its clock running", async () => {
  const machine = sleepingMachine()
  onTestFinished(machine.restore)
  const store = memoryStore()
  const step: Step = (done) =>
    done.has("nap") ? end("rested") : calls({ type: "pause", key: "nap", milliseconds: 1_200_000 })
  const parts = { agents: [planned], script: {}, runtime: { planners: { pipeline: planner(step) } }, store }
  const first = world(parts)
  const handle = first.runtime.run("planned", "go", { limits: { maxConcurrency: 1 } })
  handle.done.catch(() => {})
  for await (const { type } of handle) if (type === "plan-end") break
  const [pause] = [...(await stateOf(store, handle.id)).calls]
  const second = world(parts)
  const resumed = second.runtime.resume(handle.id, { force: true })
  // Begun anew, it would not be over when the first process said.
  machine.sleep(pause!.expires! - readClock() - 100)
  const result = await resumed.done
  expect([result.output, result.outcome]).toEqual(["rested", { type: "completed" }])
  const { end: ended } = await stateOf(store, handle.id)
  expect(ended!.at).toBeGreaterThanOrEqual(pause!.expires!)
})

test("a pause can be cancelled, and counts against the run's time", async () => {
  const step: Step = () => calls({ type: "pause", key: "nap", milliseconds: 60_000 })
  const { runtime } = world({
    agents: [planned],
    script: {},
    runtime: { planners: { pipeline: planner(step) } },
  })
  const timed = await runtime.run("planned", "go", { timeout: 60 }).done
  expect(timed.outcome).toEqual({ type: "timed-out", clock: "timeout" })
  const handle = runtime.run("planned", "go")
  await sleep(30)
  await handle.cancel("enough")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
})

test("an opaque call that nobody saw end is not repeated, and the run that completes without knowing is uncertain", async () => {
  const store = memoryStore()
  let runs = 0
  const step: Step = (done) =>
    done.has("once")
      ? end(done.get("once")!)
      : calls({ type: "call", key: "once", tool: "charge", input: {} })
  const parts = () => ({
    agents: [planned],
    script: {},
    store,
    tools: [tool("charge", () => (runs++, new Promise(() => {})), { effect: "opaque" })],
    runtime: { planners: { pipeline: planner(step) } },
  })
  const first = world(parts())
  const handle = first.runtime.run("planned", "go")
  handle.done.catch(() => {})
  await sleep(40)
  const result = await world(parts()).runtime.resume(handle.id, { force: true }).done
  expect([runs, result.outcome, result.output]).toEqual([
    1,
    { type: "uncertain", reason: expect.stringMatching(/outcome.*charge \(c1\)/) },
    expect.stringMatching(/^unknown: The outcome of this charge call is unknown/),
  ])
})

test("what a plan may do is bounded like everything else", async () => {
  const many: Step = () => calls(...Array.from({ length: 5 }, (_, index) => hand(`w${index}`)))
  const script = { worker: [{ text: "done" }] }
  const runtime = { planners: { pipeline: planner(many) } }
  const limited = world({ agents: [planned, worker], script, runtime })
  const calls5 = await limited.runtime.run("planned", "go", { limits: { maxToolCalls: 3 } }).done
  expect([calls5.outcome, calls5.output]).toEqual([{ type: "limit", limit: "tool-calls" }, "done"])
  const nothing = world({
    agents: [planned],
    script,
    runtime: { planners: { pipeline: planner(() => calls()) } },
  })
  expect((await nothing.runtime.run("planned", "go").done).outcome).toEqual({
    type: "failed",
    reason: expect.stringContaining("planner"),
  })
})

test("without a planner no agent of its kind starts, and no history can be continued by one", async () => {
  const without = world({ agents: [planned], script: {} })
  await expect(without.runtime.run("planned", "go").done).rejects.toThrow(/no planner.*pipeline/)
  const { runtime } = world({
    agents: [planned],
    script: {},
    runtime: { planners: { pipeline: planner(() => end("done")) } },
  })
  const { run } = await runtime.run("planned", "go").done
  await expect(runtime.run("planned", "more", { continues: run }).done).rejects.toThrow(
    `Agent "planned" cannot continue run ${run}: `,
  )
})

test("a planner may refuse a task before the run exists", async () => {
  const { runtime, store } = world({
    agents: [planned],
    script: {},
    runtime: {
      planners: {
        pipeline: {
          plan: () => end("never"),
          begin: (_, task) => {
            throw new Error(`no: ${task}`)
          },
        },
      },
    },
  })
  await expect(runtime.run("planned", "go").done).rejects.toThrow("no: go")
  for await (const head of store.list()) throw new Error(`there is a run ${head.run}`)
})
