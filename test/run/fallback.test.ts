import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { RunOutcome } from "../../src/run/log/event-outcome.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { agent, fails } from "./fallback-kit.ts"

const hand = (name: string, more: object = {}) => ({
  tool: "Agent",
  input: { agent: name, prompt: "the task", ...more },
})
const leads = (more: object = {}) => [{ calls: [hand("a", more)] }, { text: "done" }, { text: "done" }]

/** Which agent each run of a tree was of, by its short id, with its outcome. */
async function family(store: Store, root: string): Promise<readonly string[]> {
  const runs: string[] = []
  for await (const { run } of store.list({ root })) {
    const { start, end } = await stateOf(store, run)
    if (run !== root) runs.push(`${run.slice(root.length)} ${start!.agent} ${end?.outcome.type ?? "open"}`)
  }
  return runs
}

/** What the lead was told, as tool results and messages after the first. */
async function told(store: Store, root: string): Promise<readonly string[]> {
  return [...(await stateOf(store, root)).messages]
    .slice(1)
    .flatMap((message) => (message.role === "assistant" ? [] : [message.text.replaceAll(root, "ROOT")]))
}

test("the next agent of the chain gets the task that one failed at, as another child of the same call", async () => {
  const { runtime, store } = world({
    agents: [agent("lead"), agent("a", ["b", "c"]), agent("b"), agent("c")],
    script: { lead: leads(), a: fails, b: fails, c: [{ match: "the task", text: "I did it." }] },
  })
  const { id, done } = runtime.run("lead", "go")
  expect((await done).outcome).toEqual({ type: "completed" })
  expect(await family(store, id)).toEqual([".1 a failed", ".2 b failed", ".3 c completed"])
  expect(await told(store, id)).toEqual([
    'Agents tried before: a (run ROOT.1): failed: 500; b (run ROOT.2): failed: 500.\n<report agent="c" run="ROOT.3" outcome="completed">\nI did it.\n</report>',
  ])
  const starts = await Promise.all([1, 2, 3].map(async (n) => (await stateOf(store, `${id}.${n}`)).start!))
  expect(starts.map(({ caller, task, fallbackOf }) => ({ caller, task, fallbackOf }))).toEqual(
    [undefined, `${id}.1`, `${id}.2`].map((fallbackOf) => ({
      caller: { run: id, call: "c1" },
      task: "the task",
      fallbackOf,
    })),
  )
  await expectSound(store, id)
})

test("in the background the report of the last one comes, and only that", async () => {
  const { runtime, store } = world({
    agents: [agent("lead"), agent("a", ["b"]), agent("b")],
    script: { lead: leads({ background: true }), a: fails, b: [{ text: "I did it." }] },
  })
  const { id, done } = runtime.run("lead", "go")
  await done
  expect(await told(store, id)).toEqual([
    expect.stringMatching(/background.*ROOT\.1.*report/),
    'A background subagent has ended.\nAgents tried before: a (run ROOT.1): failed: 500.\n<report agent="b" run="ROOT.2" outcome="completed">\nI did it.\n</report>',
  ])
  await expectSound(store, id)
})

test("where all of them fail the call tells of each, and of those that could not begin", async () => {
  const { runtime, store } = world({
    agents: [agent("lead"), agent("a", ["nobody", "lead", "b"]), agent("b", ["gone"])],
    script: { lead: leads(), a: fails, b: [{ text: "" }, { text: "" }] },
  })
  const { id, done } = runtime.run("lead", "go")
  await done
  const [text] = await told(store, id)
  expect(text).toMatch(
    /^The subagent did not complete: it ended without any output\.\nAgents tried before: a /,
  )
  expect(text).toMatch(/nobody could not begin: There is no agent named "nobody"/)
  expect(text).toMatch(/lead could not begin: Agent "lead" may not call "lead"/)
  expect(text).toMatch(/gone could not begin: There is no agent named "gone"/)
  expect(await family(store, id)).toEqual([".1 a failed", ".2 b no-output"])
  expect((await stateOf(store, id)).children.length).toBe(0)
})

describe("outcomes", () => {
  const cases: readonly [RunOutcome["type"], ModelScript[string], Partial<AgentInput>, "next" | "stays"][] = [
    ["completed", [{ text: "fine" }], {}, "stays"],
    ["failed", fails, {}, "next"],
    ["no-output", [{ text: "" }, { text: "" }], {}, "next"],
    ["timed-out", [{ text: "late", delayMs: 60_000 }], { limits: { timeout: 30 } }, "next"],
    ["loop", Array.from({ length: 20 }, () => ({ calls: [{ tool: "look" }] })), {}, "next"],
    [
      "limit",
      Array.from({ length: 3 }, () => ({ text: "x", calls: [{ tool: "look" }] })),
      { limits: { maxTurns: 2 } },
      "stays",
    ],
    ["denied", [{ calls: [{ tool: "act" }] }, { text: "no" }], {}, "stays"],
  ]
  test.each(cases)("%s: %j", async (type, script, more, what) => {
    const { runtime, store } = world({
      agents: [agent("lead"), agent("a", ["b"], more), agent("b")],
      script: { lead: leads(), a: script, b: [{ text: "I did it." }] },
      tools: [tool("look"), tool("act")],
      runtime: { rules: [{ tool: "act", decision: "deny" }] },
    })
    const { id, done } = runtime.run("lead", "go")
    await done
    expect(await family(store, id)).toEqual([`.1 a ${type}`, ...(what === "next" ? [".2 b completed"] : [])])
  })

  test("a child that is cancelled is not replaced", async () => {
    const { runtime, store } = world({
      agents: [agent("lead"), agent("a", ["b"]), agent("b")],
      script: { lead: leads(), a: [{ text: "x", delayMs: 60_000 }], b: [{ text: "I did it." }] },
    })
    const handle = runtime.run("lead", "go")
    for await (const event of handle)
      if (event.type === "model-start" && event.run !== handle.id) await runtime.cancel(event.run)
    expect(await family(store, handle.id)).toEqual([".1 a cancelled"])
  })
})

test("a fallback of a fallback comes before what is left of the first one's, and nobody is tried twice", async () => {
  const { runtime, store } = world({
    agents: [
      agent("lead"),
      agent("a", ["b", "d"]),
      agent("b", ["a", "c", "b2"], { aliases: ["bee"] }),
      agent("c", ["a", "b"]),
      agent("d"),
    ],
    script: { lead: leads(), a: fails, b: fails, c: fails, d: [{ text: "I did it." }] },
  })
  const { id, done } = runtime.run("lead", "go")
  await done
  expect(await family(store, id)).toEqual([".1 a failed", ".2 b failed", ".3 c failed", ".4 d completed"])
})

test("the caller must be allowed to call it without asking, hooks may block it, and spawns are counted", async () => {
  const agents = [agent("lead"), agent("a", ["b", "c"]), agent("b"), agent("c")]
  const script = { lead: leads(), a: fails, b: [{ text: "b did it." }], c: [{ text: "c did it." }] }
  const runsWith = async (given: Parameters<typeof world>[0]["runtime"], limits = {}) => {
    const { runtime, store } = world({ agents, script, runtime: given! })
    const { id, done } = runtime.run("lead", "go", { limits })
    await done
    return { family: await family(store, id), told: (await told(store, id))[0]! }
  }
  for (const decision of ["deny", "ask"] as const) {
    const { family, told } = await runsWith({ rules: [{ tool: "Agent(b)", decision }] })
    expect(family).toEqual([".1 a failed", ".2 c completed"])
    expect(told).toMatch(
      decision === "deny"
        ? 'b could not begin: Agent "lead" may not call "b"'
        : /b could not begin.*"lead".*call.*approval/,
    )
  }
  const hooked = await runsWith({
    hooks: [
      {
        name: "guard",
        judge: async ({ input }) =>
          input.agent === "b" ? { type: "block", reason: "not b" } : { type: "pass" },
      },
    ],
  })
  expect(hooked.family).toEqual([".1 a failed", ".2 c completed"])
  expect(hooked.told).toMatch("b could not begin: not b")
  const limited = await runsWith({}, { maxSpawns: 2 })
  expect(limited.family).toEqual([".1 a failed", ".2 b completed"])
  const short = await runsWith({}, { maxSpawns: 1 })
  expect(short.family).toEqual([".1 a failed"])
  expect(short.told).toMatch(/b could not begin.*tree.*reached/)
})

test("what a hook spawns beside a fallback is spawned; who would have to come first, nobody waits for", async () => {
  const hooked = async (mode: string) => {
    const { runtime, store } = world({
      agents: [agent("lead"), agent("a", ["b", "c"]), agent("b"), agent("c"), agent("d")],
      script: {
        lead: leads(),
        a: fails,
        b: [{ text: "b did it." }],
        c: [{ text: "c did it." }],
        d: [{ text: "d looked." }],
      },
      runtime: {
        lifecycle: createHookSource([
          {
            name: "project",
            of: "project",
            hooks: {
              before_spawn: { when: 'subagent == "b"', spawn_agent: { agent: "d", prompt: "look", mode } },
            },
          },
        ]),
      },
    })
    const { id, done } = runtime.run("lead", "go")
    await done
    await expectSound(store, id)
    return { family: (await family(store, id)).toSorted(), told: (await told(store, id)).join("\n") }
  }
  const beside = await hooked("background")
  expect(beside.family.map((line) => line.slice(3))).toEqual(
    ["a failed", "b completed", "d completed"].map((x) => x),
  )
  expect(beside.told).toMatch(/b did it\.[\s\S]*d looked\./)
  for (const mode of ["replace", "before"]) {
    const { family, told } = await hooked(mode)
    expect(family).toEqual([".1 a failed", ".2 c completed"])
    expect(told).toMatch("b could not begin: a hook wants d to run first")
  }
})

test("a call that waits for a child waits for the one that has its task now", async () => {
  const { agentControlTools } = await import("../../src/world/tools/subagents.ts")
  const { runtime, store } = world({
    agents: [agent("lead"), agent("a", ["b"]), agent("b")],
    tools: agentControlTools().filter(({ name }) => name !== "Agent"),
    script: {
      lead: [
        { calls: [hand("a", { background: true })] },
        { calls: [{ tool: "AgentWait", input: {} }] },
        { text: "done" },
        { text: "done" },
      ],
      a: [{ error: { message: "500" }, delayMs: 20 }],
      b: [{ text: "I did it.", delayMs: 40 }],
    },
  })
  const { id, done } = runtime.run("lead", "go")
  await done
  const [, waited, report] = await told(store, id)
  expect(waited).toMatch(/^- ROOT\.1 \(a\).*ended.*report/)
  expect(report).toMatch("I did it.")
})

test("stopping the caller while an agent is replaced leaves nothing behind", async () => {
  const { runtime, store } = world({
    agents: [agent("lead"), agent("a", ["b"]), agent("b")],
    script: { lead: leads({ background: true }), a: fails, b: [{ text: "x", delayMs: 60_000 }] },
  })
  const handle = runtime.run("lead", "go")
  for await (const event of handle) if (event.type === "child-end") await handle.cancel()
  expect((await handle.done).outcome?.type).toBe("cancelled")
  const { children } = await stateOf(store, handle.id)
  expect([...children]).toEqual([])
  expect((await family(store, handle.id)).filter((line) => line.endsWith("open"))).toEqual([])
})

describe("wherever the process dies, nobody is tried twice and nobody is passed over", () => {
  for (const mode of ["waiting", "background"] as const)
    for (const plan of ["dieAfter", "dieDuring"] as const)
      test(`${mode}, ${plan}`, async () => {
        const parts = {
          agents: [agent("lead"), agent("a", ["b", "c"]), agent("b"), agent("c")],
          script: {
            lead: leads(mode === "background" ? { background: true } : {}),
            a: fails,
            b: fails,
            c: [{ text: "I did it." }],
          },
        }
        let died = 0
        for (let count = 1; ; count++) {
          const store = memoryStore()
          const dying = world({ ...parts, store: faultyStore(store, { [plan]: count }) })
          const { id, done } = dying.runtime.run("lead", "go")
          const ended = await done.then(
            () => true,
            () => false,
          )
          if (ended) break
          died++
          const result = await world({ ...parts, store }).runtime.resume(id, { force: true }).done
          expect({ count, outcome: result.outcome }).toEqual({ count, outcome: { type: "completed" } })
          expect({ count, family: (await family(store, id)).map((line) => line.slice(3)) }).toEqual({
            count,
            family: ["a failed", "b failed", "c completed"],
          })
          const texts = await told(store, id)
          expect({ count, reports: texts.filter((text) => text.includes("I did it.")).length }).toEqual({
            count,
            reports: 1,
          })
          await expectSound(store, id)
        }
        expect(died).toBeGreaterThan(15)
      })
})
