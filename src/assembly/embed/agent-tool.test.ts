import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { defineTool } from "../../agent/tool.ts"
import { SubagentRegistry } from "../../definitions/registry/registry.ts"
import type { PendingApproval } from "../../run/drive/proof.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { standaloneAgentTool } from "./agent-tool.ts"

const registryOf = (...agents: AgentInput[]) => {
  const registry = new SubagentRegistry()
  registry.registerAll(agents)
  return registry
}
const greeter = { name: "greeter", description: "Greets.", instructions: "Greet.", tools: [] }
const hello = scriptedModel({ greeter: [{ text: "Hello." }] })
const input = { agent: "greeter", prompt: "Ada is here." }

test("only a registry is required where agents name their models", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-agent-tool-"))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, "script.json")
  fs.writeFileSync(file, JSON.stringify({ greeter: [{ text: "Hello." }] }))
  const tool = standaloneAgentTool({ registry: registryOf({ ...greeter, model: `script:${file}` }) })
  expect(await tool.execute(input)).toMatch(
    /^<report agent="greeter" run="\w+" outcome="completed">\nHello\.\n<\/report>$/,
  )
})

test("agents that name none inherit the caller's, and a loop is told all it needs of the tool", async () => {
  const tool = standaloneAgentTool({ registry: registryOf(greeter), model: hello })
  expect(await tool.execute(input)).toMatch(
    /^<report agent="greeter" run="\w+" outcome="completed">\nHello\.\n<\/report>$/,
  )
  expect({ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }).toEqual({
    name: "Agent",
    description: expect.stringMatching(/fresh.*Agents:\n- greeter: Greets.?$/s),
    inputSchema: {
      type: "object",
      properties: {
        agent: { type: "string", description: "Name of the agent." },
        prompt: { type: "string", description: "The whole task." },
      },
      required: ["agent", "prompt"],
      additionalProperties: false,
    },
  })
})

test("an agent that says `background` is waited for here, and the description says nothing else", async () => {
  const tool = standaloneAgentTool({ registry: registryOf({ ...greeter, background: true }), model: hello })
  expect(tool.description.split("Agents:\n")[1]).toBe("- greeter: Greets.")
  expect(await tool.execute(input)).toMatch(
    /^<report agent="greeter" run="\w+" outcome="completed">\nHello\.\n<\/report>$/,
  )
})

test("the description lists those who can be called now, without hidden ones, each on one line", () => {
  const registry = registryOf({ ...greeter, description: "Greets\n\n<example>and so on</example>" })
  const tool = standaloneAgentTool({ registry, model: hello })
  registry.register({ name: "secret", instructions: "Hide.", hidden: true })
  registry.register({ name: "bare", instructions: "Be." })
  expect(tool.description.split("Agents:\n")[1]).toBe(
    "- bare: (no description)\n- greeter: Greets <example>and so on</example>",
  )
})

const texts = expect.stringMatching(/texts.*whole.*greeter.?$/)
const unknown = `Subagent 'greter' not found. Available: greeter. Did you mean "greeter"?`
test.each([
  ["an unknown name", { agent: "greter", prompt: "Go." }, 0, unknown],
  ["an unknown name at the deepest level", { agent: "greter", prompt: "Go." }, 3, unknown],
  [
    "the deepest level",
    input,
    3,
    "Maximum subagent nesting depth (3) reached. Cannot spawn 'greeter' at depth 3. Finish with your own tools.",
  ],
  ["no prompt", { agent: "greeter" }, 0, texts],
  ["an empty prompt", { agent: "greeter", prompt: " " }, 0, texts],
  ["nothing", undefined, 0, texts],
  ["a text in place of an object", "greeter", 0, texts],
  ["nobody named, and no general worker", { prompt: "Go." }, 0, texts],
  ["no time at all", { ...input, timeout: 0 }, 0, expect.stringMatching(/timeout: 0 is.*equal.*0.?$/)],
  ["work in the background", { ...input, background: true }, 0, expect.stringMatching(/waits.*background/)],
])("%s is told to the model and starts nothing", async (_, given, currentDepth, text) => {
  const store = memoryStore()
  const tool = standaloneAgentTool({ registry: registryOf(greeter), model: hello, currentDepth, store })
  const report = await tool.report(given)
  expect(report).toEqual({ text, isError: true })
  expect(await tool.execute(given)).toBe(report.text)
  for await (const head of store.list()) expect(head).toBeUndefined()
})

test("a child that fails, or cannot start, is text and no exception", async () => {
  const model = scriptedModel({ greeter: [{ text: "Half.", error: { message: "out of order." } }] })
  const registry = registryOf(greeter, { name: "reader", instructions: "Read.", tools: ["Read"] })
  const tool = standaloneAgentTool({ registry, model })
  const failed = await tool.report(input)
  expect(failed).toMatchObject({ isError: true, result: { outcome: { type: "failed" } } })
  expect(failed.text).toMatch(/^The subagent did not complete: failed: .*out of order\.\n/)
  expect(await tool.report({ agent: "reader", prompt: "Read it." })).toEqual({
    text: expect.stringMatching(
      /^Cannot spawn 'reader': Agent "reader".*"Read".*registered.*Agent, AgentCancel, AgentReport, AgentSend, AgentStatus, AgentWait, AskParent.?$/,
    ),
    isError: true,
  })
})

/** `deep` calls itself as long as it may. */
const deep = (turns: number) =>
  scriptedModel({
    deep: [
      {
        calls: Array.from({ length: turns }, () => ({
          tool: "Agent",
          input: { agent: "deep", prompt: "On." },
        })),
      },
      { text: "Up." },
    ],
  })

test.each([
  [0, {}, {}, 3],
  [1, {}, {}, 2],
  [2, {}, {}, 1],
  [0, { maxDepth: 1 }, {}, 1],
  [0, { limits: { maxDepth: 2 } }, {}, 2],
  // A definition narrows and never widens.
  [0, {}, { maxDepth: 9 }, 3],
  [0, {}, { maxDepth: 2 }, 2],
])(
  "from depth %i with %j and the definition's %j there are %i runs",
  async (currentDepth, more, limits, runs) => {
    const store = memoryStore()
    const registry = registryOf({ name: "deep", instructions: "Go deeper.", recursive: true, limits })
    const tool = standaloneAgentTool({ registry, model: deep(1), currentDepth, store, ...more })
    const { result } = await tool.report({ agent: "deep", prompt: "Go." })
    const found: string[] = []
    for await (const { run } of store.list({ root: result!.run })) found.push(run)
    expect(found.length).toBe(runs)
  },
)

test.each([-1, 1.5, Number.NaN])("a depth of %d is refused", (currentDepth) => {
  expect(() => standaloneAgentTool({ registry: registryOf(greeter), currentDepth })).toThrow(
    expect.objectContaining({
      code: "LIMIT_INVALID",
      message: naming("currentDepth", `${currentDepth}`),
    }),
  )
})

test("the model of the calling loop is what agents inherit, and theirs where they name one", async () => {
  const registry = registryOf(
    { ...greeter, model: "inherit" },
    { name: "own", instructions: "Be.", tools: [], model: "small" },
  )
  const own = scriptedModel({ own: [{ text: "Mine." }] }, "small-1")
  const tool = standaloneAgentTool({ registry, model: hello, models: { small: own } })
  const resolved = async (agent: string) =>
    (await tool.report({ agent, prompt: "Go." })).result!.proof.model.resolved
  expect([await resolved("greeter"), await resolved("own")]).toEqual(["script", "small-1"])
})

test("skills come as a tool, and tools as they are given", async () => {
  const skill = {
    name: "style",
    description: "How we write.",
    file: "/nowhere/SKILL.md",
    scope: "user",
  } as const
  const tool = standaloneAgentTool({
    registry: [defineAgent({ name: "greeter", instructions: "Greet." })],
    model: hello,
    tools: [counter().tool],
    skills: new Map([["style", skill]]),
  })
  expect((await tool.report(input)).result!.proof.toolsOffered).toEqual(["count", "Skill"])
})

const counter = () => {
  const calls: string[] = []
  const tool = defineTool<{ id: string }>({
    name: "count",
    description: "Counts.",
    effect: "read",
    input: { type: "object" },
    execute: ({ id }) => (calls.push(id), "counted"),
  })
  return { calls, tool }
}
const asking = {
  registry: [defineAgent({ name: "asker", instructions: "Ask.", tools: ["count"] })],
  model: scriptedModel({
    asker: [
      { calls: ["a", "b"].map((id) => ({ tool: "count", input: { id } })) },
      { calls: [{ tool: "count", input: { id: "c" } }] },
      { text: "Asked." },
    ],
  }),
  rules: [{ tool: "count", decision: "ask" as const }],
}

test.each([
  ["nobody is there", undefined, []],
  ["all is allowed", () => "allow" as const, ["a", "b", "c"]],
  ["one is allowed", (asked: PendingApproval) => (asked.arguments.includes("b") ? "allow" : "deny"), ["b"]],
  ["whoever is asked fails", () => Promise.reject(new Error("gone")), []],
  ["the answer is no answer", () => "yes" as "allow", []],
] as const)("what rules ask about is answered: %s", async (_, onApproval, expected) => {
  const { calls, tool } = counter()
  const agent = standaloneAgentTool({ ...asking, tools: [tool], ...(onApproval && { onApproval }) })
  const { text, result } = await agent.report({ agent: "asker", prompt: "Go." })
  expect(calls).toEqual(expected)
  if (calls.length === 0) expect(result!.outcome).toMatchObject({ type: "denied" })
  else expect(text).toContain("\nAsked.\n")
})

test.each(["while a model is at work", "while a person is asked", "before it starts"])(
  "a signal that aborts %s cancels the child",
  async (when) => {
    let asked = 0
    const aborting = new AbortController()
    const slow = scriptedModel({ greeter: [{ text: "Late.", delayMs: 10_000 }] })
    const { tool } = counter()
    const agent =
      when === "while a person is asked"
        ? standaloneAgentTool({
            ...asking,
            tools: [tool],
            onApproval: () =>
              new Promise(() => {
                asked++
                aborting.abort()
              }),
          })
        : standaloneAgentTool({ registry: registryOf(greeter), model: slow })
    if (when === "before it starts") aborting.abort()
    if (when === "while a model is at work") setTimeout(() => aborting.abort(), 50)
    const name = when === "while a person is asked" ? "asker" : "greeter"
    const { text, result } = await agent.report({ agent: name, prompt: "Go." }, { signal: aborting.signal })
    expect(asked).toBe(when === "while a person is asked" ? 1 : 0)
    expect(result!.outcome).toEqual({ type: "cancelled", reason: "its signal was aborted" })
    expect(text).toContain("did not complete: cancelled")
  },
)

test("runs are forgotten when they end, unless a store is given", async () => {
  const store = memoryStore()
  const [kept, forgotten] = [
    standaloneAgentTool({ registry: [defineAgent(greeter)], model: hello, store }),
    standaloneAgentTool({ registry: [defineAgent(greeter)], model: hello }),
  ]
  const counts = await Promise.all(
    [kept, forgotten].map(async (tool) => {
      await Promise.all([tool.execute(input), tool.execute(input)])
      let count = 0
      for await (const _ of tool.runtime.list()) count++
      return count
    }),
  )
  expect(counts).toEqual([2, 0])
})

test("a report that is too long for one result is cut in the middle", async () => {
  const model = scriptedModel({ greeter: [{ text: "x".repeat(5_000) }] })
  const tool = standaloneAgentTool({
    registry: registryOf(greeter),
    model,
    limits: { maxResultBytes: 1_000 },
  })
  const text = await tool.execute(input)
  expect(text).toMatch(
    /^<report .*>\nx{600}\n\n\[\.\.\. 4050.*left.*runtime.*\.\.\.\]\n\nx{350}\n<\/report>.?$/,
  )
})
