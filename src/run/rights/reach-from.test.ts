import { expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Hook } from "../ports/hook.ts"
import { findReach, listHookAndStepAgents, readEffectiveHooks } from "./reach-from.ts"

const agent = (name: string, more: object = {}) =>
  defineAgent({ name, instructions: name, tools: [], ...more } as AgentInput)
const hook = (name: string, ...spawns: readonly string[]): Hook => ({ name, spawns })

/** An environment in which each agent has the hooks of its workflow, once that is written out. */
function environment(agents: readonly Agent[], more: object = {}) {
  return {
    agents: { all: () => agents },
    tools: new Map(),
    rights: { of: "x", rules: [], otherwise: "allow" },
    hooks: new Map([["code", hook("code")]]),
    lifecycle: {
      hooksOf: ({ name, workflow }: Agent) =>
        typeof workflow === "object" ? [hook(`${name} steps`, "started")] : [hook(`${name} hooks`)],
      writtenOut: async (one: Agent) => {
        if (one.workflow === "gone") throw new Error("There is no such workflow.")
        return { ...one, workflow: { steps: [] } }
      },
    },
    ...more,
  } as never
}

const [named, lost, plain] = [
  agent("named", { workflow: "steps" }),
  agent("lost", { workflow: "gone" }),
  agent("plain"),
]
const started = agent("started", { tools: ["Read"] })

const namesOf = async (agents: readonly Agent[], more?: object) =>
  [...(await readEffectiveHooks(environment(agents, more), agents))].map(([{ name }, hooks]) => [
    name,
    ...hooks.map((one) => one.name),
  ])

test("each agent has the hooks in code, its own, and those of a workflow that it names", async () => {
  expect(await namesOf([named, lost, plain])).toEqual([
    ["named", "code", "named steps"],
    ["lost", "code", "lost hooks"],
    ["plain", "code", "plain hooks"],
  ])
})

test("a workflow in the definition needs no look-up", async () => {
  const written = agent("written", { workflow: { steps: [] } })
  const lifecycle = {
    hooksOf: () => [],
    writtenOut: () => expect.unreachable(),
  }
  expect(await namesOf([written, plain], { lifecycle })).toEqual([
    ["written", "code"],
    ["plain", "code"],
  ])
})

test.each<[string, object]>([
  ["without hooks in files", { lifecycle: undefined }],
  ["without workflows in files", { lifecycle: { hooksOf: () => [] } }],
])("%s, the hooks in code are left", async (_, more) => {
  expect(await namesOf([named], more)).toEqual([["named", "code"]])
})

test("the reach includes agents that the steps of a workflow start, for every agent", async () => {
  const reachOf = async (one: Agent, all: readonly Agent[]) =>
    (await findReach(environment(all), one)).map(({ name }) => name)
  const caller = agent("caller", { tools: ["Agent(named)"] })
  expect([
    await reachOf(named, [named, started]),
    await reachOf(named, [started]),
    await reachOf(plain, [plain, named, started]),
    await reachOf(caller, [caller, named, started, plain]),
  ]).toEqual([["started"], ["started"], [], ["named", "started"]])
})

test("the rules of the configuration bind the reach", async () => {
  const caller = agent("caller", { tools: ["Agent"] })
  const rights = { of: "x", rules: [{ tool: "Agent(plain)", decision: "deny" }], otherwise: "allow" }
  const found = await findReach(environment([caller, plain, started], { rights }), caller)
  expect(found.map(({ name }) => name)).toEqual(["started"])
})

test("hooks and the steps of a pipeline start agents", () => {
  const pipeline = agent("p", { pipeline: { steps: [{ id: "one", agent: "a", task: "t" }] } })
  const hooks = [hook("x", "b", "c"), { name: "y" }, hook("z", "d")]
  expect([
    listHookAndStepAgents(plain),
    listHookAndStepAgents(plain, hooks),
    listHookAndStepAgents(pipeline, [hook("x", "b")]),
  ]).toEqual([[], ["b", "c", "d"], ["b", "a"]])
})
