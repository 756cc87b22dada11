import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartError } from "../../ground/errors.ts"
import { agentTool } from "../../world/tools/agent.ts"
import type { Lack } from "../log/event-rights.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { configurationOwner } from "../rights/rule-sets.ts"
import { emptyRunState } from "../state/state.ts"
import {
  addLackPlaces,
  findDepthLacks,
  findLackReason,
  findLacks,
  findProgramLacks,
  readRuleReason,
  requireAcceptedTools,
  requireProgramTools,
  requireTools,
} from "./lacks.ts"
import { addProblemPlaces } from "./start-problems.ts"

const tools = new Map<string, Tool>(
  [
    tool("Read"),
    tool("Bash"),
    tool("Edit"),
    agentTool(),
    { ...tool("Executor"), unoffered: true } as Tool,
  ].map((one) => [one.name, one]),
)
const agent = (list: readonly string[] | undefined, more: Partial<AgentInput> = {}) =>
  defineAgent({ name: "a", instructions: "a", ...(list && { tools: list }), ...more } as AgentInput)
const caller = agent(undefined, {
  name: "p",
  rules: [{ tool: "run_shell_command", decision: "deny" }],
  disallowedTools: ["Edit"],
} as never)
const nothing = { of: configurationOwner, rules: [], otherwise: "allow" } as const
const environment = (more: object = {}): StartEnvironment =>
  ({
    tools,
    absentTools: {},
    rights: nothing,
    limits: { maxDepth: 3 },
    agents: { find: (name: string) => (name === "p" ? caller : undefined), all: () => [caller] },
    ...more,
  }) as unknown as StartEnvironment
const rule = (name: string, decision = "deny") => ({ tool: name, decision })
const set = (more: object) => ({ of: 'agent "p"', agent: "p", rules: [], otherwise: "allow", ...more })
const run = (rights: readonly object[] = [], more: object = {}) =>
  ({ ...emptyRunState("p"), start: { ...runStart, agent: "p", ...more }, rights }) as never
const grant = (granted: readonly string[] = [], more: object = {}) =>
  ({ delegation: "own", ceiling: [...tools.keys()], granted, delegates: [], lacks: [], ...more }) as never
const problemsOf = (work: () => void): readonly unknown[] => {
  try {
    work()
    return []
  } catch (error) {
    return (error as StartError).problems
  }
}

describe("why a run lacks a tool", () => {
  const why = (beginning: object, name = "Bash", given: object = {}, more: object = {}) =>
    findLackReason(
      environment(more),
      { agent: agent(["Bash"]), ...beginning } as never,
      grant([], given),
      name,
    )

  test.each<[string, unknown, object]>([
    ["no model is offered it", why({}, "Executor"), { type: "unoffered" }],
    ["the call left it out", why({}, "Bash", { ceiling: ["Read"] }), { type: "call" }],
    [
      "rules of its caller",
      why({ parent: run([set({ rules: [rule("Bash")] })]) }),
      { type: "rules", of: 'agent "p"', agent: "p", rule: "run_shell_command" },
    ],
    [
      "rules of the configuration",
      why({}, "Bash", {}, { rights: { ...nothing, rules: [rule("Bash")] } }),
      { type: "rules", of: configurationOwner, rule: "Bash" },
    ],
    [
      "a caller that allows nothing else",
      why({ parent: run([set({ otherwise: "deny" })]) }),
      { type: "rules", of: 'agent "p"', agent: "p" },
    ],
    [
      "a caller in plan mode",
      why({ parent: run([set({ of: "the plan mode of p", otherwise: "deny" })]) }),
      { type: "mode", mode: "plan", agent: "p" },
    ],
    [
      "its caller does not have it",
      why({ parent: run() }, "Bash", { delegation: "narrow" }),
      { type: "caller", agent: "p" },
    ],
    ["the call gave it nothing", why({}, "Bash", { delegation: "narrow" }), { type: "call" }],
    [
      "rules that the runtime made itself are no reason",
      why({ parent: run([{ of: "x", rules: [rule("Bash")], otherwise: "allow" }]) }),
      { type: "caller", agent: "p" },
    ],
    [
      "a run that it continues was denied it",
      why({ continuedRun: run([set({ rules: [rule("Bash")] })]), continues: "old" }),
      { type: "continued", run: "old", denied: true },
    ],
    [
      "a run that it continues, whose rules hold still",
      why(
        { continuedRun: run([set({ rules: [rule("Bash")] })]), continues: "old" },
        "Bash",
        {},
        { rights: { ...nothing, rules: [rule("Bash")] } },
      ),
      { type: "rules", of: configurationOwner, rule: "Bash" },
    ],
    [
      "a run that it continues could not have more than its caller",
      why({ continuedRun: { ...(run() as object), heir: true }, continues: "old" }),
      { type: "continued", run: "old" },
    ],
    [
      "a run that it continues had it",
      why({ continuedRun: { ...(run([], { tools: ["Bash"] }) as object), heir: true }, continues: "old" }),
      { type: "call" },
    ],
  ])("%s", (_, reason, expected) => expect(reason).toEqual(expected))

  test("is told with the rule as it was written, or as it is stored", () => {
    const denial = { of: 'agent "p"', agent: "p" }
    expect(readRuleReason(environment(), { ...denial, rule: "Bash" })).toMatchObject({
      rule: "run_shell_command",
    })
    expect(readRuleReason(environment(), { ...denial, rule: "Grep" })).toMatchObject({ rule: "Grep" })
  })
})

describe("what a definition asks for and does not get", () => {
  const lacks = (
    list: readonly string[] | undefined,
    granted: readonly string[],
    beginning: object = {},
    more: object = {},
  ) =>
    findLacks(environment(more), { agent: agent(list), ...beginning } as never, grant(granted)).map(
      ({ tool: name, by }) => `${name}: ${by.type}`,
    )

  test.each<[string, readonly string[], readonly string[]]>([
    ["nothing", lacks(["Read"], ["Read"]), []],
    [
      "a tool that is absent here",
      lacks(["Shot"], [], {}, { absentTools: { Shot: "no screen" } }),
      ["Shot: absent"],
    ],
    [
      "a tool that a caller keeps",
      lacks(["Read", "Bash"], ["Read"], { parent: run([set({ rules: [rule("Bash")] })]) }),
      ["Bash: rules"],
    ],
    ["what a pattern means", lacks(["B*", "E*"], ["Edit"], { parent: run() }), ["Bash: caller"]],
    ["the result is none", lacks(["submit_result"], []), []],
    ["nothing as a root, without a list", lacks(undefined, ["Read"]), []],
  ])("%s", (_, found, expected) => expect(found).toEqual(expected))

  test("is not told of an agent that a program runs", () => {
    const beginning = { agent: agent(["Bash"], { executor: "x" } as never) } as never
    expect(findLacks(environment(), beginning, grant())).toEqual([])
  })
})

describe("what a program is not given", () => {
  const taken = (more: object) => ({ tool: "Bash", ...more }) as never
  const lacks = (...given: readonly object[]) =>
    findProgramLacks(
      environment(),
      { agent: agent(["Bash"]), parent: run() } as never,
      grant(),
      given.map(taken),
    )

  test.each<[string, object, object | undefined]>([
    ["by its own definition is no lack", { own: true }, undefined],
    [
      "by rules",
      { by: { of: "x", agent: "p", rule: "Bash" } },
      { type: "rules", of: "x", agent: "p", rule: "run_shell_command" },
    ],
    [
      "because a person would be asked",
      { asks: true, by: { of: "x", agent: "p", rule: "Bash" } },
      { type: "rules", of: "x", agent: "p", rule: "run_shell_command", asks: true },
    ],
    ["by rules that the runtime made", { by: { of: "x", rule: "Bash" } }, { type: "caller", agent: "p" }],
    ["for another reason", { asks: true }, { type: "caller", agent: "p" }],
  ])("%s", (_, given, expected) => {
    expect(lacks(given)).toEqual(expected === undefined ? [] : [{ tool: "Bash", by: expected }])
  })

  test.each<[string, object, readonly unknown[]]>([
    ["nothing was taken", { programTools: [] }, []],
    ["something is left", { programTools: ["Read"], taken: [taken({ own: true })] }, []],
    ["it needs none", { taken: [taken({ own: true })] }, []],
    [
      "all of it was taken",
      {
        programTools: [],
        taken: [taken({ own: true }), taken({ tool: "Read", by: { of: "x", agent: "p", rule: "Read" } })],
      },
      [
        {
          code: "EXECUTOR_DENIED",
          kind: "written",
          rule: "executor-unheard",
          part: "tools.allow",
          message: naming('"a"', "Bash", "own", "Read"),
        },
      ],
    ],
  ])("%s", async (_, planned, expected) => {
    const beginning = { agent: agent(["Bash"]), parent: run() } as never
    const started = requireProgramTools(environment(), beginning, grant(), planned as never)
    if (expected.length === 0) await started
    else await expect(started).rejects.toMatchObject({ problems: expected })
  })
})

describe("what a run at the depth limit is not offered", () => {
  const lacks = (
    start: object,
    list: readonly string[] | undefined = ["Agent"],
    more: object = {},
    withheld = ["Agent"],
  ) => findDepthLacks(environment(), { agent: agent(list, more as never) } as never, start as never, withheld)
  const at = (depth: number, maxDepth = 3) => ({ depth, limits: { maxDepth } })
  const lack = (more: object = {}) => ({
    tool: "Agent",
    by: { type: "limit", limit: "maxDepth", value: 3, ...more },
  })

  test.each<[string, readonly Lack[], readonly object[]]>([
    ["the tool that it lists", lacks(at(3)), [lack()]],
    ["the tool that its pattern means", lacks(at(4), ["*"]), [lack()]],
    ["nothing above it", lacks(at(2)), []],
    ["nothing that it does not list", lacks(at(3), ["Read"]), []],
    [
      "nothing without a list",
      findDepthLacks(environment(), { agent: agent(undefined) } as never, at(3) as never, ["Agent"]),
      [],
    ],
    ["nothing that is no such tool", lacks(at(3), ["Read"], {}, ["Read"]), []],
    ["nothing where nothing is withheld", lacks(at(3), ["Agent"], {}, []), []],
    [
      "by its own limit",
      lacks(at(1, 1), ["Agent"], { limits: { maxDepth: 1 } }),
      [lack({ value: 1, agent: "a" })],
    ],
  ])("%s", (_, found, expected) => expect(found).toEqual(expected))
})

describe("a lack has its place", () => {
  const place = async (by: object, at: object | undefined = { at: "a.md:3" }) => {
    const asked: unknown[] = []
    const writtenAt = async (query: unknown) => {
      asked.push(query)
      return at
    }
    const [lack] = await addLackPlaces(environment({ writtenAt }), [{ tool: "Bash", by } as never])
    return [lack, asked]
  }
  test.each<[string, object, object | undefined]>([
    ["in the list of its caller", { type: "caller", agent: "p" }, { agent: caller, part: "tools.allow" }],
    ["nowhere, of a caller that is not known", { type: "caller", agent: "x" }, undefined],
    [
      "in a rule of an agent",
      { type: "rules", of: "x", agent: "p", rule: "Bash" },
      { agent: caller, part: "rules", index: 0 },
    ],
    [
      "in a denial of an agent",
      { type: "rules", of: "x", agent: "p", rule: "Edit" },
      { agent: caller, part: "tools.deny", index: 0 },
    ],
    ["nowhere, of a rule that is gone", { type: "rules", of: "x", agent: "p", rule: "Grep" }, undefined],
    ["nowhere, without a rule", { type: "rules", of: "x", agent: "p" }, undefined],
    [
      "in the configuration",
      { type: "rules", of: configurationOwner, rule: "Bash" },
      { rule: "Bash", decision: "deny" },
    ],
    [
      "in the configuration, that asks",
      { type: "rules", of: configurationOwner, rule: "Bash", asks: true },
      { rule: "Bash", decision: "ask" },
    ],
    ["nowhere, of another's rule", { type: "rules", of: "x", rule: "Bash" }, undefined],
    [
      "at the mode of an agent",
      { type: "mode", mode: "plan", agent: "p" },
      { agent: caller, part: "permissionMode" },
    ],
    ["nowhere, of the mode of the tree", { type: "mode", mode: "plan" }, undefined],
    [
      "at the limit of an agent",
      { type: "limit", limit: "maxDepth", value: 1, agent: "p" },
      { agent: caller, part: "limits.maxDepth" },
    ],
    ["at the limit of all", { type: "limit", limit: "maxDepth", value: 1 }, { limit: "maxDepth" }],
    ["nowhere, of a call", { type: "call" }, undefined],
  ])("%s", async (_, by, query) => {
    expect(await place(by)).toEqual([
      { tool: "Bash", by, ...(query && { at: "a.md:3" }) },
      query === undefined ? [] : [query],
    ])
  })

  test("or the mode that it comes from, or none", async () => {
    const by = { type: "mode", mode: "plan", agent: "p" }
    expect((await place(by, { mode: "plan" }))[0]).toEqual({
      tool: "Bash",
      by: { type: "mode", mode: "plan" },
    })
    expect((await place(by, {}))[0]).toEqual({ tool: "Bash", by })
    const failing = environment({ writtenAt: () => Promise.reject(new Error("no")) })
    const lacks = [{ tool: "Bash", by }] as never
    expect(await addLackPlaces(failing, lacks)).toEqual(lacks)
    expect(await addLackPlaces(environment(), lacks)).toBe(lacks)
  })
})

describe("a run does not start", () => {
  test("with tools that changed since they were accepted", () => {
    const asked: unknown[] = []
    const toolSource = (refusal: string | undefined) =>
      ({ refusal: (...given: unknown[]) => (asked.push(given[0]), refusal) }) as never
    const given = grant(["Read"], { delegates: ["Edit"] })
    expect(problemsOf(() => requireAcceptedTools(agent(["Bash"]), given, {}))).toEqual([])
    expect(
      problemsOf(() => requireAcceptedTools(agent(["Bash"]), given, { toolSource: toolSource(undefined) })),
    ).toEqual([])
    expect(
      problemsOf(() => requireAcceptedTools(agent(["Bash"]), given, { toolSource: toolSource("s changed") })),
    ).toEqual([
      { code: "MCP_TOOLS_CHANGED", kind: "here", part: "tools.allow", message: naming('"a"', "s changed") },
    ])
    expect(asked[0]).toEqual(["Read", "Edit", "Bash"])
  })

  const absent = { tool: "Bash", by: { type: "absent", reason: "no shell" } }
  const ruled = { tool: "Bash", by: { type: "rules", of: "x" } }
  const denied = (
    list: readonly string[] | undefined,
    given: object,
    more: object = {},
    parts: object = {},
  ) =>
    problemsOf(() => requireTools(agent(list, parts as never), given as never, environment(more))).map(
      (one) => {
        const { kind, message } = one as { kind: string; message: string }
        return [kind, message]
      },
    )
  const none = { granted: [], lacks: [] }
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "without any tool that it lists",
      denied(["Bash"], { granted: [], lacks: [ruled] }),
      [["written", naming("Bash")]],
    ],
    [
      "without one that is here",
      denied(["Bash"], { granted: [], lacks: [absent] }),
      [["here", naming("no shell")]],
    ],
    [
      "without some that are here",
      denied(["Bash"], { granted: [], lacks: [absent, ruled] }),
      [["written", naming("Bash")]],
    ],
    [
      "with tools that are never offered alone",
      denied(["Executor"], none),
      [["written", naming("Executor")]],
    ],
    [
      "with tools that it denies itself",
      denied(["Bash", "submit_result"], none),
      [["written", naming("Bash:", "disallowedTools")]],
    ],
  ])("%s", (_, found, expected) => expect(found).toEqual(expected))

  test.each<[string, readonly unknown[]]>([
    ["with one of them", denied(["Bash", "Read"], { granted: ["Read"], lacks: [ruled] })],
    ["without a list", denied(undefined, none)],
    ["with an empty list", denied([], none)],
    ["with nothing but its result", denied(["submit_result"], none)],
    ["with a name that is told elsewhere", denied(["Bash", "Nope"], none)],
    [
      "with tools of a source that was not asked yet",
      denied(["Bash"], none, { toolSource: { mayHave: () => true } }),
    ],
    ["by a program", denied(["Bash"], none, {}, { executor: "x" })],
  ])("but it does %s", (_, found) => expect(found).toEqual([]))
})

describe("a problem has its place", () => {
  const agents = {
    placeOf: (_: unknown, { part }: { part?: string }) => (part ? { file: "a.md", line: 1 } : undefined),
  }
  const settingPlace = ({ setting }: { setting?: string }) =>
    setting === "known" ? { file: "config.yaml", line: 2 } : undefined
  const placed = (problem: object) =>
    addProblemPlaces({ agents, settingPlace } as never, agent(["Bash"]), [
      { message: "no", ...problem } as never,
    ])[0]?.place

  test.each<[object, object | undefined]>([
    [
      { kind: "written", part: "tools" },
      { file: "a.md", line: 1 },
    ],
    [{ kind: "written" }, undefined],
    [{ kind: "call" }, undefined],
    [
      { kind: "call", part: "tools" },
      { file: "a.md", line: 1 },
    ],
    [
      { kind: "here", setting: "known" },
      { file: "config.yaml", line: 2 },
    ],
    [
      { kind: "here", setting: "known", part: "tools" },
      { file: "config.yaml", line: 2 },
    ],
    [{ kind: "here", setting: "missing" }, undefined],
    [
      { kind: "here", setting: "missing", part: "tools" },
      { file: "a.md", line: 1 },
    ],
    [{ kind: "written", part: "tools", place: { file: "b.md" } }, { file: "b.md" }],
  ])("%j", (problem, place) => expect(placed(problem)).toEqual(place))
})
