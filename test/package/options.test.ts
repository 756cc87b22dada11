import { describe, expect, test } from "vitest"
import { faultyStore, startModelServer } from "../../src/faces/testing/index.ts"
import * as files from "../../src/files.ts"
import * as cadre from "../../src/index.ts"
import { naming } from "../naming.ts"

const model = cadre.scriptedModel({ aide: [{ text: "Done." }] })
const aide = cadre.defineAgent({ name: "aide", instructions: "Help.", tools: [] })
const runtime = () => cadre.createRuntime({ agents: [aide], model, store: cadre.memoryStore() })

/** What a function says to an option that it does not know. */
async function refusalOf(work: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await work()
  } catch (error) {
    if (error instanceof cadre.CadreError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error("it was accepted")
}

type Given = Record<string, unknown>

/** Every function of the library that takes options, called with one more, or none where it needs some. */
const functions: Readonly<Record<string, (option: Given) => unknown>> = {
  createRuntime: (option) => cadre.createRuntime(option),
  standaloneAgentTool: (option) => cadre.standaloneAgentTool({ registry: [aide], ...option }),
  codingAgent: (option) => files.codingAgent({ workDir: ".", ...option }),
  agentTool: (option) => cadre.agentTool(option),
  builtInTools: (option) => cadre.builtInTools({ root: ".", ...option }),
  openaiModel: (option) => cadre.openaiModel({ model: "m", ...option }),
  anthropicModel: (option) => cadre.anthropicModel({ model: "m", ...option }),
  aiSdkModel: (option) => cadre.aiSdkModel({ provider: "p" } as never, option),
  jsonlStore: (option) => cadre.jsonlStore(option),
  openWorkspace: (option) => files.openWorkspace(option),
  SubagentRegistry: (option) => new files.SubagentRegistry(option),
  loadFromFile: (option) => new files.SubagentRegistry().loadFromFile("a.md", option),
  loadFromDirectory: (option) => new files.SubagentRegistry().loadFromDirectory(".", option),
  watch: (option) => new files.SubagentRegistry().watch(() => {}, option),
  loadSubagentDefinition: (option) =>
    files.loadSubagentDefinition("a.yaml", { agentsDir: ".", ...option } as never),
  route: (option) => cadre.route([], { text: "x", ...option }, { autoRoute: "on" }),
  defineTool: (option) =>
    cadre.defineTool({
      name: "T",
      description: "T",
      input: { type: "object" },
      effect: "read",
      execute: () => "",
      ...option,
    }),
  run: (option) => runtime().run(aide, "Help.", option).done,
  explain: (option) => runtime().explain(aide, option),
  dryRun: (option) => runtime().dryRun(aide, "Help.", option),
  preview: (option) => runtime().preview(aide, "Help.", option),
  startProblems: (option) => runtime().startProblems(aide, option),
  resume: (option) => runtime().resume("x", option).done,
  send: (option) => runtime().send("x", "Hello.", option),
  list: (option) => runtime().list(option),
  startModelServer: (option) => startModelServer({ script: [], ...option }),
  faultyStore: (option) => faultyStore(cadre.memoryStore(), option),
}

describe("an option that a function does not know is an error that names those it knows", () => {
  test.each(Object.entries(functions))("%s", async (name, call) => {
    const { code, message } = await refusalOf(() => call({ qzx: 1 }))
    expect({ code, message: message.replace(/ Known: [\w, ]+( and \d+ more)?\.$/, " Known: …") }).toEqual({
      code: "OPTION_INVALID",
      message: `${name}: there is no option "qzx". Known: …`,
    })
  })

  test.each([
    ["standaloneAgentTool", "subagentRegistry", "registry"],
    ["standaloneAgentTool", "maxSubagentDepth", "maxDepth"],
    ["codingAgent", "maxSubagentDepth", "maxDepth"],
    ["createRuntime", "tool", "tools"],
    ["createRuntime", "agent", "agents"],
    ["openaiModel", "baseURL", "baseUrl"],
    ["openaiModel", "url", "baseUrl"],
    ["openaiModel", "key", "apiKey"],
    ["run", "timeOut", "timeout"],
    ["run", "abortSignal", "signal"],
  ])("%s({ %s }) is told of %s", async (name, wrong, right) => {
    const { message } = await refusalOf(() => functions[name]!({ [wrong]: 1 }))
    expect(message).toContain(`there is no option "${wrong}". Did you mean "${right}"? Known: `)
  })

  test.each([
    ["otherwise", "deny"],
    ["ownRules", { rules: [] }],
    ["reach", () => undefined],
    ["settingPlace", () => undefined],
    ["strays", "contain"],
    ["writtenAt", async () => undefined],
  ])("%s is internal: it is accepted, and neither listed nor suggested", async (name, value) => {
    expect(() => functions.createRuntime!({ [name]: value })).not.toThrow()
    for (const wrong of ["qzx", `${name}x`])
      expect((await refusalOf(() => functions.createRuntime!({ [wrong]: 1 }))).message).not.toMatch(
        new RegExp(`[ "]${name}[",.]`),
      )
  })

  test("one that is undefined is none", () => {
    expect(Object.keys(cadre.builtInTools({ root: ".", qzx: undefined } as never)).length).toBeGreaterThan(0)
  })

  test.each([[5], [null], ["x"], [[]]])("options that are %j", async (given) => {
    const { code, message } = await refusalOf(() => cadre.createRuntime(given as never))
    expect({ code, message }).toEqual({
      code: "OPTION_INVALID",
      message: naming(
        "createRuntime",
        "options",
        "object",
        "{ absentTools: … }",
        `${Array.isArray(given) ? "a list" : String(given)}`,
      ),
    })
  })
})

describe("what a program hands on", () => {
  const agents = [
    cadre.defineAgent({ name: "own", instructions: "Help.", model: null, tools: [] }),
    cadre.defineAgent({ name: "heir", instructions: "Help.", tools: [] }),
  ]
  const says = (text: string) => cadre.scriptedModel({ own: [{ text }], heir: [{ text }] }, text)
  const configuration = { subagents: { enabled: true, autoRoute: false, nameAliases: {} }, limits: {} }

  test.each([
    ["own", { configuration: { ...configuration, model: "usual" } }, "usual"],
    ["own", {}, "loop"],
    ["heir", { configuration: { ...configuration, model: "usual" } }, "loop"],
    ["heir", {}, "loop"],
  ])("%s with %j runs on the model %s", async (agent, options, expected) => {
    const tool = cadre.standaloneAgentTool({
      registry: agents,
      model: says("loop"),
      models: { usual: says("usual") },
      ...(options as object),
    })
    const { result } = await tool.report({ agent, prompt: "Help." })
    expect(result?.output).toBe(expected)
  })

  test("a delegation tool of another name takes the place of Agent", async () => {
    const seen: (readonly string[])[] = []
    const lead = cadre.defineAgent({ name: "lead", instructions: "Lead." })
    const runtime = cadre.createRuntime({
      agents: [lead, aide],
      store: cadre.memoryStore(),
      tools: [cadre.agentTool({ name: "spawn_subagent" })],
      model: {
        id: "seeing",
        async stream({ tools }) {
          seen.push(tools.map(({ name }) => name))
          return {
            text: "Done.",
            calls: [],
            usage: { inputTokens: 1, outputTokens: 1 },
            stop: "end",
            model: "seeing",
          }
        },
      },
    })
    await runtime.run(lead, "Lead.").done
    expect(seen).toEqual([
      ["spawn_subagent", "AgentWait", "AgentStatus", "AgentCancel", "AgentSend", "AgentReport"],
    ])
  })

  test("a delegation tool of no known name is refused", () => {
    expect(() => cadre.agentTool({ name: "delegate" as never })).toThrow(
      'agentTool: unknown tool name "delegate". Known: Agent, Subagent, Task, spawn_subagent, start_agent.',
    )
  })
})

test.each([
  ["createRuntime", (agents: never) => cadre.createRuntime({ agents })],
  ["standaloneAgentTool", (registry: never) => cadre.standaloneAgentTool({ registry, model })],
])("%s: an agent that `defineAgent` has not seen is refused with what to write", async (_, create) => {
  const plain = [aide, { name: "plain", instructions: "x" }] as never
  expect(await refusalOf(() => create(plain))).toMatchObject({
    code: "AGENT_INVALID",
    message: expect.stringMatching(/^agents\[1\] \("plain"\).*defineAgent\(\{/),
  })
})
