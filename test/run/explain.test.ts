import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { rounds } from "../rounds.ts"
import { absentTools, type Began, both, type Case, recorded, told, worldOf } from "./explain-kit.ts"

const cases: Readonly<Record<string, Case>> = {
  "nothing said": { agent: {} },
  "a model of its own": { agent: { model: "two" } },
  "a preset": { agent: { model: "fast" } },
  "an object": { agent: { model: { model: "two", parameters: { temperature: 0 } } } },
  "a list": { agent: { model: ["three", "two"] } },
  null: { agent: { model: null } },
  "null below a parent": { agent: { model: null }, parents: [{ model: "two" }] },
  "inherit below a parent": { agent: { model: "inherit" }, parents: [{ model: "two" }] },
  "nothing below a parent": { agent: {}, parents: [{ model: ["two", "three"] }] },
  "parameters over the parent's model": {
    agent: { model: { parameters: { seed: 1 } } },
    parents: [{ model: "two" }],
  },
  "a call's model": { agent: { model: "two" }, called: { model: "three" } },
  "a call's model below a parent": {
    agent: { model: "two" },
    called: { model: "three" },
    parents: [{}],
  },
  "a call that inherits": {
    agent: { model: "two" },
    called: { model: "inherit" },
    parents: [{ model: "three" }],
  },
  "limits from everywhere": {
    agent: { limits: { maxTurns: 7, maxTokens: 9_000 } },
    called: { limits: { maxTurns: 5, timeout: 60_000 } },
    runtime: { limits: { maxTurns: 9, maxSpawns: 3, maxCost: 2 } },
  },
  "limits below a tighter parent": {
    agent: { limits: { timeout: 900_000, maxDepth: 9, maxTokens: 100_000 } },
    parents: [{ limits: { timeout: 600_000, maxDepth: 2, maxTokens: 50_000, maxConcurrency: 2 } }],
  },
  "limits below a wider parent": {
    agent: { limits: { timeout: 9_000, maxDepth: 1 } },
    parents: [{ limits: { timeout: 600_000, maxDepth: 2 } }],
    runtime: { limits: { maxTokens: 80_000, maxSpawns: 7 } },
  },
  "the time of a call below a parent": {
    agent: {},
    called: { limits: { timeout: 5_000 } },
    parents: [{}],
  },
  "tools listed, denied and by pattern": { agent: { tools: "Read, Ba*, Agent", disallowedTools: "Bash" } },
  "no tools": { agent: { tools: [] } },
  "tools that the call narrows": { agent: {}, called: { tools: ["Read", "Grep"] } },
  "tools that the parent lacks": { agent: { tools: "Read, Bash" }, parents: [{ tools: "Agent, Read" }] },
  "tools that the parent gives": {
    agent: { tools: "Read, Bash" },
    parents: [{ tools: "Agent", delegates: ["Read", "Bash"], disallowedTools: "Bash" }],
  },
  "another host's names": { agent: { tools: "read_file, run_shell_command" } },
  "a use that is denied": { agent: { disallowedTools: "Bash(rm:*)" } },
  "what is absent": { agent: { tools: "Read, WebSearch" } },
  "the depth limit": { agent: {}, parents: [{ limits: { maxDepth: 1 } }] },
  "the depth limit, two below": { agent: {}, parents: [{}, { limits: { maxDepth: 2 } }] },
  "a result": { agent: { tools: "Read", result: { type: "object" } } },
  variables: {
    agent: { variables: { area: "src", deep: { a: 1 } } },
    called: { variables: { area: "docs", more: 2 } },
  },
}

describe("what is explained is how the run begins", () => {
  test.each(Object.entries(cases))("%s", async (_, given) => {
    const { said, began } = await both(given)
    expect({ problems: said.problems, began }).toEqual({
      problems: [],
      began: { start: expect.anything(), withheld: expect.anything() },
    })
    expect(told(said)).toEqual(recorded(began as Began, said))
  })

  const word = fc.constantFrom
  const list = (...entries: readonly string[]) => fc.uniqueArray(word(...entries), { maxLength: 3 })
  const limits = fc.record(
    {
      maxTurns: fc.integer({ min: 3, max: 9 }),
      maxTokens: fc.integer({ min: 100_000, max: 900_000 }),
      maxSpawns: fc.integer({ min: 5, max: 9 }),
      maxDepth: fc.integer({ min: 1, max: 4 }),
      // Further apart than a slow machine takes from one to the other.
      timeout: fc.integer({ min: 5, max: 9 }).map((tens) => tens * 10_000),
      maxConcurrency: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: [] },
  )
  const model = word<AgentInput["model"]>("one", "two", "fast", "inherit", null, ["three", "one"], "nowhere")
  const agent = fc.record(
    {
      model,
      limits,
      tools: list("Read", "Grep", "Bash", "Agent", "*", "read_file", "WebSearch", "Nobody"),
      disallowedTools: list("Bash", "Gr*", "Bash(rm:*)", "Agent"),
      delegates: list("Read", "Bash"),
      allowModelOverride: fc.boolean(),
      variables: fc.dictionary(word("a", "b", "constructor"), fc.integer()),
    },
    { requiredKeys: [] },
  )
  const parent = fc.record(
    { model: word("one", "two", "inherit"), limits, tools: list("Agent", "Read", "Bash") },
    { requiredKeys: [] },
  )

  test("for any agent, call and parents: a run begins as explained, or is refused for a reason that was", async () => {
    const given = fc.record(
      {
        agent,
        called: fc.record({ model: word("one", "three", "nowhere"), limits }, { requiredKeys: [] }),
        parents: fc.array(parent, { maxLength: 2 }),
        runtime: fc.record({ limits }),
      },
      { requiredKeys: ["agent"] },
    )
    let begun = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(given, async (drawn) => {
        const { called = {}, parents = [], ...rest } = drawn
        const { model, limits: { timeout, ...own } = {} } = called
        // A delegation says a model and a time, and no more.
        const said = {
          ...(model !== undefined && { model }),
          limits: { ...(timeout !== undefined && { timeout }), ...(parents.length === 0 && own) },
        }
        const result = await both({ ...rest, parents, called: said } as Case)
        if ("refused" in result.began) {
          refused++
          expect(result.said.problems).not.toEqual([])
          if (parents.length === 0)
            expect(result.began.refused.split("\n")[0]).toBe(result.said.problems[0]?.message)
        } else {
          begun++
          expect(result.said.problems).toEqual([])
          expect(told(result.said)).toEqual(recorded(result.began, result.said))
        }
      }),
      { numRuns: rounds(400) },
    )
    expect({ begun: begun > rounds(40), refused: refused > rounds(40) }).toEqual({
      begun: true,
      refused: true,
    })
  })
})

describe("whom it overrules", () => {
  const explained = (given: Case) => {
    const { runtime, chain } = worldOf(given)
    return runtime.explain("subject", {
      ...given.called,
      parents: chain.slice(0, -1).map(({ name }) => name),
    })
  }

  test("of models: everybody else who says one, and what that would come to", async () => {
    const { model } = await explained({
      agent: { model: "fast" },
      called: { model: "three" },
      parents: [{ model: "two" }],
    })
    const uses = (name: string) => ({ uses: [{ name }], warnings: [] })
    expect(model).toEqual({
      source: "call",
      requested: "three",
      sees: [],
      ...uses("three"),
      over: [
        { source: "definition", requested: "fast", ...uses("two") },
        { source: "parent", requested: "inherit", ...uses("two") },
        { source: "default", requested: null, ...uses("one") },
      ],
    })
  })

  test("of limits: every value, the strongest first, and what the tree shares", async () => {
    const { limits } = await explained({
      agent: { limits: { maxTurns: 7, timeout: 900_000, maxTokens: 10 } },
      called: { limits: { maxTurns: 5 } },
      parents: [{ limits: { timeout: 60_000, maxTokens: 70 } }],
      runtime: { limits: { maxTurns: 9, maxCost: 2 } },
    })
    const found = new Map(limits.map(({ name, ...rest }) => [name, rest]))
    expect([...found.keys()]).toHaveLength(16)
    expect(
      Object.fromEntries(
        (["maxTurns", "timeout", "maxTokens", "maxCost", "approvalTimeout"] as const).map((name) => [
          name,
          found.get(name),
        ]),
      ),
    ).toEqual({
      maxTurns: {
        value: 5,
        source: "call",
        over: [
          { source: "definition", value: 7 },
          { source: "configuration", value: 9 },
          { source: "default", value: 100 },
        ],
      },
      timeout: {
        value: 60_000,
        source: "parent",
        over: [
          { source: "definition", value: 900_000 },
          { source: "default", value: 3_600_000 },
        ],
      },
      maxTokens: { value: 10, source: "definition", over: [], shared: { value: 70, agent: "lead0" } },
      maxCost: { over: [{ source: "configuration", value: 2 }], shared: { value: 2, agent: "lead0" } },
      approvalTimeout: { over: [] },
    })
  })

  test("of tools: why each is there or not, and what would have granted it", async () => {
    const { tools } = await explained({
      agent: {
        tools: "Read, Ba*, Agent, WebSearch, EnterPlanMode, Nobody",
        disallowedTools: "Bash",
        delegates: ["Grep"],
      },
      parents: [{ limits: { maxDepth: 1 }, tools: "Agent, Bash, Grep" }],
      runtime: { delegation: "narrow" },
    })
    expect(tools).toEqual([
      { name: "Read", state: "missing", why: { type: "not-of-parent" }, over: [listed("Read")] },
      { name: "Grep", state: "delegated", why: { type: "delegates", by: "Grep" }, over: [] },
      { name: "Bash", state: "missing", why: { type: "denied", by: "Bash" }, over: [listed("Ba*")] },
      { name: "Agent", state: "withheld", why: { type: "depth" }, over: [listed("Agent")] },
      {
        name: "WebSearch",
        state: "missing",
        why: { type: "absent", reason: absentTools.WebSearch },
        over: [listed("WebSearch")],
      },
      {
        name: "EnterPlanMode",
        state: "missing",
        why: { type: "foreign" },
        over: [listed("EnterPlanMode")],
      },
      { name: "Nobody", state: "missing", why: { type: "unknown" }, over: [listed("Nobody")] },
    ])
  })

  test("of tools: a denial above is the reason only for what the definition asks for", async () => {
    const { tools } = await explained({
      agent: { tools: "Read, Bash" },
      parents: [{ tools: "Agent", disallowedTools: "Bash, Grep" }],
    })
    const why = Object.fromEntries(tools.map((tool) => [tool.name, tool.why.type]))
    expect(why).toMatchObject({ Read: "listed", Bash: "taken", Grep: "unlisted" })
  })

  test("of variables: what the definition says", async () => {
    const { variables } = await explained(cases.variables!)
    expect(variables).toEqual([
      { name: "area", value: "docs", source: "call", over: [{ source: "definition", value: "src" }] },
      { name: "deep", value: { a: 1 }, source: "definition", over: [] },
      { name: "more", value: 2, source: "call", over: [] },
    ])
  })
})

const listed = (by: string) => ({ type: "listed", by })

test("why it would not start is told, all at once, and so is the rest", async () => {
  const { runtime } = worldOf({
    agent: { model: "nowhere", tools: "Nobody", allowModelOverride: false },
    parents: [{ tools: "Read" }],
    runtime: { enabled: false },
  })
  const { problems, limits } = await runtime.explain("subject", { model: "two", parents: ["lead0"] })
  expect(problems.map(({ code, message }) => ({ ...(code && { code }), message }))).toEqual([
    { code: "SUBAGENTS_DISABLED", message: expect.stringMatching(/^Subagents feature is disabled/) },
    {
      message: expect.stringMatching(/"lead0".*calling.*"subject"/),
    },
    {
      code: "MODEL_DENIED",
      message: expect.stringMatching(/^Agent "subject" cannot run on "two": its definition/),
    },
    {
      code: "TOOL_UNKNOWN",
      message: expect.stringMatching(/^Agent "subject".*"Nobody".*registered/),
    },
  ])
  expect(limits.find(({ name }) => name === "maxTurns")).toEqual({
    name: "maxTurns",
    value: 100,
    source: "default",
    over: [],
  })
})
