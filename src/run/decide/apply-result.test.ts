import { describe, expect, test } from "vitest"
import { asked, folded } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { SharedMap } from "../log/shared-map.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { repeatWarning } from "../words/prompt.ts"
import { applySubmission, rememberFiles, updateUnresolved, writeResults } from "./apply-result.ts"

const state = (more: Partial<RunState> = {}): RunState => ({ ...folded(runStart), turn: 3, ...more })
const call = (more: object = {}) => ({ ...asked(1), status: "ended", ...more }) as OpenCall

describe("a result that is handed in", () => {
  const wrong = { status: "error", text: "no" } as const
  const rejected = (turn: number, count: number) => ({ turn, count, text: "{", problem: "no" })
  test.each<[string, Partial<RunState>, string, Parameters<typeof applySubmission>[2], object]>([
    [
      "is taken",
      { rejected: rejected(2, 1) },
      '{"a":1}',
      { status: "ok", text: "" },
      { submitted: { a: 1 }, rejected: undefined },
    ],
    ["is wrong", {}, "{", wrong, { rejected: rejected(3, 1) }],
    [
      "is wrong again in a later turn",
      { rejected: rejected(2, 1) },
      "{",
      wrong,
      { rejected: rejected(3, 2) },
    ],
    ["is wrong twice in one turn", { rejected: rejected(3, 1) }, "{", wrong, { rejected: rejected(3, 1) }],
    ["is not looked at", { rejected: rejected(2, 1) }, "{", { status: "skipped", text: "" }, {}],
  ])("%s", (_, more, text, result, expected) =>
    expect(applySubmission(state(more), call({ arguments: text }), result)).toEqual(expected),
  )
})

test("a file is known as it was last looked at", () => {
  const seen = rememberFiles(SharedMap.empty<string>().with([["/a", "0"]]), {
    read: [
      { path: "/a", hash: "1" },
      { path: "/b", hash: "2" },
    ],
    files: [{ path: "/b", hash: "3" }],
  } as never)
  expect(seen.toJSON()).toEqual({ "/a": "1", "/b": "3" })
  expect(rememberFiles(seen, {})).toBe(seen)
})

describe("calls whose outcome nobody knows", () => {
  const before = [
    { call: "c0", tool: "work", turn: 2 },
    { call: "c9", tool: "work", turn: 3 },
  ]
  const unknown = { call: "c1", tool: "work", turn: 3 }
  test.each<[string, object, string, readonly object[]]>([
    ["one more", { effect: "opaque" }, "unknown", [...before, unknown]],
    ["one that may be made twice is none", { effect: "keyed" }, "unknown", before],
    ["what worked has looked at those of earlier turns", {}, "ok", before.slice(1)],
    ["what failed has not", {}, "error", before],
    ["handing in a result has not", { kind: "submit" }, "ok", before],
  ])("%s", (_, more, status, expected) =>
    expect(
      updateUnresolved(state({ unresolved: before }), call(more), { status, text: "" } as never),
    ).toEqual(expected),
  )

  test("one that may be made twice is one if its tool says so itself", () => {
    const result = { status: "unknown", toldByTool: true, text: "" } as never
    expect(updateUnresolved(state({ unresolved: before }), call({ effect: "keyed" }), result)).toEqual([
      ...before,
      unknown,
    ])
  })

  test("none stay none", () => {
    const none: RunState["unresolved"] = []
    expect(updateUnresolved(state({ unresolved: none }), call(), { status: "ok", text: "" })).toBe(none)
  })
})

describe("what a model reads of its calls", () => {
  const ended = (number: number, result: object) =>
    call({ ...asked(number), result: { status: "ok", text: `t${number}`, ...result } })
  const message = (number: number, more: object = {}) => ({
    role: "tool",
    call: `c${number}`,
    wire: `w${number}`,
    tool: "work",
    text: `t${number}`,
    ...more,
  })
  const repeats = (count: number, turn: number) => ({ repeats: { signatures: [], period: 1, count, turn } })
  const calls = [ended(1, { status: "error" }), ended(2, { attachments: [{ blob: "b" }] })]
  const plain = [message(1, { isError: true }), message(2, { attachments: [{ blob: "b" }] })]
  test.each<[string, Partial<RunState>, readonly object[]]>([
    ["their results", {}, plain],
    ["no warning after two turns that were the same", repeats(2, 3), plain],
    ["a warning after three", repeats(3, 3), [plain[0]!, { ...plain[1], text: `t2\n\n${repeatWarning(3)}` }]],
    ["no warning of an earlier turn", repeats(3, 2), plain],
  ])("%s", (_, more, expected) => expect(writeResults(state(more), calls)).toEqual(expected))

  test("nothing, where there are none", () => expect(writeResults(state(repeats(3, 3)), [])).toEqual([]))
})
