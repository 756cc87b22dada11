import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { scripted } from "../named-models.ts"

const delegate = { calls: [{ tool: "Agent", input: { agent: "helper", prompt: "Help." } }] }

test.each([
  ["does nothing more", [delegate, { text: "All done." }], "uncertain"],
  ["looks into it", [delegate, { calls: [{ tool: "look", input: {} }] }, { text: "Seen." }], "completed"],
] as const)("a root whose subagent ended as uncertain and that %s", async (_, lead, outcome) => {
  const runtime = openRuntime({
    store: memoryStore(),
    agents: ["lead", "helper"].map((name) => defineAgent({ name, instructions: name })),
    tools: [
      defineTool({
        name: "send",
        description: "Sends, and does not stop",
        effect: "opaque",
        timeout: 20,
        input: { type: "object" },
        execute: () => new Promise<string>(() => {}),
      }),
      defineTool({
        name: "look",
        description: "Looks",
        effect: "read",
        input: { type: "object" },
        execute: async () => "seen",
      }),
      agentTool(),
    ],
    models: scripted({
      lead: [...lead],
      helper: [{ calls: [{ tool: "send", input: {} }] }, { text: "Helped." }],
    }),
  })
  const { id, done } = runtime.run("lead", "Go.")
  const result = await done
  expect(result.outcome?.type).toBe(outcome)
  expect(result.proof.warnings).toContainEqual(
    expect.stringMatching(new RegExp(`Subagent helper \\(run ${id}\\.1\\) ended as uncertain`)),
  )
  await runtime.close()
})
