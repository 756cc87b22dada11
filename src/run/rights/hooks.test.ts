import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Hook } from "../ports/hook.ts"
import { findHookGuard } from "./hook-guard.ts"
import {
  buildHookFields,
  checkHook,
  findAddedMoments,
  isWorkflowHook,
  listAgentHooks,
  listHookNames,
  readHookNames,
  withActivatedWorkflow,
} from "./hooks.ts"
import { judgeSpawn } from "./judge-spawn.ts"

const agent = (name: string, more: object = {}) =>
  defineAgent({ name, instructions: name, ...more } as AgentInput)
const judging = (name: string): Hook => ({ name, judge: async () => ({}) as never })
const after = (name: string): Hook => ({ name, after: async () => ({}) as never })
const at = (name: string, ...moments: readonly string[]): Hook =>
  ({ name, at: Object.fromEntries(moments.map((moment) => [moment, async () => ({})])) }) as never
const code = new Map([["code", judging("code")]])
const a = agent("a")

function environment(written?: (agent: Agent) => unknown, agents: readonly Agent[] = [a]) {
  return {
    agents: { all: () => agents },
    hooks: code,
    ...(written && { lifecycle: { hooksOf: written } }),
  } as never
}

test.each<[string, ((agent: Agent) => unknown) | undefined, readonly string[]]>([
  ["none", undefined, ["code"]],
  ["at once", () => [judging("file")], ["code", "file"]],
  ["later", async () => [judging("file")], ["code", "file"]],
])("the hooks in code come before those in files: %s", async (_, written, names) => {
  expect((await listAgentHooks(environment(written), a)).map(({ name }) => name)).toEqual(names)
})

describe("the first event of a run has", () => {
  const start = (more: Partial<RunStart> = {}) => ({ start: { agent: "top", ...more } }) as never
  const fields = (written: readonly Hook[], more: object = {}, agents?: readonly Agent[]) =>
    buildHookFields(
      { ...(environment(() => written, agents) as object), hooks: new Map() } as never,
      { agent: a, ...more } as never,
    )
  test.each<[string, readonly Hook[], object, object]>([
    ["nothing of a root without hooks", [], {}, {}],
    [
      "the hooks that judge",
      [judging("j"), at("m", "stop"), after("f")],
      {},
      { hooks: ["j", "f"], moments: { stop: ["m"] } },
    ],
    ["nothing of a caller without hooks", [], { parent: start() }, {}],
    [
      "the caller, if the run has hooks",
      [judging("j")],
      { parent: start() },
      { hooks: ["j"], above: ["top"] },
    ],
    ["the caller, if that has hooks", [], { parent: start({ hooks: ["x"] }) }, { above: ["top"] }],
    [
      "the caller, if that has moments",
      [],
      { parent: start({ moments: { stop: ["x"] } }) },
      { above: ["top"] },
    ],
    [
      "all agents above",
      [],
      { parent: start({ hooks: ["x"], above: ["root", "middle"] }) },
      { above: ["root", "middle", "top"] },
    ],
    ["the hook that spawned it", [], { hook: "h" }, { spawnedBy: ["h"] }],
    [
      "the hooks that spawned runs above",
      [],
      { parent: start({ spawnedBy: ["g"] }), hook: "h" },
      { spawnedBy: ["g", "h"] },
    ],
    [
      "the hook above without one of its own",
      [],
      { parent: start({ spawnedBy: ["g"] }) },
      { spawnedBy: ["g"] },
    ],
  ])("%s", async (_, hooks, more, expected) => expect(await fields(hooks, more)).toEqual(expected))

  test.each<[string, object, boolean]>([
    ["hooks", { hooks: { Stop: [] } }, true],
    ["a workflow", { workflow: { steps: [] } }, true],
    ["neither", {}, false],
  ])("the caller, if any agent may bring hooks along: %s", async (_, more, matters) => {
    const agents = [a, agent("b", more)]
    const expected = matters ? { above: ["top"] } : {}
    // The second time, the answer comes from a cache.
    for (const _time of [1, 2]) expect(await fields([], { parent: start() }, agents)).toEqual(expected)
    const without = { ...(environment(undefined, agents) as object), hooks: new Map() } as never
    expect(await buildHookFields(without, { agent: a, parent: start() } as never)).toEqual({})
  })
})

test("a hook names known moments only", () => {
  const good = at("h", "stop", "run_start")
  expect([checkHook(good), checkHook(judging("j")).name]).toEqual([good, "j"])
  expect(() => checkHook(at("h", "stop", "stopp", "starrt"))).toThrow(
    expect.objectContaining({ code: "HOOK_INVALID", message: expect.stringContaining('"stopp"') }),
  )
})

test("hooks that cannot be read leave those in code", async () => {
  const broken = async () => {
    throw new Error("unreadable")
  }
  expect([
    await readHookNames(environment(broken), a),
    await readHookNames(
      environment(async () => [judging("file")]),
      a,
    ),
  ]).toEqual([{ judging: ["code"] }, { judging: ["code", "file"] }])
})

test.each<[string, boolean]>([
  ["workflow:x", true],
  ["my workflow:", false],
])("the hook of a workflow is known by its name: %s", (name, expected) =>
  expect(isWorkflowHook(name)).toBe(expected),
)

test("a run follows the workflow of the last agent that it activated with one", () => {
  const own = agent("own", { workflow: { steps: [{ name: "own" }] } })
  const [first, second] = [{ steps: [{ name: "1" }] }, { steps: [{ name: "2" }] }]
  const activated = [{ workflow: first }, { workflow: second }, {}]
  const combined = withActivatedWorkflow(own, { activated } as never)
  expect(combined).toEqual({ ...own, workflow: second })
  expect(withActivatedWorkflow(own, { activated } as never)).toBe(combined)
  expect([
    withActivatedWorkflow(own, {} as never),
    withActivatedWorkflow(own, { activated: [{}] } as never),
  ]).toEqual([own, own])
})

test.each<[string, readonly Hook[], object]>([
  ["none", [], { judging: [] }],
  ["those that judge or see results", [judging("j"), after("f"), { name: "idle" }], { judging: ["j", "f"] }],
  ["one without moments", [at("m")], { judging: [] }],
  [
    "those at moments, by moment",
    [at("one", "stop"), judging("j"), at("two", "run_start", "stop")],
    { judging: ["j"], moments: { run_start: ["two"], stop: ["one", "two"] } },
  ],
])("hooks are listed by what they do: %s", (_, hooks, expected) =>
  expect(listHookNames(hooks)).toEqual(expected),
)

test.each<[Parameters<typeof findAddedMoments>, object | undefined]>([
  [[], undefined],
  [[{ stop: ["a"] }, { stop: ["a", "b"] }], undefined],
  [[{ stop: ["a"] }], { stop: ["a"] }],
  [
    [
      { stop: ["a", "b"], run_start: ["a"] },
      { stop: ["a"], run_start: ["a"] },
    ],
    { stop: ["b"] },
  ],
])("added moments of %j", (given, expected) => expect(findAddedMoments(...given)).toEqual(expected))

describe("a hook", () => {
  const agents = { find: (name: string) => (name === "alias" ? agent("helper") : undefined) } as never
  const hook = { name: "h", spawns: ["alias", "other"] }
  test.each<[string, object, object | undefined]>([
    ["judges the run of an agent that it does not spawn", { agent: "a" }, undefined],
    ["judges below agents that it does not spawn", { agent: "a", above: ["b"], spawnedBy: ["g"] }, undefined],
    ["does not judge a run that it spawned", { agent: "a", spawnedBy: ["g", "h"] }, { type: "spawned" }],
    ["does not judge an agent that it spawns", { agent: "other" }, { type: "agent", agent: "other" }],
    [
      "does not judge one that it knows by another name",
      { agent: "helper" },
      { type: "agent", agent: "helper" },
    ],
    ["does not judge below one", { agent: "a", above: ["b", "other"] }, { type: "agent", agent: "other" }],
  ])("%s", (_, start, expected) => expect(findHookGuard(agents, hook, start as never)).toEqual(expected))

  test("that spawns no agent judges every run", () => {
    expect(findHookGuard(agents, { name: "x" }, { agent: "other" })).toBe(undefined)
  })
})

test("a spawn is judged by the rules for agents, without the lists of the run itself", () => {
  const rights = [
    { of: "list", own: true, tools: ["Agent"], rules: [], otherwise: "deny" },
    { of: "rules", rules: [{ tool: "Agent(bad)", decision: "deny" }], otherwise: "allow" },
  ]
  const decide = (spawn: object) => judgeSpawn({ rights } as never, spawn as never).decision
  expect([
    decide({ agent: "good" }),
    decide({ agent: "bad" }),
    decide({ agent: "other", aliases: ["bad"] }),
    decide({ agent: "bad", own: { decision: "allow" } }),
  ]).toEqual(["allow", "deny", "deny", "allow"])
})
