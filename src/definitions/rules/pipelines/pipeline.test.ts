import { expect, test } from "vitest"
import { linesOf } from "../support.ts"

const pipeline = { steps: [{ id: "one", agent: "worker", prompt: "Work." }] }
const around = { agents: [{ name: "worker", description: "Does the work.", tools: [] }] }

test.each([
  ["inherited tools", {}, []],
  ["the tool for it", { tools: ["Agent"] }, []],
  ["the tool for it, under another host's name", { tools: ["Task"] }, []],
  ["every tool", { tools: ["*"] }, []],
  ["the tool for this agent", { tools: ["Agent(work*)"] }, []],
  [
    "other tools",
    { tools: ["Read"] },
    [
      "error pipeline-agent at tools: The pipeline hands work to agents, but it does not have the tool `Agent`, so every such step would be denied. Add it to `tools`; its agents have the tools of their own files.",
    ],
  ],
  [
    "the tool taken away",
    { disallowedTools: ["Agent"] },
    [
      "error pipeline-agent at disallowedTools: The pipeline hands work to agents, but it does not have the tool `Agent`, so every such step would be denied. Take it out of `disallowedTools`; its agents have the tools of their own files.",
    ],
  ],
  [
    "the tool for others",
    { tools: ["Agent(agent-1)"], recursive: true },
    [
      "error pipeline-agent at tools: The pipeline may call only `agent-1`, so its step for `worker` would be denied. Name it in `tools`, too.",
    ],
  ],
])("a pipeline with %s", (_, more, lines) => {
  const found = linesOf({ name: "agent-1", description: "Flows.", pipeline, around, ...more })
  expect(found.filter((line) => line.includes("pipeline"))).toEqual(lines)
})

test("a definition that no reader has looked at may hold anything", () => {
  for (const steps of [undefined, null, 3, "x", [null], [[]], [{ parallel: {} }]])
    expect(linesOf({ description: "Flows.", pipeline: { steps } as never })[0]).toContain("pipeline-invalid")
})
