import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { runStart } from "../../../test/run-start.ts"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { agentTool } from "../../world/tools/agent.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { GrantedTools } from "../ports/granted-tools.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { anchorRules, buildRuleSets, collectRights, hasRuleSet, toCanonicalNames } from "./rule-sets.ts"

const known = new Map(
  [
    tool("Read"),
    tool("Bash", undefined, { effect: "opaque" }),
    tool("Edit", undefined, { effect: "idempotent" }),
    agentTool(),
  ].map((one): [string, Tool] => [one.name, one]),
)
const agent = (more: object = {}) => defineAgent({ name: "a", instructions: "a", ...more } as AgentInput)

/** A set in one line: owner, tools, rules, and default decision. */
const brief = ({ of, own, agent: name, tools, rules, otherwise }: RuleSet) =>
  [
    of,
    ...(name === undefined ? [] : [`of ${name}`]),
    ...(own ? ["own"] : []),
    ...(tools ? [`for ${tools.join(" ")}`] : []),
    ...rules.map((rule) => `${rule.decision} ${rule.tool}`),
    `else ${otherwise}`,
  ].join("; ")

describe("what the file of an agent allows it", () => {
  const plain = 'agent "a"; else allow'
  test.each<[string, object, readonly string[]]>([
    ["nothing said", {}, [plain]],
    [
      "rules and denials",
      { rules: [{ tool: "Bash(rm:*)", decision: "ask" }], disallowedTools: ["Edit"] },
      ['agent "a"; of a; ask Bash(rm:*); deny Edit; else allow'],
    ],
    [
      "plan mode",
      { permissionMode: "plan" },
      [plain, expect.stringMatching(/^the plan mode of agent "a"; of a; allow Read;.*else deny$/)],
    ],
    ["another mode", { permissionMode: "acceptEdits" }, [plain]],
    ["whole tools", { tools: ["Read", "Bash"] }, [plain]],
    [
      "uses of a tool",
      { tools: ["Bash(git:*)", "Bash(ls)"] },
      [plain, 'the tools of agent "a"; own; for Bash; allow Bash(git:*); allow Bash(ls); else deny'],
    ],
    ["uses of a tool that it has as a whole", { tools: ["Bash(git:*)", "Bash"] }, [plain]],
    [
      "commands whose output may go into files",
      { tools: ["Bash(git:*)", "Edit"] },
      [plain, 'the tools of agent "a"; own; for Bash; allow Bash(git:*); allow Edit(/w/**); else deny'],
    ],
    [
      "and not where files are denied",
      { tools: ["Bash(git:*)", "Edit"], disallowedTools: ["Edit"] },
      [expect.any(String), 'the tools of agent "a"; own; for Bash; allow Bash(git:*); else deny'],
    ],
    [
      "agents, however they are written",
      { tools: ["Task(b, c)"] },
      [plain, 'the tools of agent "a"; own; for Agent; allow Agent(b); allow Agent(c); else deny'],
    ],
  ])("%s", (_, more, expected) => {
    expect(buildRuleSets(agent(more), known, "/w", "own").map(brief)).toEqual(expected)
  })

  test("and what it may hand on, where callers bind those below", () => {
    const sets = buildRuleSets(
      agent({ tools: ["Bash(ls)"], delegates: ["Bash(git:*)", "Read(/a)"] }),
      known,
      "/w",
      "narrow",
    )
    expect(sets.map(brief)).toEqual([
      plain,
      'the tools of agent "a"; for Bash; allow Bash(ls); else deny',
      'what agent "a" may hand on; for Read; allow Read(/a); else deny',
    ])
  })
})

describe("everything that binds a run", () => {
  const configuration: RuleSet = {
    of: "the configuration",
    rules: [{ tool: "Edit", decision: "ask" }],
    otherwise: "allow",
  }
  const around = { tools: known, rights: configuration } as never
  const grant = (more: Partial<GrantedTools> = {}) =>
    ({ delegation: "own", ceiling: ["Read", "Bash", "Edit"], ...more }) as GrantedTools
  const state = (name: string, rights: readonly RuleSet[]): RunState => ({
    ...emptyRunState("p"),
    start: { ...runStart, agent: name, cwd: "/w" },
    rights,
  })
  const of = (one: object, beginning: Partial<Beginning> = {}, more: Partial<GrantedTools> = {}) =>
    collectRights(agent(one), around, "/w", beginning, grant(more)).map(brief)
  const mine = 'agent "a"; else allow'
  const theirs = "the configuration; ask Edit; else allow"
  const list: RuleSet = {
    of: 'the tools of agent "p"',
    own: true,
    tools: ["Bash"],
    rules: [{ tool: "Bash(ls)", decision: "allow" }],
    otherwise: "deny",
  }
  const denied: RuleSet = {
    of: 'agent "p"',
    agent: "p",
    rules: [{ tool: "Bash", decision: "deny" }],
    otherwise: "allow",
  }
  test.each<[string, object, Partial<Beginning>, Partial<GrantedTools>, readonly string[]]>([
    ["a root: its own, and the configuration's", {}, {}, {}, [mine, theirs]],
    [
      "a root of a tree without commands: nor its hooks",
      {},
      {},
      { ceiling: ["Read"] },
      [mine, theirs, expect.stringMatching(/started.*tree.*deny Bash; else allow.?$/)],
    ],
    [
      "a child: what its caller is denied, and not its caller's list",
      {},
      { parent: state("p", [list, denied]) },
      {},
      [
        mine,
        'the tools of agent "p"; own; for Bash; allow Bash(ls); else deny',
        'agent "p"; of p; deny Bash; else allow',
      ],
    ],
    [
      "a child with a list of its own",
      { tools: ["Read"] },
      { parent: state("p", [list, denied]) },
      {},
      [mine, 'agent "p"; of p; deny Bash; else allow'],
    ],
    [
      "a child, where callers bind those below: the list as well",
      { tools: ["Read"] },
      { parent: state("p", [list]) },
      { delegation: "narrow" },
      [mine, 'the tools of agent "p"; for Bash; allow Bash(ls); else deny'],
    ],
    [
      "a child of a tree without commands, where callers bind",
      { tools: ["Read"] },
      { parent: state("p", []) },
      { delegation: "narrow", ceiling: [] },
      [mine, 'the tools that agent "p" may give; deny Bash; else allow'],
    ],
    [
      "a root with the task of another: what bound that one, without its list",
      {},
      { follows: state("p", [list, denied]) },
      {},
      [mine, 'agent "p"; of p; deny Bash; else allow', theirs],
    ],
    ["each once", {}, { follows: state("p", [configuration]) }, {}, [mine, theirs]],
    [
      "a denial of somebody else under the same name stays",
      {},
      { follows: state("p", [{ ...list, agent: "q" }]) },
      {},
      [mine, 'the tools of agent "p"; of q; own; for Bash; allow Bash(ls); else deny', theirs],
    ],
  ])("%s", (_, one, beginning, more, expected) => expect(of(one, beginning, more)).toEqual(expected))

  test("a child with a pipeline: its caller's list, but no entries for agents", () => {
    const agents: RuleSet = { ...list, tools: ["Agent"], rules: [{ tool: "Agent(b)", decision: "allow" }] }
    const inherited = (one: Agent) =>
      collectRights(one, around, "/w", { parent: state("p", [list, agents]) }, grant()).map(brief)
    const plain = agent({})
    const ofList = 'the tools of agent "p"; own; for Bash; allow Bash(ls); else deny'
    const ofAgents = 'the tools of agent "p"; own; for Agent; allow Agent(b); else deny'
    expect(inherited(plain)).toEqual([mine, ofList, ofAgents])
    expect(inherited({ ...plain, pipeline: {} as never })).toEqual([mine, ofList])
  })

  test("the children of one agent share one list, except in another folder", () => {
    const parent = state("p", [denied])
    const one = agent({})
    const of = (cwd: string) => collectRights(one, around, cwd, { parent }, grant())
    expect(of("/w")).toBe(of("/w"))
    expect(of("/other")).not.toBe(of("/w"))
  })
})

test.each([
  ["Bash", ["Bash"]],
  ["Task", ["Agent"]],
  ["Task(a)", ["Agent(a)"]],
  ["Agent(a)", ["Agent(a)"]],
  ["run_shell_command(ls)", ["Bash(ls)"]],
  ["nobody", ["nobody"]],
])("%s is %j here", (text, expected) => expect(toCanonicalNames(text, known)).toEqual(expected))

test("rules about paths begin where the run works", () => {
  const rules = (...tools: readonly string[]): RuleSet => ({
    of: "x",
    rules: tools.map((one) => ({ tool: one, decision: "deny" })),
    otherwise: "ask",
  })
  expect(anchorRules(rules("Read(./a)", "Read(secret)", "Bash(ls)", "Read(/b/*)"), known, "/w")).toEqual(
    rules("Read(/w/a)", "Read(/**/secret)", "Bash(ls)", "Read(/b/*)"),
  )
})

test("a set is among others where one says the same", () => {
  const one: RuleSet = { of: "x", rules: [{ tool: "w", decision: "deny" }], otherwise: "allow" }
  expect([
    hasRuleSet([one], { ...one }),
    hasRuleSet([one], { ...one, of: "y" }),
    hasRuleSet([], one),
  ]).toEqual([true, false, false])
})
