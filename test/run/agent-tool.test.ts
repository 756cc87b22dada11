import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { defineAgent } from "../../src/agent/agent.ts"
import type { OfferedTool } from "../../src/agent/model.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { type AgentToolName, agentTool } from "../../src/world/tools/agent.ts"
import { results, stateOf, tool, world } from "../kit.ts"
import { scripted } from "../named-models.ts"
import { naming } from "../naming.ts"

const agent = (name: string, more: Partial<AgentInput> = {}): AgentInput => ({
  name,
  description: `Does ${name} things.`,
  instructions: name,
  ...more,
})

/** What a run of `lead` is offered, by the name of the tool. */
async function offeredTo(agents: readonly AgentInput[], lead = "lead"): Promise<readonly OfferedTool[]> {
  let offered: readonly OfferedTool[] = []
  const { runtime } = world({
    script: Object.fromEntries(agents.map(({ name }) => [name, [{ text: "done" }]])),
    agents,
    runtime: {
      layers: {
        model: [
          (request, next) => {
            offered = request.tools
            return next(request)
          },
        ],
      },
    },
  })
  await runtime.run(lead, "go").done
  return offered
}

const agentsListed = (offered: readonly OfferedTool[]): readonly string[] =>
  offered
    .find(({ name }) => name === "Agent")!
    .description.split("Agents:\n")[1]!
    .split("\n")

describe("1.24: the description lists whom this caller may call", () => {
  test.each<[string, readonly AgentInput[], readonly string[]]>([
    [
      "everybody but itself, by name",
      [agent("zeta"), agent("lead"), agent("alpha")],
      ["- alpha: Does alpha things.", "- zeta: Does zeta things."],
    ],
    [
      "itself where the definition says so",
      [agent("lead", { recursive: true })],
      ["- lead: Does lead things."],
    ],
    [
      "itself where its list names it",
      [agent("lead", { tools: ["Agent(lead, b)"] }), agent("b"), agent("c")],
      ["- b: Does b things.", "- lead: Does lead things."],
    ],
    [
      "those its list names",
      [agent("lead", { tools: "Agent(b, d*)" }), agent("b"), agent("c"), agent("deep")],
      ["- b: Does b things.", "- deep: Does deep things."],
    ],
    [
      "without those a rule denies",
      [agent("lead", { rules: [{ tool: "Agent(b)", decision: "deny" }] }), agent("b"), agent("c")],
      ["- c: Does c things."],
    ],
    [
      "without those its list of denied tools names",
      [agent("lead", { disallowedTools: ["Agent(b)"] }), agent("b"), agent("c")],
      ["- c: Does c things."],
    ],
    [
      "with those a person is asked about",
      [agent("lead", { rules: [{ tool: "Agent(b)", decision: "ask" }] }), agent("b")],
      ["- b: Does b things."],
    ],
    [
      "without hidden ones",
      [agent("lead"), agent("b", { hidden: true }), agent("c")],
      ["- c: Does c things."],
    ],
    [
      "an agent without a description",
      [agent("lead"), { name: "b", instructions: "b" }],
      ["- b: (no description)"],
    ],
    [
      "which of them report later, unless the caller takes them on",
      [agent("lead"), agent("b", { background: true }), agent("c", { background: true, mode: "self" })],
      [
        expect.stringMatching(/^- b: Does b things.*background.*report/),
        expect.stringMatching(/^- c: Does c things.*yourself/),
      ],
    ],
  ])("%s", async (_, agents, listed) => {
    expect(agentsListed(await offeredTo(agents))).toEqual(listed)
  })

  test("three hundred of them still fit into a prompt, and long descriptions are cut before names are", async () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      agent(`a${String(n).padStart(3, "0")}`, { description: "word ".repeat(400) }),
    )
    const lines = agentsListed(await offeredTo([agent("lead"), ...many]))
    expect(lines.length).toBeGreaterThan(250)
    expect(lines.join("\n").length).toBeLessThan(21_000)
    const long = agentsListed(
      await offeredTo([agent("lead"), agent("b", { description: "😀".repeat(2_000) })]),
    )
    expect([long[0]!.length < 1_100, long[0]!.isWellFormed()]).toEqual([true, true])
  })

  test.each<[string, readonly AgentInput[]]>([
    ["alone", [agent("lead")]],
    ["all denied", [agent("lead", { rules: [{ tool: "Agent(*)", decision: "deny" }] }), agent("b")]],
    ["an empty list", [agent("lead", { tools: [] }), agent("b")]],
  ])("with nobody to call (%s) the tool is not offered", async (_, agents) => {
    expect((await offeredTo(agents)).map(({ name }) => name)).toEqual([])
  })
})

describe("R5, 1.5, 1.24: a call that may not be is told why, and the run goes on", () => {
  const denied = (by: string) => naming("permitted", "Agent (b)", `${by}`)
  test.each<[string, readonly AgentInput[], object, string]>([
    [
      "itself",
      [agent("lead"), agent("b")],
      { agent: "lead", prompt: "x" },
      expect.stringMatching(/^Agent "lead" may not call "lead".*allow.*recursive.*It may call: b.?$/),
    ],
    [
      "one its list does not name",
      [agent("lead", { tools: ["Agent(c)"] }), agent("b"), agent("c")],
      { agent: "b", prompt: "x" },
      denied('the tools of agent "lead"'),
    ],
    [
      "one a rule denies",
      [agent("lead", { rules: [{ tool: "Agent(b)", decision: "deny" }] }), agent("b"), agent("c")],
      { agent: "b", prompt: "x" },
      denied('agent "lead"'),
    ],
    [
      "a name nobody knows",
      [agent("lead"), agent("reviewer"), agent("tester")],
      { agent: "reviewr", prompt: "x" },
      'There is no agent named "reviewr". Did you mean "reviewer"? Known: lead, reviewer, tester.',
    ],
    [
      "a name nobody knows, also where the list names others",
      [agent("lead", { tools: ["Agent(reviewer)"] }), agent("reviewer")],
      { agent: "reviewr", prompt: "x" },
      'There is no agent named "reviewr". Did you mean "reviewer"? Known: lead, reviewer.',
    ],
    [
      "nobody named, and no general worker",
      [agent("lead"), agent("b")],
      { prompt: "x" },
      expect.stringMatching(/agent.*b.?$/),
    ],
    [
      "nobody named, and the general worker denied",
      [agent("lead", { rules: [{ tool: "Agent(worker)", decision: "deny" }] }), agent("worker"), agent("b")],
      { prompt: "x" },
      expect.stringMatching(/agent.*b.?$/),
    ],
    [
      "a run that is not below it",
      [agent("lead"), agent("b")],
      { agent: "b", prompt: "x", continues: "00000000000000000000000000.7" },
      'You have no run "00000000000000000000000000.7" to continue. None are known.',
    ],
  ])("%s", async (_, agents, input, text) => {
    const { runtime, store } = world({
      script: {
        ...Object.fromEntries(agents.map(({ name }) => [name, [{ text: "never" }]])),
        lead: [{ calls: [{ tool: "Agent", input: input as never }] }, { text: "went on" }],
      },
      agents,
    })
    const handle = runtime.run("lead", "go")
    expect((await handle.done).output).toBe("went on")
    expect(await results(store, handle.id)).toEqual([text])
  })
})

describe("every host's name takes its own arguments, and every other's", () => {
  const spellings: readonly (readonly [AgentToolName, Record<string, string>])[] = [
    ["Agent", { subagent_type: "b", prompt: "x" }],
    ["Agent", { type: "b", prompt: "x" }],
    ["Task", { subagent_type: "b", prompt: "x", description: "A title" }],
    ["Subagent", { type: "b", prompt: "x" }],
    ["spawn_subagent", { subagent: "b", prompt: "x" }],
    ["spawn_subagent", { agent_type: "b", prompt: "x" }],
    ["start_agent", { agent: "b", prompt: "x" }],
    ["start_agent", { agent: "b", prompt: "x", mode: "headless", model: "script" }],
    ["start_agent", { prompt: "x" }],
  ]
  const agents = ["lead", "b", "worker"].map((name) => agent(name))
  const script = (tool: string, input: Record<string, string>) => ({
    lead: [{ calls: [{ tool, input }] }, { text: "done" }],
    b: [{ text: "by b" }],
    worker: [{ text: "by b" }],
  })

  test.each(spellings)("%s %o, called so where it is offered as Agent", async (name, input) => {
    const { runtime, store } = world({ script: script(name, input), agents })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect((await results(store, handle.id))[0]).toContain("by b")
  })

  test.each(spellings)("%s %o, offered so", async (name, input) => {
    const store = memoryStore()
    const runtime = openRuntime({
      store,
      agents: agents.map(defineAgent),
      tools: [agentTool({ name })],
      models: scripted(script(name, input)),
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect((await results(store, handle.id))[0]).toContain("by b")
  })

  test.each([
    [
      "two names of the agent that name two agents",
      { type: "b", subagent_type: "worker", prompt: "x" },
      expect.stringMatching(/\(root\): "type".*"subagent_type".*differ/),
    ],
    ["two names of the agent that name one", { type: "b", subagent_type: "b", prompt: "x" }, "by b"],
    [
      "no time at all",
      { type: "b", prompt: "x", timeout: 0 },
      expect.stringMatching(/timeout: 0 is.*equal.*0.?$/),
    ],
  ])("%s", async (_, input, text) => {
    const { runtime, store } = world({ script: script("Agent", input as never), agents })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect(await results(store, handle.id)).toEqual([text])
  })

  test.each([
    ["terminal", expect.stringMatching(/"terminal".*headless.*self/)],
    ["embedded", expect.stringMatching(/"embedded".*headless.*self/)],
    [
      "headles",
      'Unknown mode "headles": no subagent was started. Did you mean "headless"? Known: background, headless, self.',
    ],
  ])("the mode %s does not work here and is told with those that do", async (mode, said) => {
    const { runtime, store } = world({
      script: script("start_agent", { agent: "b", prompt: "x", mode }),
      agents,
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect(await results(store, handle.id)).toEqual([said])
  })
})

test("work for nobody in particular goes to the general worker", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [{ tool: "Agent", input: { prompt: "x" } }] }, { text: "done" }],
      worker: [{ text: "worked" }],
    },
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  expect((await results(store, handle.id))[0]).toContain("worked")
})

test("a child that Codex defines cannot hand work on, unless its list names the tool", async () => {
  const offered: Record<string, readonly string[]> = {}
  const codex = (name: string, tools?: string): ReturnType<typeof defineAgent> => ({
    ...defineAgent(agent(name, tools === undefined ? {} : { tools })),
    origin: { format: "codex-md" },
  })
  const runtime = openRuntime({
    store: memoryStore(),
    agents: [defineAgent(agent("lead")), codex("plain"), codex("named", "Agent")],
    tools: [agentTool()],
    models: scripted({
      lead: [
        { calls: ["plain", "named"].map((name) => ({ tool: "Agent", input: { agent: name, prompt: "x" } })) },
        { text: "done" },
      ],
      plain: [{ text: "done" }],
      named: [{ text: "done" }],
    }),
    layers: {
      model: [
        (request, next) => {
          offered[request.agent] = request.tools.map(({ name }) => name)
          return next(request)
        },
      ],
    },
  })
  await runtime.run("lead", "go").done
  expect(offered).toEqual({ lead: ["Agent"], plain: [], named: ["Agent"] })
})

test("1.11: a follow-up to an ended child goes on with what that one knew", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "first" } }] },
        { calls: [{ tool: "Agent", input: { prompt: "second", continues: ".1" } }] },
        { text: "done" },
      ],
      b: [
        { match: "second", text: "two" },
        { match: "first", text: "one" },
      ],
    },
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  expect([...(await stateOf(store, `${handle.id}.2`)).messages].map(({ text }) => text)).toEqual([
    "first",
    "one",
    "second",
    "one",
  ])
})

test("the calls of a continued run and its own are not taken for each other", async () => {
  const look = { calls: [{ tool: "look" }] }
  const { runtime, store } = world({
    script: { a: [{ match: "again", ...look }, { match: "once", ...look }, { text: "done" }] },
    tools: [tool("look")],
  })
  const first = runtime.run("a", "once")
  await first.done
  const second = runtime.run("a", "again", { continues: first.id })
  await second.done
  const calls = [...(await stateOf(store, second.id)).messages].flatMap((message) =>
    message.role === "tool" ? [message.call] : [],
  )
  expect(calls).toEqual([`${first.id}:c1`, "c1"])
})

test("to continue a run asks as calling its agent does", async () => {
  const { runtime } = world({
    script: {
      lead: [
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "first" } }] },
        { calls: [{ tool: "Agent", input: { prompt: "second", continues: ".1" } }] },
        { text: "done" },
      ],
      b: [{ text: "one" }],
    },
    agents: [agent("lead", { rules: [{ tool: "Agent(b)", decision: "ask" }] }), agent("b")],
  })
  const handle = runtime.run("lead", "go")
  const asked = [(await handle.done).approvals]
  await runtime.approve(handle.id, "c1", "allow")
  asked.push((await runtime.resume(handle.id).done).approvals)
  expect(asked.map((approvals) => approvals.map(({ call, tool }) => [call, tool]))).toEqual([
    [["c1", "Agent"]],
    [["c2", "Agent"]],
  ])
})
