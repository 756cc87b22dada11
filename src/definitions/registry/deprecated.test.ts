import { expect, test } from "vitest"
import { defineTool } from "../../agent/tool.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { agentTool } from "../../world/tools/agent.ts"
import { AgentCapability, AgentType, DefaultAgentCapability } from "./deprecated.ts"

const warningsOf = async (run: () => Promise<void> | void): Promise<readonly string[]> => {
  const warnings: string[] = []
  const listen = (warning: Error) => warnings.push(`${warning.name}: ${warning.message.split(":")[0]}`)
  process.on("warning", listen)
  try {
    await run()
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.off("warning", listen)
  }
  return warnings
}

const tools = ["bash", "read_file", "write_file", "edit_file", "todo_write"].map((name) =>
  defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => "" }),
)

test("the old way, line by line, runs and prints one warning", async () => {
  let output = ""
  const warnings = await warningsOf(async () => {
    const capability = new DefaultAgentCapability()
    const tool = agentTool({ name: "spawn_subagent" })

    const script = scriptedModel({
      lead: [
        { calls: [{ tool: "spawn_subagent", input: { agent_type: "code", prompt: "Fix it." } }] },
        { text: "Done." },
      ],
      code: [{ text: "Fixed." }],
    })
    const runtime = createRuntime({
      agents: capability,
      tools: [...tools, tool],
      models: { script },
      store: memoryStore(),
    })
    const lead = {
      name: "lead",
      instructions: "Lead.",
      tools: ["spawn_subagent", "bash", "read_file", "write_file", "edit_file", "todo_write"],
    }
    const { defineAgent } = await import("../../agent/agent.ts")
    const run = runtime.run(defineAgent(lead), "Have it fixed.")
    for await (const event of run) if (event.type === "child-end") output = event.output
    await run.done
    // A second use is not told again.
    new DefaultAgentCapability()
  })
  expect({ output, warnings }).toEqual({
    output: "Fixed.",
    warnings: ["DeprecationWarning: DefaultAgentCapability is deprecated and will be removed in 1.0.0"],
  })
})

test("each of the old names warns once", async () => {
  class Own extends AgentCapability {
    all() {
      return []
    }
  }
  const warnings = await warningsOf(() => {
    expect([AgentType.Code, AgentType.Plan, AgentType.Explore]).toEqual(["code", "plan", "explore"])
    new Own()
    new Own()
  })
  expect(warnings).toEqual([
    "DeprecationWarning: AgentType is deprecated and will be removed in 1.0.0",
    "DeprecationWarning: AgentCapability is deprecated and will be removed in 1.0.0",
  ])
})
