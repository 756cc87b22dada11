import { describe, expect, test } from "vitest"
import { defineAgent } from "../../agent/agent.ts"
import { settleOffer } from "./offer.ts"

const agent = (name: string) => defineAgent({ name, instructions: "Work." })
const all = [agent("a"), agent("b")]
const tools = new Map(
  Object.entries({
    Read: { kind: "function" },
    Agent: { kind: "delegation", name: "Agent", description: "Hand on." },
    AgentWait: { kind: "control", comesWith: "Agent" },
    AgentSend: { kind: "control", comesWith: "Agent", reachesParent: true },
    AskCaller: { kind: "control", needsParent: true },
    Note: { kind: "function", comesWith: "AgentWait" },
    Free: { kind: "control" },
  }),
)

/** The described tools, and the withheld ones. */
function offered(
  granted: readonly string[],
  more: { parent?: string; depth?: number; agents?: typeof all; deny?: string } = {},
) {
  const { parent, depth = 0, agents = all, deny } = more
  const offer = settleOffer(
    { tools, agents: { all: () => agents, find: () => undefined } } as never,
    { agent: all[0]!, ...(parent && { parent: { start: { kind: parent } } as never }) },
    {
      granted,
      rights: deny ? [{ of: "x", rules: [{ tool: deny, decision: "deny" }], otherwise: "allow" }] : [],
      depth,
      limits: { maxDepth: 2, maxTurns: 1, maxToolCalls: 1 },
    },
  )
  return [[...offer.descriptions].map(([name, { text }]) => `${name}: ${text}`), offer.withheld]
}

describe("which tools a run is offered", () => {
  const names = [...tools.keys()]
  const told = ["Agent: Hand on."]
  const withAgent = ["AgentWait", "AgentSend", "Note"]
  test.each<[string, Parameters<typeof offered>, readonly unknown[]]>([
    ["functions", [["Read"]], [[], []]],
    ["all, to a child of a model", [names, { parent: "agent" }], [told, []]],
    ["none that need a caller, to a root", [names], [told, ["AskCaller"]]],
    [
      "none that need a caller, to a child of a pipeline",
      [names, { parent: "pipeline" }],
      [told, ["AskCaller"]],
    ],
    [
      "none about children, where nobody is there to call",
      [names, { agents: [all[0]!] }],
      [[], ["Agent", ...withAgent.slice(0, 2), "AskCaller", "Note"]],
    ],
    [
      "none about children, where nobody may be called",
      [names, { deny: "Agent" }],
      [[], ["Agent", ...withAgent.slice(0, 2), "AskCaller", "Note"]],
    ],
    [
      "none about children at the last depth",
      [names, { depth: 2 }],
      [[], ["Agent", ...withAgent.slice(0, 2), "AskCaller", "Note"]],
    ],
    ["those about children above it", [names, { depth: 1 }], [told, ["AskCaller"]]],
    [
      "what reaches a caller, where there is one",
      [names, { depth: 2, parent: "agent" }],
      [[], ["Agent", "AgentWait", "Note"]],
    ],
  ])("%s", (_, given, expected) => expect(offered(...given)).toEqual(expected))
})
