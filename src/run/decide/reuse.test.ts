import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { answerRecorded, findRecordedResult, isUnrepeatable, keepResult, mayReuse } from "./reuse.ts"

/** A cache that notes what it was asked. */
function noting(recorded?: object, inputs = "i") {
  const calls: unknown[] = []
  const cache = {
    digest: async (...given: unknown[]) => (calls.push(["digest", ...given]), inputs),
    get: async (key: string) => (calls.push(["get", key]), recorded),
    put: async (...given: unknown[]) => void calls.push(["put", ...given]),
  }
  return { cache: cache as never, calls }
}

const agents = [{ name: "b" }]
const environment = (cache?: unknown, more: object = {}) =>
  ({
    tools: new Map([
      ["Read", { kind: "function" }],
      ["Agent", { kind: "delegation" }],
    ]),
    agents: { all: () => agents },
    ...(cache !== undefined && { cache }),
    ...more,
  }) as never
const agent = { name: "a", cache: { inputs: ["src/**"] } }
const beginning = (more: object = {}) => ({ agent, ...more }) as never
const start = (more: object = {}) => ({ ...runStart, ...more }) as RunStart
const search = (given: object = {}, more: object = {}, recorded?: object) => {
  const { cache, calls } = noting(recorded)
  return { calls, found: findRecordedResult(environment(cache), beginning(given), start(more)) }
}

describe("a recorded result may answer a run", () => {
  test.each<[string, unknown, object, boolean]>([
    ["of an agent with a cache, where there is one", {}, {}, true],
    ["not without one here", undefined, {}, false],
    ["not of an agent without", {}, { agent: { name: "a" } }, false],
    ["and it is noted that it may not", undefined, { agent: { name: "a" }, cache: "skip" }, true],
    [
      "and so it is below such a run",
      undefined,
      { agent: { name: "a" }, parent: { start: { cache: "skip" } } },
      true,
    ],
  ])("%s", (_, cache, more, expected) => expect(mayReuse(environment(cache), beginning(more))).toBe(expected))

  test("by a key, with the files that it depends on", async () => {
    const { found, calls } = search({}, {}, { run: "old", at: 5, output: "text", value: { a: 1 } })
    expect(await found).toEqual({
      cache: { key: expect.stringMatching(/^[0-9a-f]{64}$/), inputs: "i" },
      recorded: { run: "old", output: "text", value: { a: 1 } },
    })
    expect(calls.map((call) => (call as string[])[0])).toEqual(["digest", "get"])
    expect(calls[0]).toEqual(["digest", ["src/**"], "/"])
    expect(await search({ agent: { name: "a", cache: {} } }).found).toEqual({ cache: expect.any(Object) })
    expect(await search({}, {}, { run: "old", at: 5, output: "text" }).found).toEqual({
      cache: expect.any(Object),
      recorded: { run: "old", output: "text" },
    })
  })

  test.each<[string, object, object]>([
    ["its caller says so", { cache: "skip" }, { cache: "skip" }],
    ["its parent does without", { parent: { start: { cache: "skip" } } }, { cache: "skip" }],
    ["its agent has no cache", { agent: { name: "a" } }, {}],
  ])("but not where %s", async (_, given, expected) => expect(await search(given).found).toEqual(expected))

  test.each<[string, object]>([
    ["continues another", { continues: "old" }],
    ["forks another", { forks: { run: "old" } }],
  ])("but not of a run that %s", async (_, more) => expect(await search({}, more).found).toEqual({}))

  test("but not of one in its own worktree, and that is a warning", async () => {
    const { found, calls } = search({}, { isolation: "worktree", warnings: ["before"] })
    expect([await found, calls]).toEqual([{ warnings: ["before", naming("cache", "worktree")] }, []])
  })

  test("but not where the cache fails, and that is a warning", async () => {
    const cache = {
      digest: () => Promise.reject(new Error("no room.")),
    }
    expect(await findRecordedResult(environment(cache), beginning(), start())).toEqual({
      warnings: [expect.stringMatching(/no room\.$/)],
    })
  })
})

describe("the key of a result tells apart", () => {
  const keyOf = async (more: object = {}, given: object = {}, around: object = {}, inputs = "i") => {
    const { cache } = noting(undefined, inputs)
    const { cache: kept } = await findRecordedResult(
      environment(cache, around),
      beginning(given),
      start(more),
    )
    return (kept as { key: string }).key
  }
  const others: readonly object[] = [
    { agent: "b" },
    { definition: "other" },
    { task: "stop" },
    { opening: "x" },
    { attachments: [{ blob: "x" }] },
    { attachments: [] },
    { model: { ...runStart.model, uses: [{ name: "n" }] } },
    { model: { ...runStart.model, resolved: "n" } },
    { model: { ...runStart.model, strict: true } },
    { variables: { a: 1 } },
    { rights: [{ of: "x", rules: [], otherwise: "deny" }] },
    { rights: [{ of: "x", rules: [], otherwise: "deny", own: true }] },
    { rights: [{ of: "x", rules: [], otherwise: "deny", tools: ["Read"] }] },
    { rights: [{ of: "x", rules: [{ tool: "Read", decision: "ask" }], otherwise: "deny" }] },
    { delegation: "own" },
    { ceiling: ["Read"] },
    { hooks: ["h"] },
    { moments: { stop: ["h"] } },
    { hooks: ["h"], moments: { stop: ["h"] } },
    { cwd: "/other" },
    { moved: [{ from: "/", to: "/x" }] },
    { tools: ["Agent"] },
  ]

  test("all that a result depends on", async () => {
    const keys = await Promise.all([
      keyOf(),
      ...others.map((more) => keyOf(more)),
      keyOf({}, { ceiling: ["Bash"] }),
      keyOf({}, {}, {}, "other files"),
    ])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test("and nothing else", async () => {
    const same = await Promise.all([
      keyOf(),
      keyOf({ depth: 2, limits: { maxTurns: 9 } }),
      keyOf({ rights: [] }),
      keyOf({ hooks: [] }),
      keyOf({ ceiling: [] }),
      keyOf({ tools: ["Read"] }),
      keyOf({ tools: ["Agent"], withheld: ["Agent"] }),
      keyOf({}, {}, { agents: { all: () => [{ name: "c" }] } }),
    ])
    expect(new Set(same).size).toBe(1)
  })

  test("the agents that a run may call", async () => {
    const [one, other] = await Promise.all([
      keyOf({ tools: ["Agent"] }),
      keyOf({ tools: ["Agent"] }, {}, { agents: { all: () => [{ name: "c" }] } }),
    ])
    expect(one).not.toBe(other)
  })
})

describe("a run with a recorded result", () => {
  const recorded = { run: "old", output: "text", value: { a: 1 } }
  const state = (more: object = {}, ...facts: readonly Fact[]) =>
    folded(start({ recorded, ...more }), ...facts)

  test("ends with it", () => {
    expect(answerRecorded(state())).toEqual({
      type: "end",
      outcome: { type: "completed" },
      output: "text",
      value: { a: 1 },
      cached: { run: "old" },
    })
    expect(answerRecorded(state({ recorded: undefined }))).toBeUndefined()
  })

  test.each<[string, readonly Fact[]]>([
    ["its model was asked", turn(1, "a")],
    ["a message has arrived", [{ type: "message-add", key: "k", from: "x", text: "hi" }]],
  ])("works as usual where %s", (_, facts) => expect(answerRecorded(state({}, ...facts))).toBeUndefined())
})

describe("a call that did more than read", () => {
  const call = (more: object = {}) => ({ ...asked(1), status: "started", startedAt: 5, ...more }) as OpenCall
  test.each<[object, string, boolean]>([
    [{}, "ok", false],
    [{}, "error", false],
    [{}, "denied", true],
    [{}, "unknown", true],
    [{ kind: "approval" }, "ok", true],
    [{ kind: "control" }, "ok", true],
    [{ kind: "control" }, "error", false],
    [{ kind: "control", waits: { runs: [] } }, "ok", false],
    [{ effect: "opaque" }, "ok", true],
    [{ effect: "opaque" }, "error", true],
    [{ effect: "opaque", startedAt: undefined }, "error", false],
    [{ effect: "opaque", kind: "delegation" }, "ok", false],
  ])("%j that is %s: %s", (more, status, expected) => {
    expect(isUnrepeatable(call(more), { status, text: "" } as never)).toBe(expected)
  })
})

describe("the result of a run is kept", () => {
  const cached = { key: "k", inputs: "i" }
  const ended = (more: object = {}, end: object = {}): RunState =>
    ({
      ...folded(start({ cache: cached })),
      end: { outcome: { type: "completed" }, output: "text", at: 9, ...end },
      ...more,
    }) as RunState
  const kept = async (state: RunState, inputs?: string) => {
    const { cache, calls } = noting(undefined, inputs)
    await keepResult(cache, state, ["src/**"])
    return calls.filter((call) => (call as string[])[0] === "put")
  }

  test("with its value", async () => {
    expect([await kept(ended()), await kept(ended({}, { value: { a: 1 } }))]).toEqual([
      [["put", "k", { run: "r", at: 9, output: "text" }]],
      [["put", "k", { run: "r", at: 9, output: "text", value: { a: 1 } }]],
    ])
  })

  test.each<[string, RunState]>([
    ["has not ended", ended({ end: undefined })],
    ["has no key", ended({ start: start() })],
    ["does without", ended({ start: start({ cache: "skip" }) })],
    ["failed", ended({}, { outcome: { type: "failed" } })],
    ["was answered itself", ended({}, { cached: { run: "old" } })],
    ["changed something", ended({ unrepeatable: true })],
    ["has children", ended({ children: { length: 1 } })],
    ["has a message that it did not read", ended({ inbox: [{}] })],
    ["was resumed under other conditions", ended({ differences: ["x"] })],
    ["asked another model", ended({ fallbacks: [{}] })],
    ["was answered by another model", ended({ mismatches: [{}] })],
    ["got other rights", ended({ rights: [{}] })],
    ["got other hooks", ended({ hooks: ["h"] })],
    ["got hooks at moments", ended({ moments: { hooks: { stop: ["h"] } } })],
    ["met an objection", ended({ moments: { hooks: undefined, objection: { reason: "no" } } })],
  ])("not of one that %s", async (_, state) => expect(await kept(state)).toEqual([]))

  test("not where its files have changed since, nor where the cache fails", async () => {
    expect(await kept(ended(), "other")).toEqual([])
    await keepResult(undefined, ended())
    await keepResult({ digest: () => Promise.reject(new Error("no")) } as never, ended())
  })
})
