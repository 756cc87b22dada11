import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { defaultLimits, type RunLimits } from "../../ground/limits.ts"
import type { RunStart } from "../log/event-run.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { rankLimits, settleLimits, settleWithin, warnOfShortTime } from "./settle-limits.ts"

const agent = (limits: RunLimits = {}, more: Partial<AgentInput> = {}) =>
  defineAgent({ name: "b", instructions: "Work.", limits, ...more })
/** An agent whose timeout is only the default of its format. */
const unsaid = (limits: RunLimits = {}) => {
  const made = agent(limits)
  return { ...made, origin: { ...made.origin, unsaid: ["timeout"] } } as typeof made
}
const environment = (limits: RunLimits = {}) => ({ limits }) as StartEnvironment

/** A run that worked for four seconds, and has rested since. */
const parent = (limits: object, more: Partial<RunStart> = {}) =>
  folded(
    0,
    { ...runStart, ...more, limits: { maxTurns: 5, maxToolCalls: 5, maxDepth: 3, ...limits } },
    4_000,
    ...turn(1, [asked(1)]),
    { type: "approval-start", call: "c1" },
  )

describe("the limits of a root are what the first says of", () => {
  const root = (limits: RunLimits, own: RunLimits, usual: RunLimits) =>
    settleLimits(environment(usual), { run: "r", agent: agent(own), limits })
  test.each<[string, RunLimits, RunLimits, RunLimits, object]>([
    ["nobody: the defaults", {}, {}, {}, {}],
    ["the configuration", {}, {}, { maxTurns: 7 }, { maxTurns: 7 }],
    ["the definition", {}, { maxTurns: 8 }, { maxTurns: 7, maxCost: 1 }, { maxTurns: 8, maxCost: 1 }],
    [
      "the call",
      { maxTurns: 9 },
      { maxTurns: 8, maxTokens: 5 },
      { maxTurns: 7 },
      { maxTurns: 9, maxTokens: 5 },
    ],
  ])("%s", (_, limits, own, usual, expected) =>
    expect(root(limits, own, usual)).toEqual({ ...defaultLimits, ...expected }),
  )

  test("and a call that says what is none is told", () =>
    expect(() => root({ maxTurns: -1 }, {}, {})).toThrow("Run r"))

  test("and each saying has its source", () =>
    expect(
      rankLimits(environment({ maxCost: 1 }), {
        run: "r",
        agent: agent({ maxTurns: 8 }),
        limits: { maxTurns: 9 },
      }),
    ).toEqual([
      { source: "call", values: { maxTurns: 9 } },
      { source: "definition", values: { maxTurns: 8 } },
      { source: "configuration", values: { maxCost: 1 } },
      { source: "default", values: defaultLimits },
    ]))

  test("and a program gives no sign of life until it has ended", () => {
    const { idleTimeout: _, ...rest } = defaultLimits
    const program = { ...agent(), executor: {} as never }
    expect(settleLimits(environment(), { run: "r", agent: program })).toEqual(rest)
  })
})

describe("the limits of a child", () => {
  const { maxSpawns: _, maxConcurrency: __, ...usual } = defaultLimits
  const child = (own: RunLimits, above: object, configured: RunLimits = {}) =>
    settleLimits(environment(configured), { run: "r.1", agent: agent(own), parent: parent(above) })
  test.each<[string, RunLimits, object, RunLimits, object]>([
    ["have no allowance that it does not say itself", {}, {}, { maxTokens: 5, maxCost: 6, maxSpawns: 7 }, {}],
    [
      "have what it says itself",
      { maxTokens: 5, maxCost: 6, maxSpawns: 7 },
      {},
      {},
      { maxTokens: 5, maxCost: 6, maxSpawns: 7 },
    ],
    ["are never for more at once than the tree", { maxConcurrency: 3 }, {}, {}, {}],
    ["go no deeper than those above it", { maxDepth: 9 }, { maxDepth: 2 }, {}, { maxDepth: 2 }],
    ["go less deep where it says so", { maxDepth: 1 }, { maxDepth: 2 }, {}, { maxDepth: 1 }],
    ["go less deep where the configuration says so", {}, { maxDepth: 5 }, { maxDepth: 4 }, { maxDepth: 4 }],
    ["go as deep as its root where nobody says anything", {}, { maxDepth: 5 }, {}, { maxDepth: 5 }],
    ["end with the time of its parent", {}, { timeout: 10_000 }, {}, { timeout: 6_000 }],
    ["end before it where it says so", { timeout: 2_000 }, { timeout: 10_000 }, {}, { timeout: 2_000 }],
    ["leave it a moment where that time is over", {}, { timeout: 3_000 }, {}, { timeout: 1 }],
    ["are its own where its parent has all time", { timeout: 2_000 }, {}, {}, { timeout: 2_000 }],
  ])("%s", (_, own, above, configured, expected) =>
    expect(child(own, above, configured)).toEqual({ ...usual, maxDepth: 3, ...expected }),
  )

  test("end with what its parent has for those below it", () => {
    const above = parent({ timeout: 5_000 }, { within: 30_000 })
    expect(settleLimits(environment(), { run: "r.1", agent: agent(), parent: above }).timeout).toBe(26_000)
  })
})

describe("where only the format says how long a run may take, those below it have", () => {
  test.each<
    [
      string,
      ReturnType<typeof agent>,
      RunLimits | undefined,
      RunLimits,
      object | undefined,
      number | undefined,
    ]
  >([
    ["the usual time", unsaid({ timeout: 5_000 }), undefined, {}, undefined, defaultLimits.timeout],
    ["the configured time", unsaid({ timeout: 5_000 }), undefined, { timeout: 9_000 }, undefined, 9_000],
    [
      "the format's, where that is more",
      unsaid({ timeout: 9_000 }),
      undefined,
      { timeout: 5_000 },
      undefined,
      9_000,
    ],
    ["the configured time, where it says none", unsaid(), undefined, { timeout: 9_000 }, undefined, 9_000],
    [
      "nothing of their own, where the definition says it",
      agent({ timeout: 5_000 }),
      undefined,
      {},
      undefined,
      undefined,
    ],
    ["nothing of their own, where the call says it", unsaid(), { timeout: 1 }, {}, undefined, undefined],
    ["what is left of its parent's", unsaid(), {}, {}, { timeout: 10_000 }, 6_000],
    ["a moment where that is over", unsaid(), {}, {}, { timeout: 3_000 }, 1],
    ["less than that where they have less", unsaid(), {}, { timeout: 2_000 }, { timeout: 10_000 }, 2_000],
    ["all of it where the parent has all time", unsaid(), {}, { timeout: 2_000 }, {}, 2_000],
  ])("%s", (_, own, limits, usual, above, expected) =>
    expect(
      settleWithin(environment(usual), {
        run: "r.1",
        agent: own,
        ...(limits && { limits }),
        ...(above && { parent: parent(above) }),
      }),
    ).toBe(expected),
  )
})

describe("a child whose time is cut", () => {
  const told = (
    timeout: number,
    own: ReturnType<typeof agent>,
    limits?: RunLimits,
    more: Partial<RunStart> = {},
  ) =>
    warnOfShortTime(
      { ...runStart.limits, timeout },
      { run: "r.1", agent: own, parent: parent({}, more), ...(limits && { limits }) },
    )
  const cut = (wanted: number, place = "") => naming(`${wanted} s`, "6 s", `a${place}`, "b", "shorter")
  test.each<[string, readonly string[], readonly string[]]>([
    ["is told of it", told(6_000, agent({ timeout: 20_000 })), [cut(20)]],
    [
      "is told where its caller is written",
      told(6_000, agent({ timeout: 20_000 }), undefined, { origin: { file: "/a.md" } as never }),
      [cut(20, " (/a.md)")],
    ],
    [
      "is told of what its call says",
      told(6_000, agent({ timeout: 20_000 }), { timeout: 30_000 }),
      [cut(30)],
    ],
    ["is not told of what only the format says", told(6_000, unsaid({ timeout: 20_000 })), []],
    [
      "is told of what its call says, whatever the format does",
      told(6_000, unsaid(), { timeout: 30_000 }),
      [cut(30)],
    ],
    ["is not told of what nobody said", told(6_000, agent()), []],
    ["is not told of a moment", told(6_000, agent({ timeout: 7_000 })), []],
    ["is told of more than that", told(6_000, agent({ timeout: 7_001 })), [cut(7)]],
  ])("%s", (_, warnings, expected) => expect(warnings).toEqual(expected))

  test("is no root, and has a time", () => {
    const wanted = agent({ timeout: 20_000 })
    expect(warnOfShortTime({ ...runStart.limits, timeout: 1 }, { run: "r", agent: wanted })).toEqual([])
    expect(warnOfShortTime(runStart.limits, { run: "r.1", agent: wanted, parent: parent({}) })).toEqual([])
  })
})
