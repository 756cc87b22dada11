import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { AskedCall, Fact } from "../log/event.ts"
import { findCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { createLostResult, writeLostEventsNote } from "../words/lost-text.ts"
import {
  bridgeLoss,
  chooseChildMode,
  loseEvent,
  mustBeReconsidered,
  tellLoss,
  withLossCheck,
} from "./apply-lost.ts"

const lost = (seq: number, more: object = {}) =>
  ({ type: "event-lost", reason: `lost ${seq}`, seq, at: 99, ...more }) as Parameters<typeof loseEvent>[1]
const opaque = (number: number, more: Partial<AskedCall> = {}) => asked(number, { effect: "opaque", ...more })
const delegation = (number: number) => asked(number, { kind: "delegation", tool: "Agent", effect: "keyed" })
const started = (number: number): Fact => ({ type: "tool-start", call: `c${number}` })
const ended = (number: number): Fact => ({
  type: "tool-end",
  call: `c${number}`,
  result: { status: "ok", text: "" },
})
const child: Fact = { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "wait" }

describe("an event that is lost", () => {
  const running = folded(runStart, ...turn(1, [opaque(1)]))

  test("is counted, with the reason of the first", () => {
    const once = loseEvent(running, lost(7))
    const twice = loseEvent(once, lost(9))
    expect([once.lost, twice.lost]).toEqual([
      { events: 1, seq: 7, reason: "lost 7", untold: true },
      { events: 2, seq: 9, reason: "lost 7", untold: true },
    ])
    expect([once.unrepeatable, twice.unrepeatable]).toEqual([true, true])
  })

  test("with all that came after it may have started more children", () => {
    expect(loseEvent(running, lost(7, { rest: true })).lost).toEqual({
      events: 1,
      seq: 7,
      reason: "lost 7",
      untold: true,
      children: 0,
    })
  })

  const end: Fact = { type: "run-end", outcome: { type: "completed" }, output: "" }
  test.each<[string, RunState, object, boolean]>([
    ["before its first event", folded(), {}, false],
    ["after its end", folded(runStart, end), { rest: true }, false],
    ["where only its end was left", folded(runStart, ...turn(1, "done")), {}, false],
    [
      "where its end was left, and more than one is lost",
      folded(runStart, ...turn(1, "done")),
      { rest: true },
      true,
    ],
    ["where a model was to be asked", folded(runStart), {}, true],
    [
      "where a child was at work",
      folded(
        runStart,
        ...turn(1, [delegation(1)]),
        started(1),
        { ...child, mode: "background" } as Fact,
        ended(1),
        ...turn(2, "done"),
      ),
      {},
      true,
    ],
  ])("%s: the model is to be told or not", (_, state, more, untold) => {
    const after = loseEvent(state, lost(3, more))
    expect([after.lost?.untold === true, after.unrepeatable]).toEqual([untold, true])
  })

  test("two in a row count as several", () => {
    const once = { ...folded(runStart, ...turn(1, "done")), lost: { events: 1, seq: 6, reason: "x" } }
    expect([loseEvent(once, lost(7)).lost?.untold, loseEvent(once, lost(8)).lost?.untold]).toEqual([
      true,
      undefined,
    ])
  })
})

describe("a call that a lost event may have started", () => {
  const asking: Fact = { type: "approval-start", call: "c1" }
  const hooked = { ...runStart, hooks: ["h"] } as typeof runStart
  test.each<[string, readonly Fact[], object, string]>([
    ["an opaque one", [runStart, ...turn(1, [opaque(1)])], {}, "opaque, started"],
    ["one that may be made twice", [runStart, ...turn(1, [asked(1)])], {}, "read, asked"],
    ["a delegation", [runStart, ...turn(1, [delegation(1)])], {}, "opaque, started"],
    [
      "one that hands in a result",
      [runStart, ...turn(1, [opaque(1, { kind: "submit" })])],
      {},
      "opaque, asked",
    ],
    ["one that watches", [runStart, ...turn(1, [opaque(1, { kind: "control" })])], {}, "opaque, asked"],
    ["one that a person is asked about", [runStart, ...turn(1, [opaque(1)]), asking], {}, "opaque, asking"],
    [
      "the same, and more is lost",
      [runStart, ...turn(1, [opaque(1)]), asking],
      { rest: true },
      "opaque, started",
    ],
    ["one that hooks may have run a command for", [hooked, ...turn(1, [asked(1)])], {}, "opaque, started"],
    [
      "one that hooks have judged",
      [hooked, ...turn(1, [asked(1)]), { type: "hook-end", call: "c1", verdict: { type: "pass" } }],
      {},
      "read, hooked",
    ],
    [
      "one that has a child",
      [runStart, ...turn(1, [delegation(1)]), started(1), child],
      {},
      "keyed, started",
    ],
  ])("%s", (_, facts, more, expected) => {
    const state = loseEvent(folded(...facts), lost(7, more))
    const { effect, status } = findCall(state, "c1")!
    expect(`${effect}, ${status}`).toBe(expected)
    expect(state.tally).toEqual(tallyCalls(state.calls))
  })

  test("is known to have started then, where nobody knows better", () => {
    expect(findCall(loseEvent(folded(runStart, ...turn(1, [opaque(1)])), lost(7)), "c1")?.startedAt).toBe(99)
    const begun = folded(runStart, 5, ...turn(1, [opaque(1)]), started(1))
    expect(findCall(loseEvent(begun, lost(7)), "c1")?.startedAt).toBe(5)
  })

  test("of several that have ended stay ended", () => {
    const state = loseEvent(
      folded(runStart, ...turn(1, [opaque(1), opaque(2)]), started(1), ended(1)),
      lost(7),
    )
    expect([...state.calls].map(({ status }) => status)).toEqual(["ended", "started"])
  })
})

test("hooks at moments may have run commands that nobody knows of", () => {
  const moments = { ...runStart, moments: { stop: ["h"] } }
  const state = folded(moments, ...turn(1, [delegation(1)]), started(1), child)
  expect(loseEvent(state, lost(7)).moments?.doubt).toEqual({ turn: 1, children: 1 })
  expect(loseEvent(state, lost(7, { rest: true })).moments?.doubt).toEqual({ turn: 2, children: 2 })
  expect(loseEvent(folded(runStart), lost(7)).moments).toBeUndefined()
})

describe("an event that presumes what is lost", () => {
  const gap = (...facts: readonly Fact[]) => ({
    ...folded(runStart, ...facts),
    lost: { events: 1, seq: 1, reason: "x" },
  })
  const bridged = (state: RunState, event: object) => {
    const results: unknown[] = []
    const next = bridgeLoss(state, event as never, (now, id, result) => {
      results.push([id, result])
      return { ...now, lastText: id }
    })
    return { next, results }
  }
  test.each(["model-start", "compaction-start", "check-start"])(
    "%s: open calls have ended somehow",
    (type) => {
      const state = gap(...turn(1, [asked(1), asked(2), asked(3)]), started(1), ended(1))
      const { next, results } = bridged(state, { type, turn: 9 })
      expect(results).toEqual([
        ["c2", createLostResult("work")],
        ["c3", createLostResult("work")],
      ])
      expect([next.lastText, next.turn]).toEqual(["c3", 1])
    },
  )

  test("a reply is that of its turn", () => {
    const state = gap(...turn(1, [asked(1)]))
    expect([1, 3].map((number) => bridged(state, { type: "model-end", turn: number }).next.turn)).toEqual([
      1, 3,
    ])
    expect(bridged(state, { type: "model-end", turn: 1 }).results).toHaveLength(1)
  })

  test("the calls of a plan stay open", () => {
    const state = { ...gap(...turn(1, [asked(1)])), plan: {} as never }
    expect(bridged(state, { type: "model-start", turn: 2 }).results).toEqual([])
  })

  test.each(["tool-start", "tool-end", "child-start"])(
    "%s of a call whose reply is lost: it counts",
    (type) => {
      const counts = (state: RunState, call: string) => bridged(state, { type, call }).next.callCount
      expect([counts(gap(), "c7"), counts(gap(), "after_model:7")]).toEqual([7, 0])
      expect(counts(gap(...turn(1, [asked(1)])), "c7")).toBe(1)
      const over = gap(...turn(1, [asked(1)]), started(1), ended(1))
      expect([counts(over, "c1"), counts(over, "c2")]).toEqual([1, 2])
    },
  )

  test("the end of a child whose start is lost: there was one", () => {
    const known = gap(...turn(1, [delegation(1)]), started(1), child)
    expect(bridged(known, { type: "child-end", child: "r.1" }).next).toBe(known)
    const { children, lastChild } = bridged(known, { type: "child-end", child: "r.12" }).next
    expect([[...children].map(({ run, mode, resting }) => [run, mode, resting]), lastChild]).toEqual([
      [
        ["r.1", "wait", false],
        ["r.12", "wait", false],
      ],
      12,
    ])
    expect(bridged({ ...known, lastChild: 20 }, { type: "child-end", child: "r.12" }).next.lastChild).toBe(20)
  })

  test("any other changes nothing", () => {
    const state = gap(...turn(1, [asked(1)]))
    expect(bridged(state, { type: "message-add" }).next).toBe(state)
  })
})

describe("who hears of a child whose call is lost", () => {
  const whole = folded(runStart, ...turn(1, [delegation(1)]))
  const gap = { ...whole, lost: { events: 1, seq: 1, reason: "x" } }
  test.each<[string, RunState, object, "wait" | "background"]>([
    ["nobody waits", gap, { call: "c9" }, "background"],
    ["its call waits", gap, { call: "c1" }, "wait"],
    ["nothing is lost", whole, { call: "c9" }, "wait"],
    ["a hook wants it", gap, { call: "c9", hook: {} }, "wait"],
    ["nobody was to wait", gap, { call: "c1", mode: "background" }, "background"],
  ])("%s", (_, state, more, expected) =>
    expect(chooseChildMode(state, { ...child, ...more } as never)).toBe(expected),
  )
})

describe("whoever takes the run up", () => {
  const state = loseEvent(folded(runStart, ...turn(1, [opaque(1)])), lost(7))

  test("tells its model once, and skips numbers of children that may have been used", () => {
    const told = tellLoss(state)
    expect([told.lost, told.lastChild, told.inbox]).toEqual([
      { events: 1, seq: 7, reason: "lost 7", told: 1, unchecked: { turn: 1, refused: [] } },
      1_000,
      [{ key: "lost-7", from: "runtime", text: writeLostEventsNote(1) }],
    ])
    expect(tellLoss(told)).toBe(told)
  })

  test.each<[string, Partial<RunState>]>([
    ["no model", { plan: {} as never }],
    ["one that is stopping", { stop: { at: 1, outcome: { type: "cancelled" } as never } }],
  ])("does not tell %s", (_, more) => {
    const told = tellLoss({ ...state, ...more })
    expect([told.inbox, told.lost?.told]).toEqual([[], 1])
  })

  test("tells nobody where nothing is to be told", () => {
    const whole = folded(runStart)
    expect(tellLoss(whole)).toBe(whole)
  })
})

describe("a call that may repeat what is lost", () => {
  const told = tellLoss(loseEvent(folded(runStart, ...turn(1, "x")), lost(7)))
  const told2 = { ...told, lost: { ...told.lost!, unchecked: { turn: 1, refused: [] } }, turn: 2 }
  const call = (more: object) => ({ ...opaque(5), status: "asked", ...more }) as never
  test.each<[string, object, boolean]>([
    ["an opaque one", {}, true],
    ["one that may be made twice", { effect: "keyed" }, false],
    ["a delegation", { kind: "delegation", effect: "keyed" }, true],
    ["a result that is handed in", { kind: "submit" }, false],
    ["one that has started", { startedAt: 1 }, false],
  ])("%s is to be thought over", (_, more, expected) => {
    expect(mustBeReconsidered(told2, call(more))).toBe(expected)
    expect(mustBeReconsidered(folded(runStart), call(more))).toBe(false)
  })

  test("is made once it is asked for again, with the same arguments", () => {
    const refused = { ...told2, ...withLossCheck(told2, call({}), { status: "skipped", text: "" }) }
    expect(refused.lost?.unchecked).toEqual({ turn: 1, refused: ["work {}"] })
    expect(mustBeReconsidered(refused, call({}))).toBe(false)
    expect(mustBeReconsidered(refused, call({ arguments: '{"a":1}' }))).toBe(true)
    expect(mustBeReconsidered(refused, call({ tool: "other" }))).toBe(true)
  })

  test.each<[string, object, "ok" | "error" | "skipped", object, boolean]>([
    ["a call of a later turn that worked", {}, "ok", {}, true],
    ["one that failed", {}, "error", {}, false],
    ["one that was skipped and may be made twice", { effect: "read" }, "skipped", {}, false],
    ["one that hands in a result", { kind: "submit" }, "ok", {}, false],
    ["one of the same turn", {}, "ok", { turn: 1 }, false],
  ])("%s: the model has looked or not", (_, more, status, state, hasLooked) => {
    const { lost: after } = withLossCheck({ ...told2, ...state }, call(more), { status, text: "" })
    expect(after !== undefined && after.unchecked === undefined).toBe(hasLooked)
  })

  test("where nothing is lost, nothing is looked for", () =>
    expect(withLossCheck(folded(runStart), call({}), { status: "ok", text: "" })).toEqual({}))
})
