import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { askAndDeny, runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { Letter } from "../log/store.ts"
import type { RunState } from "../state/state.ts"
import { answerLetter, createNoReaderError, readLetter } from "./letter.ts"

const letter = (body: unknown, at = 0): Letter => ({ key: "k", at, body }) as unknown as Letter

/** The answer to a letter, with the code of its problem. */
function answer(state: RunState, body: object, at = 0) {
  const read = readLetter(letter(body, at))
  if (!read) return "unreadable"
  const { fact, problem } = answerLetter(state, read)
  return { ...(fact && { fact }), ...(problem && { problem: problem.code }) }
}

const ended: Fact = { type: "run-end", outcome: { type: "completed" }, output: "x" }
const end = { type: "child-end", child: "r.1", output: "o", outcome: { type: "completed" }, usage: {} }

describe("a letter is read where it says what it must", () => {
  test.each([
    [{ type: "message", from: "u", text: "x" }, true],
    [{ type: "message", from: "u" }, false],
    [{ type: "message", text: "x" }, false],
    [{ type: "message", from: 1, text: "x" }, false],
    [{ type: "approval", call: "c1", decision: "allow" }, true],
    [{ type: "approval", call: "c1", decision: "deny" }, true],
    [{ type: "approval", call: "c1", decision: "maybe" }, false],
    [{ type: "approval", decision: "allow" }, false],
    [{ type: "approval", call: "c1" }, false],
    [{ type: "cancel", reason: "x" }, true],
    [{ type: "cancel" }, false],
    [{ type: "child-rest", child: "r.1" }, true],
    [{ type: "child-rest" }, false],
    [{ type: "child-wake", child: "r.1" }, true],
    [{ type: "child-wake" }, false],
    [{ type: "child-ask", child: "r.1", question: "?" }, true],
    [{ type: "child-ask", child: "r.1" }, false],
    [{ type: "child-ask", question: "?" }, false],
    [end, true],
    [{ ...end, output: undefined }, false],
    [{ ...end, child: undefined }, false],
    [{ ...end, outcome: null }, false],
    [{ ...end, outcome: "completed" }, false],
    [{ ...end, usage: null }, false],
    [{ type: "run-end", output: "x" }, false],
    [{}, false],
    [null, false],
    [undefined, false],
  ])("%j: %s", (body, isRead) => {
    const one = letter(body)
    expect(readLetter(one)).toBe(isRead ? one : undefined)
  })
})

describe("a message", () => {
  const child = { ...runStart, caller: { run: "p", call: "c9" } }
  const asking: readonly Fact[] = [
    ...turn(1, [
      asked(1, { kind: "control", tool: "ask" }),
      asked(2, { kind: "control", tool: "ask" }),
      asked(3, { kind: "control", tool: "wait" }),
    ]),
    { type: "tool-start", call: "c1", asks: { expires: 99 } },
    { type: "tool-start", call: "c2", asks: { expires: 99 } },
    { type: "tool-start", call: "c3", waits: { runs: [], until: "all" } },
  ]
  const answered: Fact = { type: "message-add", key: "j", from: "p", text: "y", answers: "c1" }
  const from = (sender: string, ...facts: readonly Fact[]) =>
    answer(folded(child, ...facts), { type: "message", from: sender, text: "x" })
  const fact = { type: "message-add", key: "k", text: "x" }
  test("is recorded", () => expect(from("u")).toEqual({ fact: { ...fact, from: "u" } }))
  test("of the caller answers the first question that is open", () => {
    expect(from("p", ...asking)).toEqual({ fact: { ...fact, from: "p", answers: "c1" } })
    expect(from("p", ...asking, answered)).toEqual({ fact: { ...fact, from: "p", answers: "c2" } })
    expect(from("p", ...asking, { type: "run-resume" })).toEqual({
      fact: { ...fact, from: "p", answers: "c1" },
    })
  })
  test("of anybody else answers none", () => {
    for (const sender of ["user", "r.1", "p.2"])
      expect(from(sender, ...asking)).toEqual({ fact: { ...fact, from: sender } })
    expect(answer(folded(runStart, ...asking), { type: "message", from: "p", text: "x" })).toEqual({
      fact: { ...fact, from: "p" },
    })
  })
  test("of the caller answers no question that has not been asked, or is over", () => {
    expect(from("p", ...asking.slice(0, 2))).toEqual({ fact: { ...fact, from: "p" } })
    const over: readonly Fact[] = ["c1", "c2"].map((call) => ({
      type: "tool-end",
      call,
      result: { status: "ok", text: "y" },
    }))
    expect(from("p", ...asking, ...over)).toEqual({ fact: { ...fact, from: "p" } })
  })
  test("that comes too late is kept, and its sender told", () => {
    expect(from("u", ended)).toEqual({ fact: { ...fact, from: "u" }, problem: "RUN_ENDED" })
  })
})

describe("an approval", () => {
  const start = { ...runStart, rights: askAndDeny }
  const asking: readonly Fact[] = [
    ...turn(1, [asked(1, { tool: "ask" }), asked(2, { tool: "ask" })]),
    { type: "approval-start", call: "c1", expires: 50 },
  ]
  const of = (more: object, at = 0, ...facts: readonly Fact[]) =>
    answer(
      folded(start, ...asking, ...facts),
      { type: "approval", call: "c1", decision: "allow", ...more },
      at,
    )
  const fact = { type: "approval-end", call: "c1", key: "k", decision: "allow" }
  test.each<[string, ReturnType<typeof of>, ReturnType<typeof of>]>([
    ["is recorded", of({}), { fact } as never],
    ["with a note", of({ note: "go" }), { fact: { ...fact, note: "go" } } as never],
    ["with a note that is none", of({ note: 3 }), { fact } as never],
    ["that says no", of({ decision: "deny" }), { fact: { ...fact, decision: "deny" } } as never],
    ["just in time", of({}, 49), { fact } as never],
    ["too late", of({}, 50), { problem: "CALL_UNKNOWN" }],
    ["of a call that asks nothing", of({ call: "c2" }), { problem: "CALL_UNKNOWN" }],
    ["of no call", of({ call: "c9" }), { problem: "CALL_UNKNOWN" }],
    ["of a run that has ended", of({}, 0, ended), { problem: "RUN_ENDED" }],
  ])("%s", (_, found, expected) => expect(found).toEqual(expected))

  test("that is not open names those that are", () => {
    const read = readLetter(letter({ type: "approval", call: "c7", decision: "allow" }))!
    expect(answerLetter(folded(start, ...asking), read).problem?.message).toBe(
      'Run r has no open approval "c7". Open: c1 (ask).',
    )
    expect(answerLetter(folded(start), read).problem?.message).toBe(
      'Run r has no open approval "c7". Open: none.',
    )
  })
})

describe("an answer", () => {
  const start = { ...runStart, rights: askAndDeny }
  const question = {
    from: "the server",
    text: "Which?",
    form: [{ name: "color", type: "text", required: true }],
  } as const
  const asking: readonly Fact[] = [
    ...turn(1, [asked(1), asked(2, { tool: "ask" }), asked(3)]),
    { type: "approval-start", call: "c1", question, number: 1 },
    { type: "approval-start", call: "c2" },
  ]
  const yes = { action: "accept", content: { color: "red" } }
  const of = (more: object, ...facts: readonly Fact[]) =>
    answer(folded(start, ...asking, ...facts), { type: "answer", call: "c1", answer: yes, ...more })
  const fact = { type: "approval-end", call: "c1", key: "k", decision: "allow", answer: yes }
  const no = (action: string) => ({ fact: { ...fact, decision: "deny", answer: { action } } })
  test.each<[string, unknown, unknown]>([
    ["is recorded", of({}), { fact }],
    ["that declines", of({ answer: { action: "decline" } }), no("decline")],
    ["that gives none", of({ answer: { action: "cancel" } }), no("cancel")],
    ["without what is asked for", of({ answer: { action: "accept" } }), { problem: "ANSWER_INVALID" }],
    ["of another kind", of({ answer: { action: "maybe" } }), "unreadable"],
    ["with a list", of({ answer: { action: "accept", content: ["red"] } }), "unreadable"],
    ["with a text", of({ answer: { action: "accept", content: "red" } }), "unreadable"],
    ["that is none", of({ answer: null }), "unreadable"],
    ["to a call that waits for an approval", of({ call: "c2" }), { problem: "CALL_UNKNOWN" }],
    ["to a call that asks nothing", of({ call: "c3" }), { problem: "CALL_UNKNOWN" }],
    ["to no call", of({ call: "c9" }), { problem: "CALL_UNKNOWN" }],
    ["to a question that was answered", of({}, fact as Fact), { problem: "CALL_UNKNOWN" }],
    ["to a run that has ended", of({}, ended), { problem: "RUN_ENDED" }],
  ])("%s", (_, found, expected) => expect(found).toEqual(expected))

  test.each([
    ["allow", { ...question, form: undefined }, { fact: { ...fact, answer: { action: "accept" } } }],
    ["allow", question, { problem: "ANSWER_INVALID" }],
    ["deny", question, no("decline")],
  ])("may be an approval that says %s to %j", (decision, asks, expected) => {
    const state = folded(start, ...turn(1, [asked(1)]), {
      type: "approval-start",
      call: "c1",
      question: asks,
    } as Fact)
    expect(answer(state, { type: "approval", call: "c1", decision })).toEqual(expected)
  })
})

describe("what a run hears of its children", () => {
  const child: Fact = { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "wait" }
  const parent = (...facts: readonly Fact[]) =>
    folded(runStart, ...turn(1, [asked(1, { kind: "delegation" })]), child, ...facts)
  const rests: Fact = { type: "child-rest", child: "r.1", key: "j" }
  const completed = { type: "completed" }
  const fact = { type: "child-end", child: "r.1", key: "k", outcome: completed, output: "o", usage: {} }
  test.each<[string, RunState, object, unknown]>([
    ["rests", parent(), { type: "child-rest", child: "r.1" }, { fact: { ...rests, key: "k" } }],
    ["rests again", parent(rests), { type: "child-rest", child: "r.1" }, {}],
    [
      "wakes",
      parent(rests),
      { type: "child-wake", child: "r.1" },
      { fact: { type: "child-wake", child: "r.1", key: "k" } },
    ],
    ["wakes again", parent(), { type: "child-wake", child: "r.1" }, {}],
    ["a stranger rests", parent(), { type: "child-rest", child: "r.2" }, {}],
    ["rests after the end", parent(ended), { type: "child-rest", child: "r.1" }, {}],
    [
      "asks",
      parent(),
      { type: "child-ask", child: "r.1", question: "?" },
      { fact: { type: "child-ask", child: "r.1", key: "k", question: "?" } },
    ],
    ["a stranger asks", parent(), { type: "child-ask", child: "r.2", question: "?" }, {}],
    ["asks after the end", parent(ended), { type: "child-ask", child: "r.1", question: "?" }, {}],
    ["ends", parent(), end, { fact }],
    ["ends after the end", parent(ended), end, { fact }],
    ["a stranger ends", parent(), { ...end, child: "r.2" }, {}],
    ["ends with a value", parent(), { ...end, value: null }, { fact: { ...fact, value: null } }],
    [
      "ends with all there is",
      parent(),
      {
        ...end,
        unsettled: { calls: 1, tokens: 2, cost: 3 },
        objection: { reason: "x" },
        lacks: [{ agent: "b", lacks: [{ tool: "Bash", by: { type: "call" } }] }],
        untold: true,
        unrepeatable: true,
        isolation: { files: [{ path: "a" }], branch: "b", base: "c" },
      },
      {
        fact: {
          ...fact,
          unsettled: { calls: 1, tokens: 2, cost: 3 },
          objection: { reason: "x" },
          lacks: [{ agent: "b", lacks: [{ tool: "Bash", by: { type: "call" } }] }],
          untold: true,
          unrepeatable: true,
          isolation: { files: [{ path: "a" }], branch: "b", base: "c" },
        },
      },
    ],
    [
      "ends with what is none",
      parent(),
      {
        ...end,
        unsettled: "x",
        objection: { reason: 3 },
        lacks: "x",
        untold: true,
        unrepeatable: "yes",
        isolation: { files: [{ path: 1 }], branch: "b", base: "c" },
      },
      { fact },
    ],
    ["ends with an objection that is none", parent(), { ...end, objection: null }, { fact }],
    [
      "ends with files that are none",
      parent(),
      { ...end, isolation: { files: 3, branch: "b", base: "c" } },
      { fact },
    ],
    ["ends with half a report", parent(), { ...end, isolation: { files: [], branch: "b" } }, { fact }],
    ["ends with a report of null", parent(), { ...end, isolation: null }, { fact }],
    ["is told nothing it was not told", parent(), { ...end, untold: true }, { fact }],
  ])("%s", (_, state, body, expected) => expect(answer(state, body)).toEqual(expected))

  test("what is too long is cut, and its length told", () => {
    const start = { ...runStart, limits: { ...runStart.limits, maxResultBytes: 1_000 } }
    const state = folded(start, ...turn(1, [asked(1, { kind: "delegation" })]), child)
    const output = "x".repeat(5_000)
    const told = answer(state, { ...end, output }) as { fact: { output: string; length: number } }
    expect(told.fact.length).toBe(5_000)
    expect(told.fact.output.length).toBeLessThanOrEqual(1_000)
    expect(told.fact.output.startsWith("xxx")).toBe(true)
  })
})

test("a cancel is recorded while the run has not ended", () => {
  const cancel = { type: "cancel", reason: "enough" }
  expect(answer(folded(runStart), cancel)).toEqual({
    fact: { type: "cancel-request", key: "k", reason: "enough" },
  })
  expect(answer(folded(runStart, ended), cancel)).toEqual({})
})

test("where nobody reads, those below are named", () => {
  const pipeline = { ...runStart, kind: "pipeline" }
  expect(createNoReaderError(folded(pipeline)).message).not.toContain("Send it")
  const child: Fact = { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "wait" }
  const { code, message } = createNoReaderError(folded(pipeline, child))
  expect({ code, end: message.slice(message.indexOf("Send")) }).toEqual({
    code: "MESSAGE_REFUSED",
    end: expect.stringMatching(/Send.*r\.1 \(b\).?$/),
  })
})
