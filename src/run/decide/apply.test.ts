import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import { isUnrepeatable } from "./reuse.ts"

const ended = (number: number, result: object = {}, more: object = {}): Fact =>
  ({
    type: "tool-end",
    call: `c${number}`,
    result: { status: "ok", text: `r${number}`, ...result },
    ...more,
  }) as Fact
const started = (number: number): Fact => ({ type: "tool-start", call: `c${number}` })
const child = (number: number, more: object = {}): Fact =>
  ({
    type: "child-start",
    call: `c${number}`,
    child: `r.${number}`,
    agent: "b",
    mode: "wait",
    ...more,
  }) as Fact
const childEnd = (number: number, more: object = {}): Fact =>
  ({
    type: "child-end",
    child: `r.${number}`,
    key: `r.${number}:end`,
    outcome: { type: "completed" },
    output: "o",
    usage: {},
    ...more,
  }) as Fact
const delegations = turn(1, [asked(1, { kind: "delegation" }), asked(2, { kind: "delegation" })])
const texts = ({ messages }: RunState) => [...messages].map(({ role, text }) => `${role}: ${text}`)

describe("what children changed in their worktrees", () => {
  const isolation = (...paths: readonly string[]) => ({
    kept: "kept",
    commits: 1,
    insertions: 1,
    deletions: 0,
    files: paths.map((path) => ({ path, status: "modified" })),
  })
  const end = (number: number, ...paths: readonly string[]) =>
    childEnd(number, paths.length > 0 ? { isolation: isolation(...paths) } : {})
  test("is kept with the run, in the order they ended, and nothing is of one that worked in place", () => {
    const begun = [runStart, ...delegations, started(1), child(1), started(2), child(2)]
    expect(folded(...begun, end(1, "a", "b")).changes).toEqual([{ run: "r.1", files: ["a", "b"] }])
    expect(folded(...begun, end(1, "a"), end(2, "b")).changes).toEqual([
      { run: "r.1", files: ["a"] },
      { run: "r.2", files: ["b"] },
    ])
    expect(folded(...begun, end(1)).changes).toBeUndefined()
  })
})

describe("a run that begins", () => {
  test("has what its first event says", () => {
    const state = folded({
      ...runStart,
      opening: "Do it.",
      hooks: ["h"],
      variables: { a: 1 },
      moments: { stop: ["h"] },
    })
    expect(texts(state)).toEqual(["user: Do it."])
    expect([state.hooks, state.variables, state.moments?.hooks, state.plan]).toEqual([
      ["h"],
      { a: 1 },
      { stop: ["h"] },
      undefined,
    ])
    expect(texts(folded(runStart))).toEqual(["user: go"])
    expect(folded({ ...runStart, kind: "pipeline" }).plan).toMatchObject({ readResults: -1 })
  })
})

describe("results", () => {
  test("join the history when the last call of the turn has ended, in the order of the calls", () => {
    const calls = turn(1, [asked(1), asked(2)])
    const one = folded(runStart, ...calls, started(1), started(2), ended(2))
    expect([texts(one).length, one.calls.length, one.tally.open]).toEqual([2, 2, 1])
    const two = folded(runStart, ...calls, started(1), started(2), ended(2), ended(1))
    expect([texts(two).slice(2), two.calls.length, two.tally]).toEqual([
      ["tool: r1", "tool: r2"],
      0,
      { open: 0, ready: 0, ordered: 0, atWork: 0, waiting: 0, expiring: 0, watching: 0 },
    ])
  })
  test("count once: a second end of a call changes nothing", () => {
    const state = folded(
      runStart,
      ...turn(1, [asked(1), asked(2)]),
      started(1),
      ended(1),
      ended(1, { text: "again" }),
    )
    expect(state.calls.at(0)?.result?.text).toBe("r1")
    expect(state.evidence.calls).toEqual({ work: 1 })
  })
  test("leave evidence: what ran, what was refused, what nobody knows, and what they tell", () => {
    const names = ["constructor", "work", "work", "work"]
    const state = folded(
      runStart,
      ...turn(
        1,
        names.map((tool, index) => asked(index + 1, { tool })),
      ),
      ...[1, 2, 3].map(started),
      ended(1, { evidence: { files: [{ path: "/a" }], commands: [{ command: "x" }] } }),
      ended(2, { status: "unknown" }),
      ended(3, { usage: { m: { inputTokens: 2, outputTokens: 3 } } }),
      ended(4, { status: "denied", text: "no" }),
    )
    const { calls, denied, unknown, files, commands } = state.evidence
    expect({
      calls,
      denied: [...denied],
      unknown: [...unknown],
      files: [...files],
      commands: [...commands],
    }).toEqual({
      calls: { constructor: 1, work: 2 },
      denied: [{ call: "c4", tool: "work", reason: "no" }],
      unknown: [{ call: "c2", tool: "work" }],
      files: [{ path: "/a" }],
      commands: [{ command: "x" }],
    })
    expect(state.usage).toEqual({ m: { inputTokens: 3, outputTokens: 4 } })
  })
})

test.each<[Parameters<typeof isUnrepeatable>[0], Parameters<typeof isUnrepeatable>[1]["status"], boolean]>([
  [{ ...asked(1), status: "ended", startedAt: 1 }, "ok", false],
  [{ ...asked(1, { effect: "idempotent" }), status: "ended", startedAt: 1 }, "ok", true],
  [{ ...asked(1, { effect: "opaque" }), status: "ended" }, "skipped", false],
  [{ ...asked(1), status: "ended" }, "denied", true],
  [{ ...asked(1), status: "ended", startedAt: 1 }, "unknown", true],
  [{ ...asked(1, { kind: "approval" }), status: "ended" }, "ok", true],
  [{ ...asked(1, { kind: "control" }), status: "ended", startedAt: 1 }, "ok", true],
  [{ ...asked(1, { kind: "control" }), status: "ended", startedAt: 1 }, "error", false],
  [{ ...asked(1, { kind: "control" }), status: "ended", waits: { runs: [], until: "all" } }, "ok", false],
  [{ ...asked(1, { kind: "delegation", effect: "opaque" }), status: "ended", startedAt: 1 }, "ok", false],
])("a call %j that ended %s did more than look: %s", (call, status, expected) => {
  expect(isUnrepeatable(call, { status, text: "" })).toBe(expected)
})

describe("a process that takes a run up", () => {
  const begun = turn(1, "").slice(0, 1)
  const resume: Fact = { type: "run-resume" }
  test("counts what its model may have been billed for", () => {
    const state = folded(runStart, ...begun, resume)
    expect([state.phase, state.unsettled, state.deaths]).toEqual([
      { type: "interrupted", attempt: 1 },
      { calls: 1, tokens: 15, cost: 0 },
      1,
    ])
    const paid = begun.map(
      (fact) => ({ ...fact, reserved: { inputTokens: 10, outputTokens: 5, cost: 0.5 } }) as Fact,
    )
    expect(folded(runStart, ...paid, resume, ...paid, resume).unsettled).toEqual({
      calls: 2,
      tokens: 30,
      cost: 1,
    })
    expect(folded(runStart, resume).unsettled).toEqual({ calls: 0, tokens: 0, cost: 0 })
  })
  test("finds calls of its own cut off, and those of children and pauses where they were", () => {
    const calls = [
      asked(1),
      asked(2, { kind: "delegation" }),
      asked(3, { kind: "pause", expires: 9 }),
      asked(4),
    ]
    const state = folded(runStart, ...turn(1, calls), started(1), child(2), started(3), resume)
    expect([...state.calls].map(({ status }) => status)).toEqual([
      "interrupted",
      "started",
      "started",
      "asked",
    ])
  })
  test("finds a death only where something was at work, and none after a result", () => {
    expect(folded(runStart, resume).deaths).toBe(0)
    expect(folded(runStart, ...turn(1, [asked(1)]), started(1), resume).deaths).toBe(1)
    expect(folded(runStart, ...turn(1, [asked(1)]), started(1), resume, started(1), ended(1)).deaths).toBe(0)
    // So does a child that ended meanwhile, and a reply.
    const calls = [asked(1), asked(2, { kind: "delegation" })]
    const waiting = [runStart, ...turn(1, calls), started(1), started(2), child(2), resume]
    expect(folded(...waiting).deaths).toBe(1)
    expect(folded(...waiting, childEnd(2)).deaths).toBe(0)
    const asking = turn(1, "x")
    expect(folded(runStart, asking[0]!, resume).deaths).toBe(1)
    expect(folded(runStart, asking[0]!, resume, ...asking).deaths).toBe(0)
  })
  test("adds what binds it now to what did, each once", () => {
    const rights = { of: "now", rules: [], otherwise: "ask" } as const
    const state = folded(
      { ...runStart, hooks: ["a"], rights: [{ of: "then", rules: [], otherwise: "allow" }] },
      {
        type: "run-resume",
        rights,
        hooks: ["a", "b"],
        differences: ["x", "x"],
      },
    )
    expect([state.rights.map(({ of }) => of), state.hooks, state.differences]).toEqual([
      ["then", "now"],
      ["a", "b"],
      ["x"],
    ])
  })
  test("opens its worktree again, has its children told of a stop anew, and looks again at what must hold", () => {
    const open = folded(runStart, { type: "resource-open" } as Fact, resume)
    expect(open.resource).toBeUndefined()
    const stopped = folded(runStart, { type: "cancel-request", key: "k", reason: "x" }, 70, resume)
    expect([stopped.stop?.at, stopped.resumedAt]).toEqual([70, 70])
    expect(folded(runStart, { type: "check-start" } as Fact, resume).phase).toEqual({ type: "idle" })
  })
})

describe("a child that ends", () => {
  test("is gone, and what it took counts", () => {
    const usage = { m: { inputTokens: 1, outputTokens: 2 } }
    const unsettled = { calls: 1, tokens: 2, cost: 3 }
    const state = folded(
      runStart,
      ...delegations,
      child(1),
      child(2),
      childEnd(1, { usage, unsettled }),
      childEnd(2, { usage, unsettled, unrepeatable: true }),
      childEnd(7, { usage }),
    )
    expect([
      state.children.length,
      state.usageBelow,
      state.unsettledBelow,
      state.unrepeatable,
      state.lastChild,
    ]).toEqual([0, { m: { inputTokens: 2, outputTokens: 4 } }, { calls: 2, tokens: 4, cost: 6 }, true, 2])
  })
  test("stands for what it did where it completed and only looked", () => {
    expect(folded(runStart, ...delegations, child(1), childEnd(1)).unrepeatable).toBeUndefined()
    const failed = { outcome: { type: "failed", reason: "x" } }
    expect(folded(runStart, ...delegations, child(1), childEnd(1, failed)).unrepeatable).toBe(true)
  })
  test("reports to the call that waits, or to the next turn", () => {
    const state = folded(
      runStart,
      ...delegations,
      child(1),
      child(2, { mode: "background" }),
      childEnd(1, { value: 3, length: 9 }),
      childEnd(2),
    )
    expect(state.calls.at(0)?.report).toEqual({
      outcome: { type: "completed" },
      output: "o",
      value: 3,
      length: 9,
    })
    expect(state.inbox).toMatchObject([{ key: "r.2:end", from: "r.2", report: true }])
  })
  test("in doubt leaves its caller in doubt, with a warning", () => {
    const doubt = { outcome: { type: "uncertain", reason: "who knows" } }
    const state = folded(runStart, ...delegations, child(1), childEnd(1, doubt))
    expect(state.unresolved).toEqual([{ call: "r.1", tool: "b", turn: 1 }])
    expect(state.warnings).toEqual([expect.stringContaining("who knows")])
    expect(folded(runStart, ...delegations, child(1), childEnd(1)).unresolved).toEqual([])
  })
  test("after the end of its caller counts, and reports to nobody", () => {
    const end: Fact = { type: "run-end", outcome: { type: "completed" }, output: "x" }
    const usage = { m: { inputTokens: 1, outputTokens: 2 } }
    const state = folded(
      runStart,
      ...delegations,
      child(1, { mode: "background" }),
      end,
      childEnd(1, { usage }),
    )
    expect([state.children.length, state.usageBelow, state.inbox]).toEqual([0, usage, []])
  })
  test("is tried with the next agent, unless the run is stopped or nobody is left", () => {
    const failed = { outcome: { type: "failed", reason: "x" } }
    const stop: Fact = { type: "cancel-request", key: "k", reason: "x" }
    const tried = (...facts: readonly Fact[]) => folded(runStart, ...delegations, ...facts).failed
    expect(tried(child(1, { fallback: ["c"] }), childEnd(1, failed))).toEqual(["r.1"])
    expect(tried(child(1, { fallback: [] }), childEnd(1, failed))).toBeUndefined()
    expect(tried(child(1, { fallback: ["c"] }), stop, childEnd(1, failed))).toBeUndefined()
  })
  test("and was a fallback tells who was tried before it", () => {
    const state = folded(
      runStart,
      ...delegations,
      child(1, { fallback: ["c"], timeout: 5 }),
      childEnd(1, { outcome: { type: "failed", reason: "x" } }),
      child(2, { call: "c1", agent: "c", fallbackOf: "r.1", skipped: [{ agent: "d", reason: "gone" }] }),
      childEnd(2),
    )
    expect(state.calls.at(0)?.report?.tried).toEqual([
      { agent: "b", run: "r.1", reason: expect.stringContaining("x") },
      { agent: "d", reason: "gone" },
    ])
    expect([state.failed, state.children.length]).toEqual([undefined, 0])
  })
})

describe("a child that asks", () => {
  const asks: Fact = { type: "child-ask", child: "r.1", key: "k", question: "which?" }
  test("goes on in the background, and its question is the result of the call", () => {
    const state = folded(runStart, ...delegations, child(1), asks)
    expect([...state.children]).toMatchObject([{ asks: "open", mode: "background" }])
    expect(state.calls.at(0)?.question).toBe("which?")
    expect(state.inbox).toEqual([])
  })
  test("from the background writes a message", () => {
    const state = folded(runStart, ...delegations, child(1, { mode: "background" }), asks)
    expect(state.inbox).toMatchObject([{ key: "k", from: "r.1", text: expect.stringContaining("which?") }])
  })
  test("is answered by whatever is sent to it, and reminded of by a wait", () => {
    const sent = folded(runStart, ...delegations, child(1, { mode: "background" }), asks, {
      type: "tool-start",
      call: "c2",
      sends: "r.1",
    })
    expect(sent.children.find(({ run }) => run === "r.1")?.asks).toBeUndefined()
    const waits = { runs: [{ run: "r.1", agent: "b" }], until: "all" as const }
    const waited = folded(
      runStart,
      ...delegations,
      child(1, { mode: "background" }),
      asks,
      { type: "tool-start", call: "c2", waits },
      ended(2),
    )
    expect(waited.children.find(({ run }) => run === "r.1")?.asks).toBe("told")
  })
})

describe("messages", () => {
  test("join the next turn, and a person's is no repetition", () => {
    const note: Fact = { type: "message-add", key: "k", from: "u", text: "hi" }
    const before = folded(runStart, note)
    expect([before.inbox, before.unrepeatable]).toEqual([[{ key: "k", from: "u", text: "hi" }], true])
    const after = folded(runStart, note, ...turn(1, "ok", { signature: "s" }))
    expect([after.inbox, texts(after)]).toEqual([[], ["user: go", "user: hi", "assistant: ok"]])
    const ours = folded(runStart, { type: "message-add", key: "nudge-1", from: "runtime", text: "?" })
    expect([ours.nudged, ours.repaired, ours.unrepeatable]).toEqual([true, false, undefined])
    const repair = folded(runStart, { type: "message-add", key: "repair-1", from: "runtime", text: "?" })
    expect([repair.nudged, repair.repaired]).toEqual([false, true])
    const other = folded(runStart, { type: "message-add", key: "nudge-1", from: "u", text: "?" })
    expect(other.nudged).toBe(false)
  })
  test("a reply of nothing is no message, and the last words that were said stay", () => {
    const state = folded(runStart, ...turn(1, "First.", { calls: [asked(1)] }), ended(1), ...turn(2, "  "))
    expect([texts(state).at(-1), state.lastText]).toEqual(["tool: r1", "First."])
  })
})

test("usage, models and mismatches are told once each", () => {
  const state = folded(
    runStart,
    ...turn(1, "a", { reported: "x", asked: "m" }),
    ...turn(2, "b", { reported: "x", asked: "m" }),
    ...turn(3, "c", { reported: "y" }),
  )
  expect([state.reported, state.mismatches, state.usage]).toEqual([
    ["x", "y"],
    [{ asked: "m", reported: "x" }],
    { m: { inputTokens: 3, outputTokens: 3 } },
  ])
})

test("time counts while it has an owner, is not at rest, and has not ended", () => {
  const rights = [
    { of: "x", rules: [{ tool: "work", decision: "ask" as const }], otherwise: "allow" as const },
  ]
  const state = folded(
    { ...runStart, rights },
    10,
    ...turn(1, [asked(1)]),
    30,
    { type: "approval-start", call: "c1" },
    1_000,
    { type: "approval-end", call: "c1", key: "k", decision: "allow" },
    1_005,
    started(1),
    5_000,
    { type: "run-resume" },
    5_007,
    ended(1),
    5_010,
    { type: "run-end", outcome: { type: "completed" }, output: "" },
    9_000,
    { type: "message-add", key: "late", from: "u", text: "x" },
  )
  expect([state.active, state.lastAt]).toEqual([30 + 5 + 7 + 3, 9_000])
})

test("what a reply does not tell of its tokens is counted as none", () => {
  const state = folded(runStart, ...turn(1, "x"), ...turn(2, "y", { usage: {} }))
  expect([state.inputTokens, folded(runStart, ...turn(1, "x")).inputTokens]).toEqual([0, 1])
})
