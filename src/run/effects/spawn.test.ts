import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { results, stateOf, world } from "../../../test/kit.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { type Delegation, defineTool, type Tool } from "../../agent/tool.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import type { Fact, HookSpawn } from "../log/event.ts"
import { createRunId } from "../log/id.ts"
import type { StoredEvent } from "../log/store.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"
import { resumeChildren, spawn, spawnAt } from "./spawn.ts"

const root = createRunId(1)

/** A drive without agents, with all that it records, posts and dispatches; `R` is its run. */
async function driven(state: RunState, runs: readonly string[] = []) {
  const store = memoryStore()
  const first = (run: string) =>
    store.create({ ...runStart, run, seq: 0, at: 1, v: 1 } as unknown as StoredEvent)
  await first(root)
  await store.claim(root)
  for (const run of runs) await first(run)
  const told: unknown[] = []
  const drive = {
    state: { ...state, run: root },
    stopped: false,
    numberChild: () => 7,
    definition: { agent: defineAgent({ name: "lead", instructions: "l" }) },
    environment: {
      store,
      tools: new Map(),
      agents: { get: (name: string) => unknown(name), find: () => undefined, names: () => [] },
    },
    recorder: { record: async (fact: unknown) => void told.push(fact) },
    tree: {
      post: (run: string, key: string, body: object) => told.push({ to: run, key, ...body }),
      dispatch: (run: string) => told.push(`goes on: ${run}`),
    },
  } as unknown as Drive
  return { drive, told: () => JSON.parse(JSON.stringify(told).replaceAll(root, "R")) as readonly unknown[] }
}

function unknown(name: string): never {
  throw new Error(`There is no agent named "${name}".`)
}

const gone = 'There is no agent named "b".'

describe("what a hook hands to an agent that cannot start", () => {
  const spawned = (mode: HookSpawn["mode"], agent = "b"): HookSpawn => ({ hook: "h", agent, task: "t", mode })
  const call = (mode: HookSpawn["mode"]): OpenCall => ({
    ...asked(1),
    status: "hooked",
    spawns: [spawned(mode), spawned("before", "c")],
  })
  const state = folded(runStart)
  const notRun = {
    type: "tool-end",
    call: "c1",
    result: {
      status: "error",
      text: naming("work", "hands", "b", `could not start. ${gone}`),
    },
  }
  test.each<[HookSpawn["mode"], object]>([
    ["replace", notRun],
    ["before", notRun],
    [
      "background",
      {
        type: "hook-end",
        call: "c1",
        verdict: { type: "pass" },
        spawns: [spawned("before", "c")],
        problems: [`h: ${gone}`],
        warnings: [`h: b could not start: ${gone}`],
      },
    ],
  ])("%s: keeps the call from running, unless it was to be done beside it", async (mode, expected) => {
    const { drive, told } = await driven(state)
    await spawn(drive, call(mode))
    expect(told()).toEqual([expected])
  })

  const at = (mode: "before" | "background", refused?: string) => ({
    type: "spawn-at" as const,
    open: {
      id: "run_start",
      moment: "run_start" as const,
      spawns: [spawned(mode), spawned("before", "c")],
      waits: false,
    },
    spawn: spawned(mode),
    ...(refused !== undefined && { refused }),
  })
  const problems = (why: string) => [`h: b could not start: ${why}`]
  const ended = (why: string) => ({
    type: "moment-end",
    moment: "run_start",
    id: "run_start",
    spawns: [spawned("before", "c")],
    problems: problems(why),
    warnings: problems(why),
  })
  test("at a moment: blocks where it was to come first, and is told elsewhere", async () => {
    const { drive, told } = await driven(state)
    await spawnAt(drive, at("background"))
    await spawnAt(drive, at("before"))
    await spawnAt(drive, at("before", "it is denied"))
    expect(told()).toEqual([
      ended(gone),
      { ...ended(gone), block: { hook: "h", reason: expect.stringContaining(gone) } },
      { ...ended("it is denied."), block: { hook: "h", reason: expect.stringContaining("it is denied.") } },
    ])
  })
})

test("a call whose tool is gone is told so", async () => {
  const { drive, told } = await driven(folded(runStart))
  await spawn(drive, { ...asked(1, { kind: "delegation", tool: "Agent" }), status: "asked" })
  expect(told()).toEqual([
    { type: "tool-end", call: "c1", result: { status: "error", text: expect.stringContaining("Agent") } },
  ])
})

describe("children after a restart", () => {
  const child = (number: number, more: object = {}): Fact => ({
    type: "child-start",
    call: `c${number}`,
    child: `${root}.${number}`,
    agent: "b",
    mode: "wait",
    ...more,
  })
  const delegations = turn(
    1,
    [1, 2, 3].map((number) => asked(number, { kind: "delegation", tool: "Agent" })),
  )
  const problem = (number: number, type: string, reason: unknown) => ({
    to: "R",
    key: `R.${number}:end`,
    type: "child-end",
    child: `R.${number}`,
    outcome: { type, reason },
    output: "",
    usage: {},
  })
  const failed: Fact = {
    type: "child-end",
    child: `${root}.1`,
    key: "k",
    outcome: { type: "failed", reason: "x" },
    output: "",
    usage: {},
  }
  test("go on where they are in the log", async () => {
    const { drive, told } = await driven(folded(runStart, ...delegations, child(1)), [`${root}.1`])
    await resumeChildren(drive)
    expect(told()).toEqual(["goes on: R.1"])
  })
  test("that were never made, and cannot be any more, are denied; a fallback failed, so that its chain goes on", async () => {
    const state = folded(
      runStart,
      ...delegations,
      child(1, { fallback: ["b"] }),
      child(2, { hook: { hook: "h", agent: "b", task: "t", mode: "before" } }),
      failed,
      child(3, { fallbackOf: `${root}.1` }),
    )
    const { drive, told } = await driven(state)
    // The earlier agents of the task are read from its log.
    await drive.environment.store.create({
      ...runStart,
      run: `${root}.1`,
      seq: 0,
      at: 1,
      v: 1,
    } as unknown as StoredEvent)
    await resumeChildren(drive)
    expect(told()).toEqual([problem(2, "denied", gone), problem(3, "failed", gone)])
  })
  test("whose tool is gone are denied", async () => {
    const { drive, told } = await driven(folded(runStart, ...delegations, child(1)))
    await resumeChildren(drive)
    expect(told()).toEqual([problem(1, "denied", expect.stringContaining("Agent"))])
  })
  test("that failed wait for whoever is next, and those of no call go on", async () => {
    const state = folded(runStart, ...delegations, child(1, { fallback: ["c"] }), failed, child(9))
    const { drive, told } = await driven(state)
    await resumeChildren(drive)
    expect(told()).toEqual(["goes on: R.9"])
  })
  test("whose part of the log is lost may have worked, and are not made again", async () => {
    const state = folded(runStart, ...delegations, child(1), child(2, { child: `${root}.9.2` }), {
      type: "event-lost",
      reason: "x",
      rest: true,
    })
    const { drive, told } = await driven(state)
    await resumeChildren(drive)
    expect(told()).toEqual([
      problem(1, "uncertain", expect.stringContaining("lost")),
      { ...problem(2, "uncertain", expect.stringContaining("lost")), key: "R.9.2:end", child: "R.9.2" },
    ])
  })
})

describe("a delegation", () => {
  const hand = (wanted: () => unknown): Tool =>
    defineTool<object>({
      name: "hand",
      description: "hands",
      input: { type: "object" },
      delegate: wanted as () => Delegation,
    })
  const agents: readonly AgentInput[] = [
    { name: "lead", instructions: "l" },
    { name: "b", instructions: "b" },
    { name: "slow", instructions: "s", background: true },
    {
      name: "set",
      instructions: "v",
      callVariables: ["free"],
      variables: { free: 1, fixed: 2 },
    } as AgentInput,
  ]
  const done = [{ text: "report" }]
  async function handed(wanted: () => unknown, options: object = {}, times = 1) {
    const { runtime, store } = world({
      agents,
      tools: [hand(wanted)],
      script: {
        lead: [
          { calls: Array.from({ length: times }, () => ({ tool: "hand" })) },
          ...Array.from({ length: 3 }, () => ({ text: "done" })),
        ],
        b: done,
        slow: done,
        set: done,
      },
    })
    const handle = runtime.run("lead", "go", options)
    await handle.done
    const texts = await results(store, handle.id)
    const children = (await stateOf(store, handle.id)).lastChild
    return { text: texts[times - 1]!.replaceAll(handle.id, "R"), children }
  }
  test.each<[string, () => unknown, RegExp, number]>([
    ["is handed on", () => ({ agent: "b", task: "t" }), /^report$/, 1],
    [
      "in the background",
      () => ({ agent: "b", task: "t", mode: "background" }),
      /Started.*background.*R\.1/,
      1,
    ],
    [
      "always in the background, where its agent says so",
      () => ({ agent: "slow", task: "t" }),
      /^Started in the background/,
      1,
    ],
    ["without a task", () => ({ agent: "b", task: " " }), /hand.*named.*started/, 0],
    ["that is none", () => undefined, /named.*task/, 0],
    ["that throws", () => raise("not today"), /not today/, 0],
    ["to nobody", () => ({ agent: "nobody", task: "t" }), /There is no agent named "nobody"/, 0],
    [
      "that continues nothing of its own",
      () => ({ continues: ".9", task: "t" }),
      /^You have no run "\.9" to continue\./,
      0,
    ],
    [
      "with a variable that no call may set",
      () => ({ agent: "set", task: "t", variables: { fixed: 3 } }),
      /fixed/,
      0,
    ],
    ["with one that it may", () => ({ agent: "set", task: "t", variables: { free: 3 } }), /^report$/, 1],
    ["to a model that may not be asked", () => ({ agent: "b", task: "t", model: 5 }), /Cannot spawn 'b'/, 0],
  ])("%s", async (_, wanted, text, children) => {
    const found = await handed(wanted)
    expect({ text: found.text, children: found.children }).toEqual({
      text: expect.stringMatching(text),
      children,
    })
  })
  test("beyond the limit of runs is refused, and the model told to do without", async () => {
    const { text } = await handed(() => ({ agent: "b", task: "t" }), { limits: { maxSpawns: 1 } }, 2)
    expect(text).toMatch(/'b'.*Finish/)
  })
  test("too deep is refused", async () => {
    const deep = { limits: { maxDepth: 1 }, depth: 1 }
    expect((await handed(() => ({ agent: "b", task: "t" }), deep)).text).toMatch(
      /^Maximum subagent nesting depth \(1\) reached/,
    )
  })
})

function raise(text: string): never {
  throw new Error(text)
}
