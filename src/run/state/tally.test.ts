import { describe, expect, test } from "vitest"
import { asked } from "../../../test/folded.ts"
import { classifyFileUse } from "./file-use.ts"
import type { OpenCall } from "./open-call.ts"
import { changeTally, emptyTally, tallyCalls, tallyKeyOf } from "./tally.ts"

const call = (more: object): OpenCall => ({ ...asked(1), status: "asked", ...more }) as OpenCall
const access = (...types: readonly string[]) => ({ accesses: types.map((type) => ({ type, path: "/f" })) })
const child = { kind: "delegation", status: "started", child: "r.1", mode: "wait" }
const report = { outcome: { type: "completed" }, output: "" }

const calls: readonly (readonly [string, OpenCall, ReturnType<typeof tallyKeyOf>])[] = [
  ["one that was asked for", call({}), "ready"],
  ["one that hooks have judged", call({ status: "hooked" }), "ready"],
  ["one that was approved", call({ status: "approved" }), "ready"],
  ["one that was refused", call({ status: "refused" }), "ready"],
  ["one whose process died", call({ status: "interrupted" }), "ready"],
  ["one that looks at a file", call(access("read")), "ordered"],
  ["one that changes a file", call({ status: "approved", ...access("write") }), "ordered"],
  ["a result that is handed in", call({ kind: "submit" }), "ordered"],
  ["one that is no function", call({ kind: "delegation", ...access("write") }), "ready"],
  ["one that a person is asked about", call({ status: "asking" }), undefined],
  ["the same with a time", call({ status: "asking", expires: 9 }), "expiring"],
  ["one at work", call({ status: "started" }), "atWork"],
  ["a pause", call({ status: "started", kind: "pause" }), "watching"],
  ["one that watches others", call({ status: "started", kind: "control" }), "watching"],
  ["one that was answered", call({ status: "started", kind: "control", answer: "yes" }), "ready"],
  ["one that waits for a child", call(child), "waiting"],
  ["one whose child has ended", call({ ...child, report }), "ready"],
  ["one whose child asks", call({ ...child, question: "?" }), "ready"],
  ["one with a child in the background", call({ ...child, mode: "background" }), "ready"],
  ["one that has ended", call({ status: "ended" }), undefined],
]

describe("how a call stands", () => {
  test.each(calls)("%s", (_, one, expected) => {
    expect(tallyKeyOf(one)).toBe(expected)
    expect(tallyCalls([one])).toEqual({
      ...emptyTally,
      open: one.status === "ended" ? 0 : 1,
      ...(expected && { [expected]: 1 }),
    })
  })

  test("is counted of all calls", () => {
    const all = calls.map(([, one]) => one)
    expect(tallyCalls(all)).toEqual({
      open: 19,
      ready: 10,
      ordered: 3,
      atWork: 1,
      waiting: 1,
      expiring: 1,
      watching: 2,
    })
    // Changing one call gives the same tally as counting all calls again.
    for (const before of all)
      for (const after of all)
        expect(changeTally(tallyCalls([...all, before]), before, after)).toEqual(tallyCalls([...all, after]))
    for (const added of all)
      expect(changeTally(tallyCalls(all), undefined, added)).toEqual(tallyCalls([...all, added]))
  })
})

describe("what a call does to files", () => {
  test.each<[object, ReturnType<typeof classifyFileUse>]>([
    [{}, "nothing"],
    [access(), "nothing"],
    [access("fetch"), "nothing"],
    [access("read"), "looks"],
    [access("fetch", "read"), "looks"],
    [access("read", "fetch"), "looks"],
    [access("read", "write"), "changes"],
    [access("write"), "changes"],
    [access("command"), "changes"],
    [access("unclear"), "changes"],
    [access("dangerous"), "changes"],
    [{ kind: "control", ...access("write") }, "nothing"],
  ])("%j: %s", (more, expected) => expect(classifyFileUse(call(more))).toBe(expected))
})
