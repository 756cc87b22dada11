import { expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { callCountAfter, callNumber, findCall, findCallIndex, setCall } from "./set-call.ts"
import { tallyCalls } from "./tally.ts"

/** A state in its second turn, with the calls c3 and c4. */
const state = folded(
  runStart,
  ...turn(1, [asked(1), asked(2)]),
  ...[1, 2].map(
    (number) => ({ type: "tool-end", call: `c${number}`, result: { status: "ok", text: "" } }) as const,
  ),
  ...turn(2, [asked(3), asked(4)]),
)

test("a call is found by its number", () => {
  expect(
    ["c2", "c3", "c4", "c5", "c03", "x3", "after_model:3"].map((id) => findCallIndex(state, id)),
  ).toEqual([-1, 0, 1, -1, -1, -1, -1])
  expect([findCall(state, "c4")?.id, findCall(state, "c2")]).toEqual(["c4", undefined])
})

test("a call of the turn is changed, and counted as it is then", () => {
  const changed = setCall(state, "c4", { status: "started" })
  expect([...changed.calls].map(({ id, status }) => [id, status])).toEqual([
    ["c3", "asked"],
    ["c4", "started"],
  ])
  expect(changed.tally).toEqual(tallyCalls(changed.calls))
  expect(state.tally.ready).toBe(2)
})

test("one that has ended, that is not there, or that is in another status is not", () => {
  const asking = setCall(state, "c3", { status: "asking" })
  const ended = setCall(state, "c3", { status: "ended" })
  expect(setCall(state, "c9", { status: "started" })).toBe(state)
  expect(setCall(ended, "c3", { status: "started" })).toBe(ended)
  expect(setCall(state, "c3", { status: "approved" }, "asking")).toBe(state)
  expect(findCall(setCall(asking, "c3", { status: "approved" }, "asking"), "c3")?.status).toBe("approved")
})

test("calls are numbered on, also where replies before them are lost", () => {
  const lost = { ...state, lost: { events: 1, seq: 1, reason: "x" } }
  const ids = (...numbers: readonly number[]) => numbers.map((number) => ({ id: `c${number}` }))
  expect([callCountAfter(state, ids(5, 6)), callCountAfter(state, [])]).toEqual([6, 4])
  expect([callCountAfter(lost, ids(8, 9)), callCountAfter(lost, ids(2)), callCountAfter(lost, [])]).toEqual([
    9, 4, 4,
  ])
  expect(["c5", "c0", "x5", "c5x", "after_model:5"].map(callNumber)).toEqual([5, 0, 0, 0, 0])
})
