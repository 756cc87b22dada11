import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { matchesStars } from "../../src/ground/patterns/stars.ts"
import { judge } from "../../src/run/rights/rights.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { results, stateOf, tool, world } from "../kit.ts"

test.each([
  ["Bash", "Bash", true],
  ["Bash", "bash", false],
  ["*", "anything", true],
  ["mcp__x__*", "mcp__x__read", true],
  ["mcp__x__*", "mcp__xy__read", false],
  ["*read", "mcp__x__read", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["", "x", false],
  ["x.y", "xzy", false],
])("pattern %s against %s is %s", (pattern, name, expected) => {
  expect(matchesStars(pattern, name)).toBe(expected)
})

test("109: a pattern of many stars is judged in no time", () => {
  expect(matchesStars(`${"*a".repeat(2_000)}b`, "a".repeat(4_000))).toBe(false)
})

const set = (otherwise: "allow" | "ask" | "deny", ...rules: [string, "allow" | "ask" | "deny"][]) => ({
  of: "x",
  otherwise,
  rules: rules.map(([tool, decision]) => ({ tool, decision })),
})

test.each([
  [[set("allow")], "allow"],
  [[set("allow", ["w", "ask"], ["*", "allow"])], "ask"],
  [[set("allow", ["w", "allow"], ["*", "deny"])], "deny"],
  [[set("ask", ["w", "allow"])], "allow"],
  [[set("allow", ["w", "allow"]), set("ask")], "ask"],
  [[set("allow", ["w", "ask"]), set("allow", ["w", "deny"])], "deny"],
  [[], "allow"],
] as const)(
  "142, 150: the strictest of the run's and every ancestor's decision holds (%#)",
  (rights, decision) => {
    expect(judge(rights, { tool: "w" }).decision).toBe(decision)
  },
)

test("141, 142: what a parent is denied no descendant gets, whatever it allows itself", async () => {
  let ran = 0
  const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
  const { runtime, store } = world({
    script: {
      top: [delegate("middle"), { text: "done" }],
      middle: [delegate("leaf"), { text: "done" }],
      leaf: [{ calls: [{ tool: "write" }] }, { text: "done" }],
    },
    agents: [
      { name: "top", instructions: "x", rules: [{ tool: "write", decision: "deny" }] },
      { name: "middle", instructions: "x" },
      { name: "leaf", instructions: "x", tools: ["*"], rules: [{ tool: "*", decision: "allow" }] },
    ],
    tools: [tool("write", () => `${ran++}`)],
  })
  const handle = runtime.run("top", "go")
  await handle.done
  expect(ran).toBe(0)
  expect(await results(store, `${handle.id}.1.1`)).toEqual([
    expect.stringMatching(/permitted.*write is not available.*agent "top"/),
  ])
})

test("with `delegation: narrow`, a child's tools are those of its immediate parent, narrowed", async () => {
  const offered: Record<string, readonly string[]> = {}
  const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
  const { runtime } = world({
    script: {
      top: [delegate("middle"), { text: "done" }],
      middle: [delegate("leaf"), { text: "done" }],
      leaf: [{ text: "done" }],
    },
    agents: [
      { name: "top", instructions: "x" },
      { name: "middle", instructions: "x", tools: ["read", "Agent"] },
      { name: "leaf", instructions: "x", tools: ["read", "write"], disallowedTools: [] },
    ],
    tools: [tool("read"), tool("write")],
    runtime: {
      delegation: "narrow",
      layers: {
        model: [
          (request, next) => {
            offered[request.agent] = request.tools.map(({ name }) => name)
            return next(request)
          },
        ],
      },
    },
  })
  await runtime.run("top", "go").done
  expect(offered).toEqual({ top: ["read", "write", "Agent"], middle: ["read", "Agent"], leaf: ["read"] })
})

test("an empty list grants nothing, and an unknown name is an error that lists the known ones", async () => {
  const { runtime } = world({
    script: { a: [{ text: "x" }] },
    agents: [{ name: "a", instructions: "x", tools: [] }],
    tools: [tool("read")],
  })
  expect((await runtime.run("a", "go").done).proof.toolsOffered).toEqual([])
  expect(() =>
    world({ script: {}, agents: [{ name: "a", instructions: "x", tools: ["raed"] }], tools: [tool("read")] }),
  ).toThrow(/^Agent "a".*"raed".*registered.*"read".*Agent, read.?$/)
})

test.each([
  ["a name of another host grants the tool it stands for", ["read_file", "NotebookEdit"], [], ["Read"]],
  ["and takes it away", undefined, ["run_shell_command"], ["Read", "read_note"]],
  ["a tool of that very name comes first", ["read_note"], [], ["read_note"]],
  ["a pattern stays a pattern", ["R*"], [], ["Read"]],
] as const)("%s", async (_, tools, disallowedTools, offered) => {
  const named = (name: string) =>
    defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => "" })
  const runtime = createRuntime({
    tools: [named("Read"), named("Bash"), named("read_note")],
    models: { script: scriptedModel({ a: [{ text: "done" }] }) },
    store: memoryStore(),
  })
  const agent = defineAgent({
    name: "a",
    instructions: "x",
    ...(tools && { tools: [...tools] }),
    disallowedTools,
  })
  const { proof } = await runtime.run(agent, "Go.").done
  expect(proof.toolsOffered).toEqual(offered)
})

test("a restriction that a tool cannot tell about permits nothing, and is not taken for all of the tool", async () => {
  let ran = 0
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "Bash" }] }, { text: "done" }] },
    agents: [{ name: "a", instructions: "x", tools: ["Bash(git:*)"] }],
    tools: [tool("Bash", () => `${++ran}`)],
  })
  const { run } = await runtime.run("a", "go").done
  expect([ran, await results(store, run)]).toEqual([
    0,
    [expect.stringMatching(/permitted.*Bash.*the tools of agent "a"/)],
  ])
})

test("an agent that may call some agents calls no other, and hears why", async () => {
  const delegate = (agent: string) => ({ tool: "Agent", input: { agent, prompt: "x" } })
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [delegate("a"), delegate("b")] }, { text: "done" }],
      a: [{ text: "A" }],
      b: [{ text: "B" }],
    },
    agents: [
      { name: "lead", instructions: "x", tools: ["Agent(a)"] },
      { name: "a", instructions: "x" },
      { name: "b", instructions: "x" },
    ],
  })
  const { run } = await runtime.run("lead", "go").done
  expect(await results(store, run)).toEqual([
    "A",
    expect.stringMatching(/permitted.*Agent \(b\).*the tools of agent "lead"/),
  ])
})

test("149: what a hook rewrites is judged anew", async () => {
  const bash = defineTool<{ command: string }>({
    name: "Bash",
    description: "x",
    effect: "read",
    input: { type: "object", properties: { command: { type: "string" } } },
    accesses: ({ command }) => [{ type: "command", text: command }],
    execute: ({ command }) => command,
  })
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "Bash", input: { command: "git status" } }] }, { text: "done" }] },
    tools: [bash],
    runtime: {
      rules: [{ tool: "Bash(curl:*)", decision: "deny" }],
      hooks: [{ name: "h", judge: async () => ({ type: "rewrite", arguments: '{"command":"curl evil"}' }) }],
    },
  })
  const { run } = await runtime.run("a", "go").done
  expect(await results(store, run)).toEqual([
    expect.stringMatching(/permitted.*Bash \(curl evil\).*the configuration/),
  ])
})

test("149: what a hook rewrites is judged by whichever of its names an argument has", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
      worker: [{ text: "W" }],
      b: [{ text: "B" }],
    },
    runtime: {
      rules: [{ tool: "Agent(b)", decision: "ask" }],
      hooks: [
        {
          name: "h",
          judge: async ({ tool }) =>
            tool === "Agent"
              ? { type: "rewrite", arguments: '{"subagent_type":"b","prompt":"x"}' }
              : { type: "pass" },
        },
      ],
    },
  })
  const { run, status } = await runtime.run("lead", "go").done
  expect([status, await results(store, run)]).toEqual(["resting", []])
})

test("45: a tool that others have and this agent has not is refused, counted, and run by no fallback", async () => {
  let ran = 0
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "write" }] }, { text: "done" }] },
    agents: [{ name: "a", instructions: "x", tools: ["read"] }],
    tools: [tool("read"), tool("write", () => `${++ran}`)],
  })
  const { run, outcome, proof } = await runtime.run("a", "go").done
  const reason = expect.stringMatching(/^Not permitted: write.*among.*the tools of agent "a"/)
  expect([ran, await results(store, run), proof.denied, outcome?.type]).toEqual([
    0,
    [reason],
    [{ call: "c1", tool: "write", reason, by: { type: "tools" } }],
    "denied",
  ])
})

test("an agent in plan mode changes nothing, whatever its rules allow", async () => {
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "look" }, { tool: "change" }] }, { text: "done" }] },
    agents: [
      {
        name: "a",
        instructions: "x",
        permissionMode: "plan",
        rules: [{ tool: "change", decision: "allow" }],
      },
    ],
    tools: [tool("look"), tool("change", () => "changed", { effect: "idempotent" })],
  })
  const { run } = await runtime.run("a", "go").done
  expect(await results(store, run)).toEqual([
    "ok",
    expect.stringMatching(/permitted.*change.*the plan mode of agent "a"/),
  ])
})

test("a codex-md agent is told of a tool it has not in the words of its own host, and nobody is asked", async () => {
  const agent = {
    ...defineAgent({ name: "a", instructions: "x", tools: ["read"] }),
    origin: { format: "codex-md" },
  }
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "write" }] }, { text: "done" }] },
    tools: [tool("read"), tool("write")],
    runtime: { rules: [{ tool: "write", decision: "ask" }] },
  })
  const { run, status } = await runtime.run(agent, "go").done
  expect([status, await results(store, run)]).toEqual([
    "ended",
    ["Tool `write` is not allowed for subagent `a`; denying request."],
  ])
})

test("a tool that is known to be absent is done without, and the result says so", async () => {
  const { runtime } = world({
    script: { a: [{ text: "done" }] },
    agents: [{ name: "a", instructions: "x", tools: ["look", "web_search"] }],
    tools: [tool("look")],
    runtime: { absentTools: { WebSearch: "no provider of searches is configured" } },
  })
  const { outcome, proof } = await runtime.run("a", "go").done
  expect([outcome, proof.toolsOffered, proof.warnings]).toEqual([
    { type: "completed" },
    ["look"],
    ["The tool WebSearch is not available here: no provider of searches is configured."],
  ])
})

test("a rule of the configuration may speak of a tool that is not here, and not of one that nobody knows", () => {
  const rules = (tool: string) => ({ script: {}, runtime: { rules: [{ tool, decision: "deny" as const }] } })
  expect(() => world(rules("WebFetch(evil.example)"))).not.toThrow()
  expect(() => world(rules("WebFecth"))).toThrow(/The configuration names "WebFecth", but no such tool/)
})

test("with `delegation: narrow`, a lead that may delegate what it is not offered gives it to a worker, and never more than its own caller could", async () => {
  const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
  const { runtime, store } = world({
    script: {
      top: [delegate("lead"), { text: "done" }],
      lead: [
        { calls: [{ tool: "write" }, { tool: "Agent", input: { agent: "worker", prompt: "x" } }] },
        { text: "done" },
      ],
      worker: [{ calls: [{ tool: "write" }, { tool: "pay" }] }, { text: "done" }],
    },
    agents: [
      { name: "top", instructions: "x", tools: ["Agent", "write"] },
      { name: "lead", instructions: "x", tools: ["Agent"], delegates: ["write", "pay"] },
      { name: "worker", instructions: "x" },
    ],
    tools: [tool("write", () => "written"), tool("pay", () => "paid")],
    runtime: { delegation: "narrow" },
  })
  const { run } = await runtime.run("top", "go").done
  expect((await stateOf(store, `${run}.1`)).start).toMatchObject({ tools: ["Agent"], delegates: ["write"] })
  expect([await results(store, `${run}.1`), await results(store, `${run}.1.1`)]).toEqual([
    [expect.stringMatching(/^Not permitted: write.*among.*the tools of agent "lead"/), "done"],
    ["written", expect.stringMatching(/^Not permitted: pay.*available.*called.*"worker"/)],
  ])
})

test("with `delegation: narrow`, what may be handed on of a tool is what the entry of `delegates` says, and no more", async () => {
  const ran: unknown[] = []
  const bash = defineTool<{ command: string }>({
    name: "Bash",
    description: "Runs.",
    input: { type: "object", properties: { command: { type: "string" } } },
    effect: "opaque",
    accesses: ({ command }) => [{ type: "command", text: command }],
    execute: ({ command }) => {
      ran.push(command)
      return "ran"
    },
  })
  const call = (command: string) => ({ tool: "Bash", input: { command } })
  const { runtime, store } = world({
    agents: [
      { name: "lead", instructions: "Lead.", tools: ["Agent"], delegates: ["Bash(git:*)"] },
      { name: "worker", instructions: "Work." },
    ],
    tools: [bash],
    runtime: { delegation: "narrow" },
    script: {
      lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
      worker: [{ calls: [call("git status"), call("rm -rf x")] }, { text: "done" }],
    },
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  expect(ran).toEqual(["git status"])
  expect(await results(store, `${handle.id}.1`)).toEqual([
    "ran",
    expect.stringMatching(/permitted.*Bash \(rm -rf x\).*what agent "lead" may hand on/),
  ])
})
