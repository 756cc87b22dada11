import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { runStart } from "../../../test/run-start.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { agentTool } from "../../world/tools/agent.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { settleTools } from "./grant.ts"

const known = new Map(
  [tool("Read"), tool("Bash"), tool("Edit"), agentTool()].map((one): [string, Tool] => [one.name, one]),
)
const nothing: RuleSet = { of: "the configuration", rules: [], otherwise: "allow" }

const environment = (more: Partial<StartEnvironment> = {}): StartEnvironment =>
  ({
    tools: known,
    absentTools: {},
    rights: nothing,
    delegation: "own",
    grants: new WeakMap(),
    agents: { find: () => undefined, all: () => [] },
    ...more,
  }) as unknown as StartEnvironment

const agent = (tools?: readonly string[], more: Partial<AgentInput> = {}) =>
  defineAgent({ name: "a", instructions: "a", ...(tools && { tools }), ...more } as AgentInput)

const run = (start: Partial<RunStart>, rights: readonly RuleSet[] = []): RunState => ({
  ...emptyRunState("p"),
  start: { ...runStart, agent: "p", delegation: "own", ...start },
  rights,
})

const deny = (...tools: readonly string[]): RuleSet => ({
  of: 'agent "p"',
  agent: "p",
  rules: tools.map((name) => ({ tool: name, decision: "deny" })),
  otherwise: "allow",
})

/** The tools of a run, one line for each group. */
function settled(beginning: Partial<Beginning>, more: Partial<StartEnvironment> = {}) {
  const { delegation, ceiling, granted, delegates, lacks } = settleTools(environment(more), {
    agent: agent(["Read", "Bash"]),
    ...beginning,
  } as Beginning)
  return {
    delegation,
    ceiling: ceiling.join(" "),
    granted: granted.join(" "),
    ...(delegates.length > 0 && { delegates: delegates.join(" ") }),
    ...(lacks.length > 0 && { lacks: lacks.map(({ tool: name, by }) => `${name}: ${by.type}`) }),
  }
}

const all = "Read Bash Edit Agent"
const own = { delegation: "own", ceiling: all, granted: "Read Bash" }

describe("where each has the tools of its own definition", () => {
  test.each<[string, Partial<Beginning>, Partial<StartEnvironment>, object]>([
    ["a root", {}, {}, own],
    ["without a list", { agent: agent() }, {}, { ...own, granted: all }],
    [
      "that the call narrows",
      { tools: ["Read", "Edit"] },
      {},
      { ...own, ceiling: "Read Edit", granted: "Read", lacks: ["Bash: call"] },
    ],
    [
      "under a configuration that denies",
      {},
      { rights: { ...nothing, rules: deny("Bash").rules } },
      { ...own, granted: "Read", lacks: ["Bash: rules"] },
    ],
    ["below one with fewer tools", { parent: run({ tools: ["Agent"] }) }, {}, own],
    [
      "below one that is denied something",
      { parent: run({ tools: ["Agent"] }, [deny("Bash")]) },
      {},
      { ...own, granted: "Read", lacks: ["Bash: rules"] },
    ],
    [
      "below a ceiling",
      { parent: run({ tools: ["Agent"] }), ceiling: ["Read", "Agent"] },
      {},
      { ...own, ceiling: "Read Agent", granted: "Read", lacks: ["Bash: call"] },
    ],
    [
      "without a list of its own below one",
      { agent: agent(), parent: run({ tools: ["Read"] }) },
      {},
      { ...own, granted: "Read" },
    ],
    [
      "with the task of a root before it",
      { follows: run({ ceiling: ["Read", "Bash"], tools: ["Read"] }) },
      {},
      { ...own, ceiling: "Read Bash" },
    ],
    [
      "with the task of a root whose log says no ceiling",
      { follows: run({ tools: ["Read"] }) },
      {},
      { ...own, ceiling: "Read", granted: "Read", lacks: ["Bash: call"] },
    ],
  ])("%s", (_, beginning, more, expected) => expect(settled(beginning, more)).toEqual(expected))
})

describe("where each has no more than its caller", () => {
  const narrow = { delegation: "narrow" as const }
  test.each<[string, Partial<Beginning>, object]>([
    ["a root", {}, { ...narrow, ceiling: all, granted: "Read Bash" }],
    [
      "below one with fewer tools",
      { parent: run({ tools: ["Read", "Agent"] }) },
      { ...narrow, ceiling: "Read Agent", granted: "Read", lacks: ["Bash: caller"] },
    ],
    [
      "below one that hands them on",
      { parent: run({ tools: ["Read"], delegates: ["Bash"] }) },
      { ...narrow, ceiling: "Read Bash", granted: "Read Bash" },
    ],
    [
      "with some to hand on",
      { agent: agent(["Read"], { delegates: ["Bash"] }) },
      { ...narrow, ceiling: all, granted: "Read", delegates: "Bash" },
    ],
  ])("%s", (_, beginning, expected) => expect(settled(beginning, narrow)).toEqual(expected))

  describe("scripts belong to the definition that brings them", () => {
    const script = { name: "count", description: "Counts.", script: "/agents/count.pym" }
    const more = {
      ...narrow,
      tools: new Map(known).set("count", {
        ...tool("count"),
        ofDefinition: () => ({ problem: "it is not read here" }),
      } as Tool),
    }
    const bringing = agent(["Read", "count"], { toolDefinitions: [script] })
    test.each<[string, Partial<Beginning>, object]>([
      [
        "a child has its own, which its caller does not have",
        { agent: bringing, parent: run({ tools: ["Read"] }) },
        { granted: "Read count" },
      ],
      [
        "a child has none of its caller's, also where its caller would hand it on",
        { agent: agent(["Read", "count"]), parent: run({ tools: ["Read", "count"], delegates: ["count"] }) },
        { granted: "Read" },
      ],
      [
        "the call of the child bounds them",
        { agent: bringing, parent: run({ tools: ["Read"] }), tools: ["Read"] },
        { granted: "Read", lacks: ["count: caller"] },
      ],
      [
        "the first call of the tree bounds them",
        { agent: bringing, parent: run({ tools: ["Read"] }), ceiling: ["Read"] },
        { granted: "Read", lacks: ["count: caller"] },
      ],
      [
        "the agent cannot hand them on",
        { agent: agent(["Read"], { toolDefinitions: [script], delegates: ["count"] }) },
        { granted: "Read" },
      ],
    ])("%s", (_, beginning, { granted, lacks }: { granted?: string; lacks?: readonly string[] }) => {
      const { ceiling: _ceiling, ...found } = settled(beginning, more)
      expect(found).toEqual({ ...narrow, granted, ...(lacks && { lacks }) })
    })
  })

  test("a tree keeps the rule that it began with, and only a stricter one can take its place", () => {
    const of = (before: Partial<RunStart>, delegation: "own" | "narrow") =>
      settled({ parent: run({ tools: ["Read"], ...before }) }, { delegation }).delegation
    expect([
      of({}, "own"),
      of({}, "narrow"),
      of({ delegation: "narrow" }, "own"),
      of({ delegation: undefined as never }, "own"),
    ]).toEqual(["own", "narrow", "narrow", "narrow"])
  })
})

test("a name that nobody knows in the list of a call is told", () => {
  expect(() => settled({ tools: ["Raed"] })).toThrow(/There is no tool named "Raed"\..*Read/)
})

test("children of one agent share what was settled, and others do not", () => {
  const around = environment()
  const parent = run({ tools: ["Read"] })
  const child = agent(["Read"])
  const of = (beginning: Partial<Beginning>) =>
    settleTools(around, { agent: child, parent, ...beginning } as Beginning)
  const first = of({})
  expect(of({})).toBe(first)
  expect(of({ agent: agent(["Read"]) })).not.toBe(first)
  expect(of({ ceiling: ["Bash"] }).granted).toEqual([])
  expect(of({ parent: { ...parent, start: { ...parent.start!, tools: ["Bash"] } } })).not.toBe(first)
})

describe("the tools of an agent are settled once for a runtime", () => {
  const one = agent(["Read", "Bash"])
  const settle = (around: StartEnvironment, beginning: Partial<Beginning> = {}) =>
    settleTools(around, { agent: one, ...beginning } as Beginning)

  test("for a root, and for the children of one caller", () => {
    const around = environment()
    expect(settle(around)).toBe(settle(around))
    const parent = run({ tools: ["Agent"] })
    expect(settle(around, { parent })).toBe(settle(around, { parent }))
    expect(settle(around, { parent })).not.toBe(settle(around))
  })

  test.each<[string, Partial<Beginning>]>([
    ["another list of the call", { tools: ["Read"] }],
    ["a root with the task of another", { follows: run({ tools: ["Read"], ceiling: ["Read"] }) }],
    ["a continued run", { continuedRun: { ...run({ tools: ["Read"] }), ceiling: ["Read"] } as never }],
    ["another ceiling of its tree", { ceiling: ["Read"] }],
  ])("and anew for %s", (_, beginning) => {
    const around = environment()
    const usual = settle(around)
    expect(settle(around, beginning).granted).toEqual(["Read"])
    expect(settle(around)).toEqual(usual)
    expect(settle(around, beginning).granted).toEqual(["Read"])
  })
})
