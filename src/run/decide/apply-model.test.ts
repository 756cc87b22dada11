import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import { addAll } from "./apply-model.ts"

const error = (kind = "network") => ({ kind, message: "no", retryable: true })
const start = (more: object = {}): Fact =>
  ({
    type: "model-start",
    turn: 1,
    attempt: 1,
    model: "m",
    reserved: { inputTokens: 10, outputTokens: 5 },
    ...more,
  }) as Fact
const end = (more: object = {}): Fact =>
  ({
    type: "model-end",
    turn: 1,
    attempt: 1,
    text: "a",
    calls: [],
    usage: { inputTokens: 1, outputTokens: 2 },
    stop: "end",
    ...more,
  }) as Fact
const usage = (tokens: number) => ({ inputTokens: tokens, outputTokens: tokens })
const letter = (from: string, more: object = {}): Fact =>
  ({ type: "message-add", key: `k-${from}`, from, text: "hi", ...more }) as Fact

const stateAfter = (...facts: readonly Fact[]): RunState => folded(runStart, ...facts)

describe("when the model is asked", () => {
  test("it is at work, and gets what has arrived", () => {
    const state = folded(runStart, 7, letter("x"), 9, start({ turn: 2, model: "n" }))
    expect([state.turn, state.requestedModel, state.phase, state.inbox, [...state.messages].at(-1)]).toEqual([
      2,
      "n",
      { type: "calling", start: expect.objectContaining({ model: "n" }), since: 9 },
      [],
      { role: "user", text: "hi" },
    ])
  })

  test("what it said last is not the end any more, nor what it handed in", () => {
    const before = stateAfter(...turn(1, "done"))
    expect([before.final?.text, stateAfter(...turn(1, "done"), start({ turn: 2 })).final]).toEqual([
      "done",
      undefined,
    ])
  })

  test.each<[string, string, number]>([
    ["the same calls again are a repetition", "runtime", 2],
    ["after a message from outside they are none", "user", 0],
  ])("%s", (_, from, count) => {
    const signed = (number: number) => turn(number, [asked(number)], { signature: "s" }).map((fact) => fact)
    const ended = (number: number): Fact => ({
      type: "tool-end",
      call: `c${number}`,
      result: { status: "ok", text: "" },
    })
    const state = stateAfter(...signed(1), ended(1), ...signed(2), ended(2), letter(from), start({ turn: 3 }))
    expect(state.repeats.count).toBe(count)
  })

  test("what it cannot see is a warning, once", () => {
    const warned = stateAfter(start({ unseen: [{ mediaType: "image/png", name: "a.png", of: "task" }] }))
    expect(warned.warnings).toHaveLength(1)
    expect(stateAfter(start()).warnings).toBeUndefined()
  })
})

describe("when the model answers", () => {
  test("its text is the last one, and the end of the run", () => {
    const state = stateAfter(start(), end({ reported: "m-1", provider: { from: "h" } }))
    expect({
      phase: state.phase,
      usage: state.usage,
      reported: state.reported,
      lastText: state.lastText,
      inputTokens: state.inputTokens,
      final: state.final,
      last: [...state.messages].at(-1),
    }).toEqual({
      phase: { type: "idle" },
      usage: { m: { inputTokens: 1, outputTokens: 2 } },
      reported: ["m-1"],
      lastText: "a",
      inputTokens: 1,
      final: { text: "a", stop: "end", closing: false, thought: true },
      last: { role: "assistant", text: "a", calls: [], provider: { from: "h" } },
    })
  })

  test.each<[string, object, object]>([
    ["plainly", {}, { text: "a", stop: "end", closing: false }],
    [
      "with the word of its end",
      { finish: "eos" },
      { text: "a", stop: "end", closing: false, finish: "eos" },
    ],
    ["with calls that were cut", { cutCalls: 2 }, { text: "a", stop: "end", closing: false, cutCalls: 2 }],
    [
      "after thinking",
      { usage: { reasoningTokens: 1 } },
      { text: "a", stop: "end", closing: false, thought: true },
    ],
    ["without thinking", { usage: { reasoningTokens: 0 } }, { text: "a", stop: "end", closing: false }],
  ])("it ends %s", (_, more, final) => expect(stateAfter(start(), end(more)).final).toStrictEqual(final))

  test("in its closing turn it closes", () => {
    expect(stateAfter(start({ closing: true }), end()).final?.closing).toBe(true)
  })

  test("its calls join the turn, and not the end", () => {
    const state = stateAfter(start(), end({ text: " ", calls: [asked(1), asked(2)] }))
    expect([
      [...state.calls].map(({ id, status }) => [id, status]),
      state.callCount,
      state.askedBefore,
      state.final,
      state.lastText,
      [...state.messages].at(-1),
    ]).toEqual([
      [
        ["c1", "asked"],
        ["c2", "asked"],
      ],
      2,
      true,
      undefined,
      "",
      {
        role: "assistant",
        text: " ",
        calls: [1, 2].map((number) => ({
          id: `c${number}`,
          wire: `w${number}`,
          tool: "work",
          arguments: "{}",
        })),
      },
    ])
  })

  test("a blank answer does not join the history", () => {
    const before = stateAfter(start())
    expect([...stateAfter(start(), end({ text: " \n" })).messages]).toEqual([...before.messages])
  })

  test("its failure is the run's, and changes no history", () => {
    const state = stateAfter(start(), end({ error: error(), text: "half" }))
    expect([state.failure, state.lastText, state.final, state.phase]).toEqual([
      error(),
      "",
      undefined,
      { type: "idle" },
    ])
  })

  test("each name that it reports is kept once, and each that it was not asked for", () => {
    const mismatch = { asked: "m", reported: "other" }
    const state = stateAfter(
      start(),
      end(mismatch),
      start({ turn: 2 }),
      end({ turn: 2, ...mismatch }),
      start({ turn: 3 }),
      end({ turn: 3, asked: "m", reported: "third" }),
    )
    expect([state.reported, state.mismatches]).toEqual([
      ["other", "third"],
      [mismatch, { asked: "m", reported: "third" }],
    ])
  })

  test("what it used is added to what it had used, for each model", () => {
    const state = stateAfter(
      start(),
      end(),
      start({ turn: 2, model: "n" }),
      end({ turn: 2 }),
      start({ turn: 3 }),
      end({ turn: 3 }),
    )
    expect(state.usage).toEqual({
      m: { inputTokens: 2, outputTokens: 4 },
      n: { inputTokens: 1, outputTokens: 2 },
    })
    expect(addAll({ a: usage(1) }, { a: usage(2), constructor: usage(3) })).toEqual({
      a: usage(3),
      constructor: usage(3),
    })
  })
})

describe("when a request fails", () => {
  const retry = (more: object = {}): Fact =>
    ({ type: "model-retry", turn: 1, attempt: 1, notBefore: 50, error: error(), ...more }) as Fact

  test("the run waits, and counts what was used", () => {
    const state = stateAfter(start(), retry({ usage: { inputTokens: 4 } }))
    expect([state.phase, state.usage, state.deaths]).toEqual([
      { type: "backoff", attempt: 1, notBefore: 50, wait: { attempt: 1, for: "m", next: 50, reason: "no" } },
      { m: { inputTokens: 4 } },
      0,
    ])
    expect(stateAfter(start(), retry()).usage).toEqual({})
  })

  test("another model takes its place", () => {
    const fallback = (from: string, more: object = {}): Fact =>
      ({ type: "model-fallback", turn: 1, attempt: 2, from, to: "n", error: error(), ...more }) as Fact
    const state = stateAfter(
      start(),
      fallback("m", { usage: { inputTokens: 4 } }),
      start({ model: "n", attempt: 3 }),
      fallback("n"),
    )
    expect({
      phase: state.phase,
      model: state.model,
      fallbacks: state.fallbacks,
      after: state.fellBackAfter,
      usage: state.usage,
    }).toEqual({
      phase: { type: "interrupted", attempt: 2 },
      model: 2,
      fallbacks: [
        { from: "m", reason: "no" },
        { from: "n", reason: "no" },
      ],
      after: 2,
      usage: { m: { inputTokens: 4 } },
    })
  })

  describe("because the history is too long", () => {
    const overflow = retry({ error: error("overflow") })
    const compaction: Fact = {
      type: "compaction-start",
      turn: 1,
      attempt: 2,
      model: "c",
      reserved: {},
    } as never
    const ended = (more: object = {}): Fact =>
      ({ type: "compaction-end", turn: 1, attempt: 2, ...more }) as never

    test("it is shortened", () => {
      expect(stateAfter(start(), overflow).phase).toEqual({
        type: "overflow",
        attempt: 1,
        error: error("overflow"),
      })
      expect(stateAfter(start(), overflow, compaction).phase).toEqual({
        type: "compacting",
        start: expect.objectContaining({ model: "c" }),
        error: error("overflow"),
      })
      expect(stateAfter(start(), compaction).phase.type).toBe("calling")
    })

    test("a failure to shorten it is the run's", () => {
      const state = stateAfter(
        start(),
        overflow,
        compaction,
        ended({ error: error(), usage: { inputTokens: 3 } }),
      )
      expect([state.phase, state.failure, state.usage, state.compacted]).toEqual([
        { type: "idle" },
        error(),
        { c: { inputTokens: 3 } },
        false,
      ])
    })

    test("and the request is made again", () => {
      const state = stateAfter(start(), overflow, compaction, ended({ results: [] }))
      expect([state.phase, state.compacted, state.inputTokens, state.answered, state.usage]).toEqual([
        { type: "interrupted", attempt: 2 },
        true,
        0,
        0,
        {},
      ])
    })
  })
})
