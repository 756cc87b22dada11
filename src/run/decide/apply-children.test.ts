import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { RunState } from "../state/state.ts"
import {
  mayTryFallback,
  withChild,
  withFailed,
  withLacks,
  withoutChild,
  withVerdict,
} from "./apply-children.ts"

const delegation = asked(1, { kind: "delegation", tool: "Agent", effect: "keyed" })
const begun: readonly Fact[] = [...turn(1, [delegation]), { type: "tool-start", call: "c1" }]
const child = (number: number, more: object = {}) =>
  ({ type: "child-start", call: "c1", child: `r.${number}`, agent: "b", mode: "wait", ...more }) as const
const state = (...facts: readonly Fact[]): RunState => folded(runStart, ...begun, ...facts)
const failed = {
  key: "k",
  report: { outcome: { type: "failed", reason: "it broke" } as RunOutcome, output: "" },
}
/** A state whose child was given up, with others that may get its task. */
const withFailure = (): RunState => {
  const before = state(child(1, { fallback: ["c", "d"], timeout: 5 }))
  return { ...before, ...withFailed(before, before.children.at(0)!, failed) }
}

test.each<[RunOutcome["type"], boolean]>([
  ["failed", true],
  ["timed-out", true],
  ["no-output", true],
  ["loop", true],
  ["completed", false],
  ["cancelled", false],
  ["denied", false],
  ["uncertain", false],
])("after a child that is %s another may try: %s", (type, expected) => {
  expect(mayTryFallback({ type } as RunOutcome)).toBe(expected)
})

describe("a child joins the others", () => {
  test.each<[string, object, object]>([
    ["plainly", {}, { run: "r.1", call: "c1", agent: "b", mode: "wait", resting: false }],
    [
      "with what it lacks",
      { lacks: [{ tool: "Bash" }] },
      { run: "r.1", call: "c1", agent: "b", mode: "wait", resting: false, lacks: [{ tool: "Bash" }] },
    ],
    [
      "with those that get its task if it fails",
      { fallback: ["c"], timeout: 5 },
      {
        run: "r.1",
        call: "c1",
        agent: "b",
        mode: "wait",
        resting: false,
        fallback: { tool: "Agent", next: ["c"], tried: [], timeout: 5 },
      },
    ],
    [
      "for a hook",
      { hook: { hook: "h" }, fallback: ["c"], call: "after_model:1" },
      {
        run: "r.1",
        call: "after_model:1",
        agent: "b",
        mode: "wait",
        hook: { hook: "h" },
        resting: false,
        fallback: { tool: "Agent", next: ["c"], tried: [] },
      },
    ],
    [
      "of a call that is not there",
      { call: "c7", fallback: ["c"] },
      {
        run: "r.1",
        call: "c7",
        agent: "b",
        mode: "wait",
        resting: false,
        fallback: { tool: "", next: ["c"], tried: [] },
      },
    ],
  ])("%s", (_, more, expected) => {
    const { children } = withChild(state(child(7)), child(1, more) as never)
    expect([children.length, children.at(1)]).toEqual([2, expected])
  })
})

describe("another takes the place of a child that failed", () => {
  test("with all that was tried, and those that remain", () => {
    const before = withFailure()
    expect(before.failed).toEqual(["r.1"])
    const after = withChild(
      before,
      child(2, {
        agent: "c",
        fallbackOf: "r.1",
        fallback: ["d"],
        skipped: [{ agent: "x", reason: "gone" }],
      }) as never,
    )
    expect(after.failed).toBeUndefined()
    expect([...after.children]).toEqual([
      {
        run: "r.2",
        call: "c1",
        agent: "c",
        mode: "wait",
        resting: false,
        fallback: {
          tool: "Agent",
          next: ["d"],
          tried: [
            { agent: "b", run: "r.1", reason: expect.stringContaining("it broke") },
            { agent: "x", reason: "gone" },
          ],
          timeout: 5,
        },
        fallbackOf: "r.1",
      },
    ])
  })

  test("and keeps the hook that wanted it", () => {
    const hook = { hook: "h", agent: "b", task: "t", mode: "before" } as const
    const before = state(child(1, { fallback: ["c"], hook }))
    const given = { ...before, ...withFailed(before, before.children.at(0)!, failed) }
    const [replaced] = [...withChild(given, child(2, { agent: "c", fallbackOf: "r.1" }) as never).children]
    expect([replaced?.hook, replaced?.fallback?.next]).toEqual([hook, []])
  })

  test.each<[string, RunState, string]>([
    ["that has not failed", state(child(1, { fallback: ["c"] })), "r.1"],
    ["that is not there", withFailure(), "r.9"],
  ])("but not of one %s", (_, before, fallbackOf) => {
    const { children } = withChild(before, child(2, { fallbackOf }) as never)
    expect([...children].map(({ run }) => run)).toEqual(["r.1", "r.2"])
  })
})

test("failed children stay, and leave one by one", () => {
  const before = state(child(1, { fallback: ["c"] }), child(2, { fallback: ["c"] }), child(3))
  const one = { ...before, ...withFailed(before, before.children.at(0)!, failed) }
  const two = { ...one, ...withFailed(one, one.children.at(1)!, failed) }
  expect([two.failed, [...two.children].map((each) => each.failed === failed)]).toEqual([
    ["r.1", "r.2"],
    [true, true, false],
  ])
  const left = { ...two, ...withoutChild(two, two.children.at(0)!) }
  expect([left.failed, [...left.children].map(({ run }) => run)]).toEqual([["r.2"], ["r.2", "r.3"]])
  const none = withoutChild(left, left.children.at(0)!)
  expect([none.failed, none.children.length]).toEqual([undefined, 1])
  expect(withoutChild(before, before.children.at(2)!)).not.toHaveProperty("failed")
})

describe("hooks judge those that may get a task", () => {
  const before = withFailure()
  const judged = (given: RunState, verdict: Parameters<typeof withVerdict>[1], problem?: string) =>
    ({ ...given, ...withVerdict(given, verdict, problem) }) as RunState
  const of = ({ children }: RunState) => children.at(0)?.judged

  test("one, all that remain, and one again", () => {
    const one = judged(before, { run: "r.1", agent: "c" }, "not c")
    expect(of(one)).toEqual([{ agent: "c", problem: "not c" }])
    const all = judged(one, { run: "r.1" })
    expect(of(all)).toEqual([{ agent: "c" }, { agent: "d" }])
    expect(of(judged(all, { run: "r.1", agent: "d" }, "not d"))).toEqual([
      { agent: "c" },
      { agent: "d", problem: "not d" },
    ])
  })

  test("of another child change nothing here", () =>
    expect(of(judged(before, { run: "r.9" }, "no"))).toBeUndefined())
})

test("what runs below lack is told once", () => {
  const lack = (tool: string) => ({ agent: "b", tool }) as never
  expect(withLacks(undefined, [lack("a")])).toEqual({ lacksBelow: [lack("a")] })
  expect(withLacks([lack("a"), lack("b")], [lack("b"), lack("c"), lack("c")])).toEqual({
    lacksBelow: [lack("a"), lack("b"), lack("c")],
  })
})
