import { expect, test } from "vitest"
import { writeBriefLines } from "../support.ts"

const pipeline = { steps: [{ id: "one", agent: "worker", prompt: "Work." }] }
const around = { agents: [{ name: "worker", description: "Does the work.", tools: [] }] }

test.each([
  ["inherited tools", {}, []],
  ["the tool for it", { tools: ["Agent"] }, []],
  ["the tool for it, under another host's name", { tools: ["Task"] }, []],
  ["every tool", { tools: ["*"] }, []],
  ["the tool for this agent", { tools: ["Agent(work*)"] }, []],
  ["other tools", { tools: ["Read"] }, ["error pipeline-agent at tools: `Agent` `Agent` `tools`"]],
  [
    "the tool taken away",
    { disallowedTools: ["Agent"] },
    ["error pipeline-agent at disallowedTools: `Agent` `Agent` `disallowedTools`"],
  ],
  [
    "the tool for others",
    { tools: ["Agent(agent-1)"], recursive: true },
    ["error pipeline-agent at tools: `agent-1` `worker` `Agent(…)` `tools`"],
  ],
])("a pipeline with %s", (_, more, lines) => {
  const found = writeBriefLines({ name: "agent-1", description: "Flows.", pipeline, around, ...more })
  expect(found.filter((line) => line.includes("pipeline"))).toEqual(lines)
})

test("a definition that no reader has looked at may hold anything", () => {
  for (const steps of [undefined, null, 3, "x", [null], [[]], [{ parallel: {} }]])
    expect(writeBriefLines({ description: "Flows.", pipeline: { steps } as never })[0]).toContain(
      "pipeline-invalid",
    )
})
