import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type AgentInput, defineAgent, type ToolDefinition } from "../../agent/agent.ts"
import { defineTool, type Tool } from "../../agent/tool.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"

const parameters = {
  type: "object",
  additionalProperties: false,
  properties: { path: { type: "string", maxLength: 3 } },
}
const script = (name: string): ToolDefinition => ({
  name,
  description: `What the file says of ${name}.`,
  script: `/agents/${name}.pym`,
  parameters,
})
const agentWith = (names: readonly string[], more: Partial<AgentInput> = {}) =>
  defineAgent({
    name: "linter",
    instructions: "Lint.",
    tools: names,
    toolDefinitions: names.map(script),
    ...more,
  })

/** The tools that a model is told, or the error where it is not called. */
async function offered(agent: ReturnType<typeof agentWith>, tools: readonly Tool[] = []): Promise<unknown> {
  const runtime = createRuntime({ tools, store: memoryStore(), models: { m: scriptedModel({}) } })
  return runtime.preview(agent, "Go.").then(
    (preview) => preview.tools.map(({ name, description, input }) => ({ name, description, input })),
    ({ code, message }) => `${code}: ${message}`,
  )
}

const code = (name: string, execute: (input: Record<string, unknown>) => string = () => "ok"): Tool =>
  defineTool<Record<string, unknown>>({
    name,
    description: `What the code says of ${name}.`,
    effect: "read",
    input: { type: "object", properties: { path: { type: "string", minLength: 2 } } },
    execute,
  })

describe("a tool that a definition brings along", () => {
  test("is told to the model as the definition has it, the end of the run included", async () => {
    const agent = agentWith(["run_linter", "submit_result"], { result: parameters })
    expect(await offered(agent, [code("run_linter")])).toEqual([
      { name: "run_linter", description: "What the file says of run_linter.", input: parameters },
      { name: "submit_result", description: "What the file says of submit_result.", input: parameters },
    ])
  })

  test("takes what fits both the definition and the code that stands for it", async () => {
    const given: unknown[] = []
    const store = memoryStore()
    const paths = ["a", "ab", "abcd"]
    const runtime = createRuntime({
      agents: [agentWith(["run_linter"])],
      tools: [code("run_linter", ({ path }) => String(given.push(path)))],
      store,
      models: {
        m: scriptedModel({
          linter: [{ calls: paths.map((path) => ({ tool: "run_linter", input: { path } })) }, { text: "." }],
        }),
      },
    })
    const statuses: Record<string, string> = {}
    for await (const event of runtime.run("linter", "Go."))
      if (event.type === "tool-end") statuses[event.call] = event.result.status
    expect({ given, statuses }).toEqual({ given: ["ab"], statuses: { c1: "error", c2: "ok", c3: "error" } })
  })

  const refused = (what: string) =>
    naming(
      "TOOL_UNKNOWN",
      '"linter"',
      `${what}`,
      "scripts",
      `${what.includes("tools") ? "them" : "it"}`,
      "createRuntime({",
    )

  test.each<[string, readonly string[], Partial<AgentInput>, readonly Tool[], unknown]>([
    ["keeps it from starting where no code stands for it", ["a"], {}, [], refused("its tool a is a script")],
    [
      "is told with all others of its kind",
      ["a", "b", "submit_result", "c"],
      {},
      [code("b")],
      refused("its tools a and c are scripts"),
    ],
    [
      "is no other host's word for a tool that ships",
      ["read_file", "bash"],
      {},
      [],
      refused("its tools read_file and bash are scripts"),
    ],
    ["is none that ships", ["Read"], {}, [], refused("its tool Read is a script")],
    ["may be left out of the list", ["a"], { tools: [] }, [], []],
    ["may be denied", ["a"], { disallowedTools: ["a"] }, [], []],
    ["counts where nothing is listed", ["a"], { tools: null }, [], refused("its tool a is a script")],
  ])("%s", async (_, names, more, tools, expected) => {
    expect(await offered(agentWith(names, more), tools)).toEqual(expected)
  })
})
