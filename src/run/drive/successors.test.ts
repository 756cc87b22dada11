import { expect, test } from "vitest"
import { emptyRunState, type RunState } from "../state/state.ts"
import { needsSuccessor, Successors } from "./successors.ts"

test("the root that has the task now is stopped, and no other", () => {
  const successors = new Successors()
  successors.add("a", "b")
  successors.add("b", "c")
  successors.add("x", "y")
  expect(successors.stop("a")).toBe("c")
  expect(["a", "b", "c", "x", "y"].filter((run) => successors.isStopped(run))).toEqual(["c"])
  expect(successors.stop("y")).toBe("y")
  expect(successors.stop("other")).toBe("other")
})

test("a root is forgotten with all that had its task after it", () => {
  const successors = new Successors()
  successors.add("a", "b")
  successors.add("b", "c")
  successors.add("x", "y")
  successors.stop("a")
  successors.stop("x")
  successors.forget("a")
  expect(["a", "b", "c", "y"].filter((run) => successors.isStopped(run))).toEqual(["y"])
  expect([successors.stop("b"), successors.stop("x")]).toEqual(["b", "y"])
})

test.each<[string, Partial<RunState>, boolean]>([
  ["has not ended", { start: { fallback: { next: ["b"] } } } as never, false],
  ["has no fallback", { end: { outcome: { type: "failed" } }, start: {} } as never, false],
  [
    "has tried all",
    { end: { outcome: { type: "failed" } }, start: { fallback: { next: [] } } } as never,
    false,
  ],
  [
    "failed with one left",
    { end: { outcome: { type: "failed" } }, start: { fallback: { next: ["b"] } } } as never,
    true,
  ],
  [
    "is complete",
    { end: { outcome: { type: "completed" } }, start: { fallback: { next: ["b"] } } } as never,
    false,
  ],
  ["was never begun", { end: { outcome: { type: "failed" } }, start: undefined } as never, false],
])("a root that %s", (_, state, expected) => {
  expect(needsSuccessor({ ...emptyRunState("r"), ...state })).toBe(expected)
})
