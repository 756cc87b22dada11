import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { agentTool } from "../../world/tools/agent.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { createReachReader } from "./reach.ts"

const agent = (name: string, more: object = {}, format?: string): Agent => {
  const made = defineAgent({ name, instructions: name, ...more } as AgentInput)
  return format === undefined ? made : { ...made, origin: { ...made.origin, format } }
}
const registered = (tools: readonly Tool[] = [agentTool(), tool("Read")]) =>
  new Map(tools.map((one): [string, Tool] => [one.name, one]))

interface Around {
  readonly started?: Readonly<Record<string, readonly string[]>>
  readonly tools?: ReadonlyMap<string, Tool>
  readonly rights?: readonly RuleSet[]
}

const readerFor = (agents: readonly Agent[], { started = {}, tools = registered(), rights }: Around = {}) =>
  createReachReader({
    agents,
    tools,
    startedBy: ({ name }) => started[name] ?? [],
    ...(rights && { rights }),
  })

/** The reached agents of the first agent, each with its tools. */
const reached = (agents: readonly Agent[], around?: Around) =>
  readerFor(agents, around)(agents[0]!).map(({ name, tools }) => `${name}: ${tools.join(" ")}`)

const denying = (...tools: readonly string[]): RuleSet => ({
  of: "x",
  rules: tools.map((one) => ({ tool: one, decision: "deny" })),
  otherwise: "allow",
})
const [reader, editor] = [agent("reader", { tools: ["Read"] }), agent("editor", { tools: ["Edit", "Bash"] })]

describe("an agent reaches", () => {
  test.each<[string, readonly Agent[], Around, readonly string[]]>([
    [
      "all others, if it may hand work on, and itself only through them",
      [agent("a", { tools: ["Agent"] }), editor, reader],
      {},
      ["editor: Bash Edit", "reader: Read"],
    ],
    [
      "itself, through another agent that may call it",
      [agent("a", { tools: ["Agent"] }), agent("b", { tools: ["Agent"] })],
      {},
      ["a: Agent", "b: Agent"],
    ],
    ["no agent without the tool for it", [agent("a", { tools: ["Read"] }), reader], {}, []],
    ["no agent with an empty list", [agent("a", { tools: [] }), reader], {}, []],
    [
      "no agent, if its list denies the tool",
      [agent("a", { tools: ["Agent"], disallowedTools: ["Agent"] }), reader],
      {},
      [],
    ],
    [
      "the agents that it names",
      [agent("a", { tools: ["Agent(reader)"] }), editor, reader],
      {},
      ["reader: Read"],
    ],
    [
      "agents by their other names",
      [agent("a", { tools: ["Agent(r)"] }), editor, agent("reader", { tools: ["Read"], aliases: ["r"] })],
      {},
      ["reader: Read"],
    ],
    ["agents by a pattern", [agent("a", { tools: ["Agent(read*)"] }), editor, reader], {}, ["reader: Read"]],
    [
      "agents by several entries",
      [agent("a", { tools: ["Agent(reader)", "Agent( editor )"] }), editor, reader, agent("c")],
      {},
      ["editor: Bash Edit", "reader: Read"],
    ],
    [
      "agents by a pattern among names",
      [agent("a", { tools: ["Agent(x, read*)"] }), editor, reader],
      {},
      ["reader: Read"],
    ],
    [
      "agents by names of two entries with other tools between",
      [agent("a", { tools: ["Agent(reader,editor)", "Read"] }), editor, reader, agent("c")],
      {},
      ["editor: Bash Edit", "reader: Read"],
    ],
    [
      "itself, if it is recursive",
      [agent("a", { tools: ["Agent"], recursive: true }), reader],
      {},
      ["a: Agent", "reader: Read"],
    ],
    [
      "all agents but a denied one",
      [agent("a", { tools: ["Agent"], disallowedTools: ["Agent(editor)"] }), editor, reader],
      {},
      ["reader: Read"],
    ],
    [
      "no agent that its rules deny, even through others",
      [
        agent("a", { tools: ["Agent"], disallowedTools: ["Agent(editor)"] }),
        agent("b", { tools: ["Agent"] }),
        editor,
      ],
      {},
      ["a: Agent", "b: Agent"],
    ],
    [
      "no agent that the configuration denies",
      [agent("a", { tools: ["Agent"] }), editor, reader],
      { rights: [denying("Bash"), denying("Agent(editor)")] },
      ["reader: Read"],
    ],
    [
      "all agents, if the configuration only asks",
      [agent("a", { tools: ["Agent"] }), reader],
      { rights: [{ of: "x", rules: [{ tool: "Agent", decision: "ask" }], otherwise: "allow" }] },
      ["reader: Read"],
    ],
    [
      "all agents, if a strict set is about another tool",
      [agent("a", { tools: ["Agent"] }), reader],
      { rights: [{ of: "x", tools: ["Bash"], rules: [], otherwise: "deny" }] },
      ["reader: Read"],
    ],
    [
      "no agent, if a strict set allows none",
      [agent("a", { tools: ["Agent"] }), reader],
      { rights: [{ of: "x", rules: [{ tool: "Read", decision: "allow" }], otherwise: "deny" }] },
      [],
    ],
    [
      "agents that a called agent may call",
      [agent("a", { tools: ["Agent(b)"] }), agent("b", { tools: ["Agent(reader)"] }), editor, reader],
      {},
      ["b: Agent(reader)", "reader: Read"],
    ],
    [
      "agents that a denial in between would remove",
      [
        agent("a", { tools: ["Agent"] }),
        agent("b", { tools: ["Agent"], disallowedTools: ["Agent(reader)"] }),
        reader,
      ],
      {},
      ["a: Agent", "b: Agent", "reader: Read"],
    ],
    [
      "its fallbacks, and their fallbacks",
      [
        agent("a", { tools: [], fallback: ["b", "gone"] }),
        agent("b", { tools: ["Read"], fallback: ["c"] }),
        agent("c", { tools: ["Edit"] }),
        reader,
      ],
      {},
      ["b: Read", "c: Edit"],
    ],
    [
      "the fallbacks of called agents",
      [
        agent("a", { tools: ["Agent(b)"] }),
        agent("b", { tools: ["Read"], fallback: ["c"] }),
        agent("c", { tools: ["Edit"] }),
        reader,
      ],
      {},
      ["b: Read", "c: Edit"],
    ],
    [
      "agents that its hooks start, by any name",
      [agent("a", { tools: [] }), agent("b", { tools: ["Read"], aliases: ["other"] }), reader],
      { started: { a: ["other"], reader: ["a"] } },
      ["b: Read"],
    ],
    [
      "the owner of a name, not an agent that has it as another name",
      [agent("a", { tools: [] }), agent("b", { tools: ["Read"], aliases: ["c"] }), agent("c", { tools: [] })],
      { started: { a: ["c"] } },
      ["c: "],
    ],
    [
      "the first agent with another name",
      [
        agent("a", { tools: [] }),
        agent("b", { tools: ["Read"], aliases: ["x"] }),
        agent("c", { tools: [], aliases: ["x"] }),
      ],
      { started: { a: ["x"] } },
      ["b: Read"],
    ],
    [
      "all agents, through a tool of another name",
      [agent("a", { tools: ["handover"] }), reader],
      { tools: registered([{ ...agentTool(), name: "handover" } as Tool]) },
      ["reader: Read"],
    ],
  ])("%s", (_, agents, around, expected) => expect(reached(agents, around)).toEqual(expected))
})

describe("an agent without a list of tools", () => {
  test.each<[string, readonly Agent[], readonly string[]]>([
    [
      "has its caller's tools, if its format says so",
      [agent("a", { tools: ["Agent", "Read"] }), agent("b")],
      ["a: Agent Read", "b: Agent Read"],
    ],
    [
      "has the tools of each caller",
      [agent("a", { tools: ["Agent", "Read"] }), agent("b"), agent("c", { tools: ["Agent", "Edit"] })],
      ["a: Agent Read", "b: Agent Edit Read", "c: Agent Edit"],
    ],
    [
      "calls only the agents that its caller may call",
      [agent("a", { tools: ["Agent(b)"] }), agent("b"), reader],
      ["b: Agent(b)"],
    ],
    [
      "has every tool, if its format says so",
      [agent("a", { tools: ["Agent(b)"] }), agent("b", {}, "claude"), reader],
      ["a: Agent(b)", "b: every tool", "reader: Read"],
    ],
    [
      "cannot hand work on when it is called, if its format says so",
      [agent("a", { tools: ["Agent(b)"] }), agent("b", {}, "codex-md"), reader],
      ["b: every tool"],
    ],
    ["hands work on as a root in such a format", [agent("b", {}, "codex-md"), reader], ["reader: Read"]],
    [
      "hands work on in such a format, if it has a list",
      [agent("a", { tools: ["Agent(b)"] }), agent("b", { tools: ["Agent"] }, "codex-md"), reader],
      ["a: Agent(b)", "b: Agent", "reader: Read"],
    ],
  ])("%s", (_, agents, expected) => expect(reached(agents)).toEqual(expected))
})

test("agents with the same name for different rights are merged, and their tools are sorted", () => {
  const agents = [
    agent("a", { tools: ["Agent(b, c)"] }),
    agent("b", { tools: ["Agent(d)", "Write"] }),
    agent("c", { tools: ["Agent(d)", "Edit"] }),
    agent("d"),
  ]
  expect(reached(agents)).toEqual(["b: Agent(d) Write", "c: Agent(d) Edit", "d: Agent(d) Edit Write"])
})

test("an agent is described by its definition, and equal results are the same object", () => {
  const careful = agent("careful", {
    tools: ["Read", "Bash"],
    disallowedTools: ["Bash"],
    permissionMode: "plan",
  })
  const agents = [agent("a", { tools: ["Agent"] }), agent("b", { tools: ["Agent"] }), careful]
  const read = readerFor(agents)
  const [first] = agents as [Agent, Agent, Agent]
  const found = read(first)
  expect(found.at(-1)).toEqual({ name: "careful", tools: ["Read"], denied: ["Bash"], mode: "plan" })
  expect(read(first)).toBe(found)
  expect(read(agents[1]!).at(-1)).toBe(found.at(-1))
})

test("agents that may call the same agents with other tools hand on their own", () => {
  const agents = [
    agent("a", { tools: ["Agent(b)", "Agent(c)"] }),
    agent("b", { tools: ["Agent", "Edit"], disallowedTools: ["Agent(a)"] }),
    agent("c", { tools: ["Agent", "Write"], disallowedTools: ["Agent(a)"] }),
    agent("d"),
  ]
  expect(reached(agents)).toContain("d: Agent Edit Write")
})

test("an agent that may hand work on as a root alone reaches others as a root, in whatever order it is asked", () => {
  const [a, b] = [agent("a", { tools: ["Agent(b)"] }), agent("b", {}, "codex-md")]
  const read = readerFor([a, b, reader])
  expect(read(a).map(({ name }) => name)).toEqual(["b"])
  expect(read(b).map(({ name }) => name)).toEqual(["a", "b", "reader"])
  expect(readerFor([a, b, reader])(b)).toEqual(read(b))
})

test("plan mode keeps no agent from being called", () => {
  const agents = [agent("a", { tools: ["Agent"], permissionMode: "plan" }), reader]
  expect(reached(agents)).toEqual(["reader: Read"])
})

test("an agent outside of the list reaches the listed ones", () => {
  const outside = agent("outside", { tools: ["Agent(reader)"] })
  expect(readerFor([reader, editor])(outside).map(({ name }) => name)).toEqual(["reader"])
})
