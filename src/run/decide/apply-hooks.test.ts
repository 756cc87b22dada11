import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact, HookSpawn } from "../log/event.ts"
import { writeFallbackKey } from "../log/id.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { refuseLostHook } from "./apply-hooks.ts"
import { endPlan, startPlan, withResult } from "./apply-plan.ts"
import { deliverReport } from "./deliver-report.ts"

const spawn = (mode: HookSpawn["mode"], agent = "b"): HookSpawn => ({ hook: "h", agent, task: "look", mode })
const calls = [asked(1), asked(2)]
const verdict = (more: object, call = "c1"): Fact =>
  ({ type: "hook-end", call, verdict: { type: "pass" }, ...more }) as Fact
const state = (...facts: readonly Fact[]): RunState =>
  folded({ ...runStart, hooks: ["h"] }, ...turn(1, calls), ...facts)
const first = ({ calls }: RunState) => calls.at(0)

describe("the verdict of hooks on a call", () => {
  test.each<[string, object, object]>([
    ["lets it pass", {}, { status: "hooked", spawns: [] }],
    [
      "lets it pass, with agents before it",
      { spawns: [spawn("before")] },
      { status: "hooked", spawns: [spawn("before")] },
    ],
    ["refuses it", { verdict: { type: "block", reason: "no" } }, { status: "refused", reason: "no" }],
    [
      "changes its arguments",
      { verdict: { type: "rewrite", arguments: '{"a":1}' } },
      { status: "hooked", spawns: [], arguments: '{"a":1}' },
    ],
    [
      "changes what it touches",
      { verdict: { type: "rewrite", arguments: "{}", accesses: [{ type: "read", path: "/a" }] } },
      { status: "hooked", spawns: [], accesses: [{ type: "read", path: "/a" }] },
    ],
  ])("%s", (_, more, expected) => {
    const begin: Fact = { type: "hook-start", call: "c1", hook: "h", command: "true" }
    const result = first(state(begin, verdict(more)))
    expect(result).toMatchObject(expected)
    expect(result?.hooking).toBeUndefined()
    expect(first(state(begin))?.hooking).toBe("h")
  })

  test("has effects on the run", () => {
    const result = state(
      verdict({ variables: { a: 1 }, context: ["x", "y"], warnings: ["w"] }),
      verdict({ warnings: ["v"] }, "c2"),
    )
    expect([
      result.variables,
      result.warnings,
      result.inbox.map(({ key, passive }) => [key, passive]),
    ]).toEqual([
      { a: 1 },
      ["w", "v"],
      [
        ["hook:c1:0", undefined],
        ["hook:c1:1", undefined],
      ],
    ])
    expect([state(verdict({})).warnings, state(verdict({})).inbox]).toEqual([undefined, []])
  })

  test("that refuses the same call again is counted", () => {
    const block = { verdict: { type: "block", reason: "no" } }
    const counted = (...facts: readonly Fact[]) => state(...facts).blocked
    expect([counted(verdict(block)), counted(verdict(block), verdict(block, "c2"))]).toEqual([
      { tool: "work", arguments: "{}", count: 1 },
      { tool: "work", arguments: "{}", count: 2 },
    ])
    expect(counted(verdict(block), verdict({}, "c2"))).toBeUndefined()
    expect(counted(verdict(block), verdict(block, "c9"))?.count).toBe(1)
  })
})

describe("agents that hooks start around a call", () => {
  const child = (mode: "wait" | "background", hook: HookSpawn): Fact =>
    ({ type: "child-start", call: "c1", child: "r.1", agent: "b", mode, hook }) as Fact
  const ended = (outcome: object): Fact =>
    ({ type: "child-end", key: "k", child: "r.1", outcome, output: "found", usage: {} }) as Fact

  test("before it: the call waits, goes on with their report, and starts the next", () => {
    const both = verdict({ spawns: [spawn("before"), spawn("before", "c")] })
    const waiting = state(both, child("wait", spawn("before")))
    expect(first(waiting)).toMatchObject({ status: "started", child: "r.1", agent: "b", mode: "wait" })
    const result = state(both, child("wait", spawn("before")), ended({ type: "completed" }))
    expect([first(result)?.status, first(result)?.spawns, first(result)?.child]).toEqual([
      "hooked",
      [spawn("before", "c")],
      undefined,
    ])
    expect(result.inbox).toEqual([{ key: "r.1:hook", from: "runtime", text: naming("work", "b", "found") }])
  })

  test("before it that fail: the call has their report", () => {
    const result = state(
      verdict({ spawns: [spawn("before")] }),
      child("wait", spawn("before")),
      ended({ type: "failed", reason: "x" }),
    )
    expect([first(result)?.status, first(result)?.report?.outcome.type, result.inbox]).toEqual([
      "started",
      "failed",
      [],
    ])
  })

  test("beside it: the call goes on at once", () => {
    const result = state(
      verdict({ spawns: [spawn("background"), spawn("before")] }),
      child("background", spawn("background")),
    )
    expect([first(result)?.status, first(result)?.spawns, first(result)?.child]).toEqual([
      "hooked",
      [spawn("before")],
      undefined,
    ])
  })

  test("after it are noted with their result", () => {
    const end: Fact = {
      type: "tool-end",
      call: "c1",
      result: { status: "ok", text: "" },
      hooks: { spawns: [spawn("before")], context: ["x"] },
    } as Fact
    const result = state({ type: "tool-start", call: "c1" }, end)
    expect([result.moments?.open, result.inbox.map(({ key }) => key)]).toEqual([
      [{ id: "after_tool:c1", moment: "after_tool", spawns: [spawn("before")], waits: false }],
      ["hook:c1:end:0"],
    ])
  })
})

describe("hooks judge the agent that gets the task of a failed child", () => {
  const failing: readonly Fact[] = [
    { type: "tool-start", call: "c1" },
    { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "wait", fallback: ["c"] },
    {
      type: "child-end",
      key: "k",
      child: "r.1",
      outcome: { type: "failed", reason: "x" },
      output: "",
      usage: {},
    },
  ] as never
  const judged = (more: object) => state(...failing, verdict(more, writeFallbackKey("r.1", "c")))
  const problem = (more: object) => judged(more).children.at(0)?.judged

  test.each<[string, object, unknown]>([
    ["and let it", {}, undefined],
    ["and let it, with agents beside it", { spawns: [spawn("background")] }, undefined],
    ["and block it", { verdict: { type: "block", reason: "not c" } }, "not c"],
    ["and want other arguments", { verdict: { type: "rewrite", arguments: "{}" } }, naming("arguments")],
    ["and want another agent first", { spawns: [spawn("background"), spawn("before", "d")] }, naming("d")],
  ])("%s", (_, more, expected) => {
    expect(problem(more)).toEqual([{ agent: "c", ...(expected !== undefined && { problem: expected }) }])
    const open = judged(more).moments?.open ?? []
    expect(open.length).toBe(expected === undefined && "spawns" in more ? 1 : 0)
  })
})

test.each<[Partial<OpenCall>, boolean]>([
  [{ status: "asked", hooking: "h" }, true],
  [{ status: "asked" }, false],
  [{ status: "hooked", hooking: "h" }, false],
])("a call whose hook was at work when the process died is refused: %j", (more, expected) => {
  const call = { ...asked(1), status: "asked", ...more } as OpenCall
  expect(refuseLostHook(call)).toEqual(
    expected ? { ...call, status: "refused", reason: naming("h"), blocked: { hook: "h" } } : call,
  )
})

describe("a run without a model", () => {
  const planned = { ...runStart, kind: "pipeline" }
  const plan = folded(planned)

  test("has a plan", () => {
    expect([startPlan(runStart), startPlan(planned).plan?.readResults, plan.plan?.results.length]).toEqual([
      {},
      -1,
      0,
    ])
  })

  test("adds planned calls to those in flight", () => {
    const result = endPlan(plan, {
      type: "plan-end",
      after: 2,
      calls: [asked(1), asked(2, { kind: "pause" as never })],
    } as never)
    expect([
      result.turn,
      [...result.calls].map(({ status }) => status),
      result.callCount,
      result.plan?.readResults,
      result.plan?.end,
    ]).toEqual([1, ["asked", "started"], 2, 2, undefined])
    const more = endPlan(result, {
      type: "plan-end",
      after: 3,
      end: { outcome: { type: "completed" }, output: "x" },
    } as never)
    expect([more.calls.length, more.plan?.readResults, more.plan?.end]).toEqual([
      2,
      3,
      { outcome: { type: "completed" }, output: "x" },
    ])
  })

  test.each<[string, object, object, object, string | undefined]>([
    ["of a call", {}, { status: "ok", text: "t" }, { status: "ok", text: "t" }, "t"],
    ["with a key", { key: "k" }, { status: "ok", text: "t" }, { key: "k", status: "ok", text: "t" }, "t"],
    ["that is blank", {}, { status: "ok", text: " " }, { status: "ok", text: " " }, undefined],
    ["that failed", {}, { status: "error", text: "t" }, { status: "error", text: "t" }, undefined],
    [
      "that failed in part",
      {},
      { status: "error", text: "t", partial: "p" },
      { status: "error", text: "t", partial: "p" },
      "p",
    ],
    [
      "of a child",
      { child: "r.1", agent: "b", report: { outcome: { type: "completed" }, output: "o" } },
      { status: "ok", text: "t" },
      {
        status: "ok",
        text: "o",
        child: "r.1",
        agent: "b",
        report: { outcome: { type: "completed" }, output: "o" },
      },
      "o",
    ],
    [
      "at a limit",
      {},
      { status: "error", text: "t", limit: "maxSpawns" },
      { status: "error", text: "t", limit: "maxSpawns" },
      undefined,
    ],
  ])("keeps the result %s", (_, call, result, expected, lastText) => {
    const kept = withResult(
      plan.plan!,
      { ...asked(1), status: "started", ...call } as OpenCall,
      result as never,
    )
    expect([...kept.plan!.results]).toStrictEqual([{ key: "c1", call: "c1", ...expected }])
    expect(kept.lastText).toBe(lastText)
  })
})

describe("the report of a child", () => {
  const child = { run: "r.1", call: "c1", agent: "b", mode: "background", resting: false } as const
  const report = { outcome: { type: "completed" }, output: "found" } as const
  const hooked = (more: object = {}) =>
    folded(
      { ...runStart, moments: { after_spawn: ["h"] } },
      ...turn(1, calls),
      ...([more].filter((one) => "type" in one) as Fact[]),
    )

  test("is news, with all that was tried", () => {
    const tried = [{ agent: "x", reason: "gone" }]
    const given = { ...child, fallback: { tool: "Agent", next: [], tried } }
    const result = deliverReport(state(), given, { key: "k", report }, 5, [{ agent: "y", reason: "none" }])
    expect(result.inbox).toEqual([{ key: "k", from: "r.1", report: true, text: naming("x", "y", "found") }])
  })

  test("is the result of the call that waits for it", () => {
    const result = deliverReport(state(), { ...child, mode: "wait" }, { key: "k", report }, 5)
    expect([first(result)?.report, result.inbox]).toEqual([report, []])
  })

  test.each<[string, RunState, object, boolean]>([
    ["is for hooks, too", hooked(), {}, true],
    ["is not, where none are asked", state(), {}, false],
    ["is not, of an agent that a hook started", hooked(), { hook: spawn("background") }, false],
    [
      "is not, of a run that stops",
      { ...hooked(), stop: { at: 1, outcome: { type: "cancelled" } } } as RunState,
      {},
      false,
    ],
  ])("%s", (_, given, more, expected) => {
    const result = deliverReport(given, { ...child, ...more }, { key: "k", report }, 5)
    expect(result.moments?.ended ?? []).toEqual(
      expected ? [{ run: "r.1", agent: "b", outcome: report.outcome, output: "found" }] : [],
    )
  })
})
