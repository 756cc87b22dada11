import { expect, test } from "vitest"
import { type Case, linesOf } from "./support.ts"

test.each<[string, Case, readonly string[]]>([
  ["agents that are there", { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{}, {}] } }, []],
  ["whoever is there", { tools: ["Agent"] }, []],
  [
    "a slip",
    { tools: ["Agent(agent-2, reviewr)"], around: { agents: [{}, { name: "reviewer" }] } },
    [
      'error delegation-unknown at tools "Agent(agent-2, reviewr)": There is no agent `reviewr`, so every call to it would fail. Did you mean `reviewer`?',
    ],
  ],
  [
    "nobody like it",
    { tools: ["Task(archivist)"], around: { agents: [{ name: "reviewer" }] } },
    [
      'error delegation-unknown at tools "Task(archivist)": There is no agent `archivist`, so every call to it would fail. Known: `reviewer`.',
    ],
  ],
  [
    "built into the format's own tool",
    { tools: ["Agent(Explore)"] },
    [
      'warning delegation-unknown at tools "Agent(Explore)": `Explore` is built into Claude Code and does not exist here, so nothing can be delegated to it. Define an agent of this name, or remove it unless the file is also used there.',
    ],
  ],
  ["a pattern", { tools: ["Agent(team-*)"] }, []],
  [
    "somebody who is refused anyway",
    { tools: ["Agent(agent-2, nobody)"], disallowedTools: ["Agent(nobody)"], around: { agents: [{}] } },
    [],
  ],
  [
    "hidden ones only",
    { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{ hidden: true }, { hidden: true }] } },
    [
      'warning delegation-unreachable at tools "Agent(agent-2, agent-3)": This agent may delegate only to `agent-2` and `agent-3`, and hidden agents are not offered to models, so it can delegate to nobody. Name another agent, or set `hidden` to false.',
    ],
  ],
  [
    "a hidden one among others",
    { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{ hidden: true }, {}] } },
    [],
  ],
  [
    "each other only",
    {
      tools: ["Agent(agent-2)"],
      around: { agents: [{ tools: ["Agent(agent-3)"] }, { tools: ["Agent(agent-1)"] }] },
    },
    [
      "info delegation-circular at tools: `agent-1`, `agent-2` and `agent-3` may delegate only to each other, so a task can go round until the depth limit refuses it. Let one of them delegate to nobody, or to an agent outside.",
    ],
  ],
  [
    "a circle with a way out",
    { tools: ["Agent(agent-2)"], around: { agents: [{ tools: ["Agent(agent-1, agent-3)"] }, {}] } },
    [],
  ],
  [
    "a circle below it",
    {
      tools: ["Agent(agent-2)"],
      around: { agents: [{ tools: ["Agent(agent-3)"] }, { tools: ["Agent(agent-2)"] }] },
    },
    [],
  ],
  ["itself only", { tools: ["Read", "Agent(agent-1)"] }, []],
])("delegation: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})
