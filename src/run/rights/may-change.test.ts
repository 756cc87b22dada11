import { expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { agentTool } from "../../world/tools/agent.ts"
import type { Hook } from "../ports/hook.ts"
import { mayChange } from "./may-change.ts"

const agent = (name: string, more: object = {}) =>
  defineAgent({ name, instructions: name, tools: ["Read"], ...more } as AgentInput)
const [read, edit, bash] = [
  tool("Read"),
  tool("Edit", undefined, { effect: "idempotent" }),
  tool("Bash", undefined, { effect: "opaque" }),
]
const all = [read, edit, bash, agentTool()]

interface Around {
  readonly tools?: readonly Tool[]
  readonly others?: readonly Agent[]
  readonly code?: readonly Hook[]
  readonly hooksOf?: (agent: Agent) => readonly Hook[]
}

const answer = (one: Agent, { tools = all, others = [], code = [], hooksOf }: Around = {}) =>
  mayChange(
    {
      agents: { all: () => [one, ...others] },
      tools: new Map(tools.map((each) => [each.name, each])),
      hooks: new Map(code.map((hook) => [hook.name, hook])),
      ...(hooksOf && { lifecycle: { hooksOf } }),
    } as never,
    one,
  )

const written = { of: "project", path: [], event: "before_tool", effects: [] } as const

test.each<[string, Agent, Around, boolean]>([
  ["a list of tools that read", agent("a"), {}, false],
  ["a list with a tool that changes", agent("a", { tools: ["Read", "Edit"] }), {}, true],
  ["a list with a part of such a tool", agent("a", { tools: ["Bash(ls)"] }), {}, true],
  ["a list with a tool that is not registered", agent("a", { tools: ["Edit"] }), { tools: [read] }, false],
  ["no list", agent("a", { tools: undefined }), {}, true],
  ["no list, where all tools read", agent("a", { tools: undefined }), { tools: [read] }, false],
  ["a tool that is denied", agent("a", { tools: ["Edit"], disallowedTools: ["Edit"] }), {}, true],
  ["a tool to hand on", agent("a", { delegates: ["Edit"] }), {}, true],
  ["a tool that only hands work on", agent("a", { tools: ["Agent"] }), {}, false],
  ["an executor", agent("a", { executor: "bot" }), {}, true],
  ["a postcondition with a command", agent("a", { postconditions: [{ command: "make" }] }), {}, true],
  [
    "a postcondition with a command, where none can run",
    agent("a", { postconditions: [{ command: "make" }] }),
    { tools: [read] },
    false,
  ],
  ["a postcondition without a command", agent("a", { postconditions: [{ file: "x" }] }), {}, false],
  ["a hook in code", agent("a"), { code: [{ name: "h" }] }, true],
  ["a hook in code, where no command can run", agent("a"), { code: [{ name: "h" }], tools: [read] }, false],
  ["a written hook without commands", agent("a"), { hooksOf: () => [{ name: "h", written }] }, false],
  [
    "a written hook with commands",
    agent("a"),
    { hooksOf: () => [{ name: "h", written, commands: true }] },
    true,
  ],
  ["the hook of a workflow", agent("a"), { hooksOf: () => [{ name: "workflow:x" }] }, false],
  [
    "hooks that cannot be read",
    agent("a"),
    {
      hooksOf: () => {
        throw new Error("unreadable")
      },
    },
    true,
  ],
  [
    "an agent in reach that changes",
    agent("a", { tools: ["Agent(b)"] }),
    { others: [agent("b", { tools: ["Edit"] })] },
    true,
  ],
  [
    "an agent in reach, if nothing were denied",
    agent("a", { tools: ["Agent"], disallowedTools: ["Agent(b)", "Agent"] }),
    { others: [agent("b", { tools: ["Edit"] })] },
    true,
  ],
  [
    "an agent in reach, if no rule denied it",
    agent("a", { tools: ["Agent"], rules: [{ tool: "Agent(b)", decision: "deny" }] }),
    { others: [agent("b", { tools: ["Edit"] })] },
    true,
  ],
  [
    "an agent that is not in reach",
    agent("a", { tools: ["Agent(c)"] }),
    { others: [agent("b", { tools: ["Edit"] }), agent("c")] },
    false,
  ],
  [
    "an agent that a hook starts",
    agent("a"),
    {
      others: [agent("b", { tools: ["Edit"] })],
      hooksOf: ({ name }) => (name === "a" ? [{ name: "h", written, spawns: ["b"] }] : []),
    },
    true,
  ],
  [
    "an agent whose rules only ask before the agents in reach",
    agent("a", { tools: ["Agent"], rules: [{ tool: "Agent(b)", decision: "ask" }] }),
    { others: [agent("b")] },
    false,
  ],
  [
    "a list that denies what a pattern allows",
    agent("a", { tools: ["*"], disallowedTools: ["Edit", "Bash"] }),
    {},
    true,
  ],
  [
    "an agent in reach with a hook that runs commands",
    agent("a", { tools: ["Agent(b)"] }),
    {
      others: [agent("b")],
      hooksOf: ({ name }) => (name === "b" ? [{ name: "h", written, commands: true }] : []),
    },
    true,
  ],
])("%s: a run may change something, or not", async (_, one, around, expected) => {
  expect(await answer(one, around)).toBe(expected)
})

test("an agent outside of the registered ones is judged by its own hooks and reach", async () => {
  const outside = agent("outside", { tools: ["Agent(b)"] })
  const judged = (hooksOf: (one: Agent) => readonly Hook[], b: Agent) =>
    mayChange(
      {
        agents: { all: () => [b] },
        tools: new Map(all.map((each) => [each.name, each])),
        hooks: new Map(),
        lifecycle: { hooksOf },
      } as never,
      outside,
    )
  const commands = ({ name }: Agent): readonly Hook[] =>
    name === "outside" ? [{ name: "h", written, commands: true }] : []
  expect([
    await judged(() => [], agent("b")),
    await judged(() => [], agent("b", { tools: ["Edit"] })),
    await judged(commands, agent("b")),
  ]).toEqual([false, true, true])
})
