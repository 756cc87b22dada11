import { describe, expect, test } from "vitest"
import { folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Model, ModelError } from "../../agent/model.ts"
import { readClock } from "../log/clock.ts"
import type { RunStart } from "../log/event-run.ts"
import {
  askOnce,
  createRetryEvent,
  makeFailedReply,
  mayRetry,
  mayUseNextModel,
  passGate,
  retryDelay,
} from "./ask.ts"

const error = (more: Partial<ModelError> = {}): ModelError =>
  ({ kind: "overloaded", message: "later", retryable: true, ...more }) as ModelError
const uses = (...names: readonly object[]): RunStart => ({
  ...runStart,
  model: { ...runStart.model, uses: names.map((more) => ({ name: "m", ...more })) } as never,
})
const fellBack = (state: ReturnType<typeof folded>, after: number) => ({ ...state, fellBackAfter: after })

describe("whether another model is asked", () => {
  const worked = turn(1, [
    { id: "c1", wire: "w", tool: "t", arguments: "{}", kind: "function", effect: "read" },
  ])
  test.each<[string, ReturnType<typeof folded>, Partial<ModelError>, boolean]>([
    ["there is none", folded(uses({})), {}, false],
    ["there is one", folded(uses({}, {})), {}, true],
    ["it is asked already", { ...folded(uses({}, {})), model: 1 }, {}, false],
    ["something was done already", folded(uses({}, {}), ...worked), {}, false],
    ["it is only for a name that nobody knows", folded(uses({}, { only: "unknown" })), {}, false],
    ["and nobody knows the name", folded(uses({}, { only: "unknown" })), { unknownModel: true }, true],
  ])("%s", (_, state, more, expected) => expect(mayUseNextModel(state, error(more))).toBe(expected))
})

describe("whether a model is asked again", () => {
  const resumed = (ago: number, wait?: number) =>
    folded({
      ...runStart,
      resumedAt: readClock() - ago,
      limits: { ...runStart.limits, ...(wait !== undefined && { providerWait: wait }) },
    })
  test.each<[string, ReturnType<typeof folded>, Partial<ModelError>, number, boolean]>([
    ["it will never pass", folded(runStart), { retryable: false }, 1, false],
    ["the first time", folded(runStart), {}, 1, true],
    ["the fourth time", folded(runStart), {}, 4, true],
    ["the fifth time", folded(runStart), {}, 5, false],
    ["the fourth time of another model", fellBack(folded(runStart), 5), {}, 9, true],
    ["the fifth time of another model", fellBack(folded(runStart), 5), {}, 10, false],
    ["a run that was resumed just now", resumed(1_000), {}, 50, true],
    ["one that was resumed long ago", resumed(900_001), {}, 50, false],
    ["one that waits for less", resumed(1_000, 500), {}, 50, false],
    [
      "one that can ask another model",
      { ...resumed(1_000), start: { ...uses({}, {}), resumedAt: readClock() } },
      {},
      50,
      false,
    ],
    ["one that its own process took up", { ...folded(runStart), resumedAt: readClock() }, {}, 50, true],
  ])("%s", (_, state, more, attempt, expected) =>
    expect(mayRetry(state, error(more), attempt)).toBe(expected),
  )
})

describe("what is recorded of an attempt that is made again", () => {
  const fact = (state: object, model: object = {}) => {
    const before = readClock()
    const { notBefore, ...rest } = createRetryEvent(
      { state } as never,
      model as Model,
      { turn: 2, attempt: 3 },
      error(),
      500,
    )
    expect(notBefore - 500).toBeGreaterThanOrEqual(before)
    expect(notBefore - 500).toBeLessThanOrEqual(readClock())
    return rest
  }
  const plain = { type: "model-retry", turn: 2, attempt: 3, error: error() }

  test("is the attempt, and when there is another", () => expect(fact(folded(runStart))).toEqual(plain))

  test("is the host, where one is known", () =>
    expect(fact(folded(runStart), { host: "models.test" })).toEqual({ ...plain, host: "models.test" }))

  test("is how long it waits, where that is ahead", () => {
    const resumedAt = readClock()
    expect(fact({ ...folded(runStart), resumedAt })).toEqual({ ...plain, until: resumedAt + 900_000 })
    expect(fact({ ...folded(runStart), resumedAt: 5 })).toEqual(plain)
    const started = { ...runStart, resumedAt, limits: { ...runStart.limits, providerWait: 7_000 } }
    expect(fact(folded(started))).toEqual({ ...plain, until: resumedAt + 7_000 })
    expect(fact({ ...folded(started), resumedAt: resumedAt + 1 })).toEqual({
      ...plain,
      until: resumedAt + 7_001,
    })
  })
})

describe("how long to wait before that", () => {
  test.each([
    [1, undefined, 250, 500],
    [2, undefined, 500, 1_000],
    [3, undefined, 1_000, 2_000],
    [7, undefined, 15_000, 30_000],
    [40, undefined, 15_000, 30_000],
    [1, 10_000, 10_250, 10_500],
    [1, -10_000, 250, 500],
  ])("attempt %d, after %s: %d to %d", (attempt, retryAfter, least, most) => {
    const delays = Array.from({ length: 50 }, () =>
      retryDelay(error({ ...(retryAfter !== undefined && { retryAfter }) }), attempt),
    )
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(least)
    expect(Math.max(...delays)).toBeLessThanOrEqual(most)
    expect(new Set(delays).size).toBeGreaterThan(1)
  })
})

describe("a provider that takes no request", () => {
  const entered = (answer: string, calledBy: "it" | "nobody") => {
    const seen: unknown[] = []
    const gate = {
      enter: (from: string) => {
        seen.push(from)
        return answer
      },
    }
    const drive = {
      environment: { gates: { of: () => gate } },
      calledBy: calledBy === "it" ? gate : undefined,
      waitForGate: (waited: unknown) => seen.push(waited === gate),
    }
    return [passGate(drive as never, {} as Model), drive.calledBy, ...seen]
  }
  test("is waited for, and those that wait are told from those that come", () => {
    expect(entered("pass", "nobody")).toEqual(["pass", undefined, "outside"])
    expect(entered("pass", "it")).toEqual(["pass", undefined, "line"])
    expect(entered("wait", "it")).toEqual(["wait", undefined, "line", true])
  })

  test("is not there for most", () => {
    const drive = { environment: { gates: { of: () => undefined } }, waitForGate: () => expect.unreachable() }
    expect(passGate(drive as never, {} as Model)).toBe("pass")
  })
})

describe("a reply", () => {
  const good = { text: "hi", calls: [], usage: {}, stop: "end" }
  const call = { tool: "t", arguments: "{}", wire: "w" }
  /** The result, with all requests. */
  async function read(reply: unknown, start: RunStart = runStart, stopped?: true) {
    const requests: unknown[] = []
    const model = {
      stream: async (request: unknown) => {
        requests.push(request)
        return reply
      },
    }
    const drive = {
      lastActivity: 0,
      isStopped: stopped,
      state: folded(start),
      environment: { models: { keepsSecrets: () => false }, layers: {}, emit: () => {} },
      run: (_: string, work: (at: object) => Promise<unknown>) =>
        work({ signal: "signal" }).then((value) => ({ type: "value", value })),
    }
    const asked = { turn: 2, attempt: 3, reserved: { inputTokens: 1, outputTokens: 77 } }
    const question = { system: "s", messages: [], tools: [], text: "kept" } as never
    const settled = await askOnce(drive as never, model as never, asked, question, async (value) => value)
    expect(drive.lastActivity).toBeGreaterThan(0)
    return { settled, requests }
  }
  const value = async (reply: unknown) => ((await read(reply)).settled as { value: unknown }).value

  test.each<[string, object, object]>([
    ["as it is", good, good],
    ["with calls", { ...good, calls: [call], stop: "calls" }, { ...good, calls: [call], stop: "calls" }],
    ["with calls at its end", { ...good, calls: [call] }, { ...good, calls: [call] }],
    [
      "cut inside of calls",
      { ...good, calls: [call, call], stop: "length" },
      { ...good, stop: "length", cutCalls: 2 },
    ],
    [
      "cut, and its client counted",
      { ...good, calls: [], cutCalls: 3, stop: "length" },
      { ...good, stop: "length", cutCalls: 3 },
    ],
    ["cut without calls", { ...good, stop: "length" }, { ...good, stop: "length" }],
    ["whole, whatever its client counted", { ...good, cutCalls: 3 }, good],
    ["with what nobody knows", { ...good, more: 1 }, good],
    ["with its provider's word", { ...good, finish: "x".repeat(300) }, { ...good, finish: "x".repeat(200) }],
    ["with the model that answered", { ...good, model: "m-2" }, { ...good, model: "m-2" }],
    ["with what is its provider's", { ...good, provider: { a: 1 } }, { ...good, providerText: '{"a":1}' }],
    ["with an error", { ...good, error: error() }, { ...good, error: error() }],
    [
      "with an error without a reason",
      { ...good, error: { kind: "x" } },
      { ...good, error: { kind: "x", message: "no reason was given" } },
    ],
    [
      "with usage",
      { ...good, usage: { inputTokens: 0, outputTokens: 2 } },
      { ...good, usage: { inputTokens: 0, outputTokens: 2 } },
    ],
  ])("is read %s", async (_, reply, expected) => expect(await value(reply)).toEqual(expected))

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no text", { ...good, text: undefined }],
    ["no calls", { ...good, calls: undefined }],
    ["a call of no tool", { ...good, calls: [{ ...call, tool: 7 }] }],
    ["a call whose arguments are no text", { ...good, calls: [call, { ...call, arguments: {} }] }],
    ["a call without an id", { ...good, calls: [{ ...call, wire: undefined }] }],
    ["no call", { ...good, calls: [null] }],
    ["no usage", { ...good, usage: undefined }],
    ["usage that is none", { ...good, usage: null }],
    ["usage of less than nothing", { ...good, usage: { inputTokens: -1 } }],
    ["usage that is no number", { ...good, usage: { outputTokens: "2" } }],
    ["a cost that is no number", { ...good, usage: { cost: Number.NaN } }],
  ])(
    "of a client at fault is none: %s",
    async (_, reply) => await expect(read(reply)).rejects.toThrow("without text, calls or usage"),
  )

  test("whose provider left no JSON is none", async () =>
    await expect(read({ ...good, provider: () => {} })).rejects.toThrow("not JSON"))

  test("is asked for with what the run says", async () => {
    const { requests } = await read(good)
    const request = {
      run: "r",
      agent: "a",
      turn: 2,
      attempt: 3,
      system: "s",
      messages: [],
      tools: [],
      signal: "signal",
    }
    expect(requests).toEqual([request])
    const metered = await read(good, {
      ...uses({ parameters: { x: 1 }, effort: "low" }),
      metered: true,
    } as never)
    expect(metered.requests).toEqual([
      { ...request, maxOutputTokens: 77, parameters: { x: 1 }, effort: "low" },
    ])
  })

  test("is not asked for by a run that is stopping", async () => {
    const { settled, requests } = await read(good, runStart, true)
    expect([settled, requests]).toEqual([
      { type: "error", error: undefined, aborted: "the run is stopping" },
      [],
    ])
  })
})

test("a model that throws has broken its contract; one that was given up has not", () => {
  const failed = { text: "", calls: [], usage: {}, stop: "other" }
  expect(makeFailedReply({ type: "error", error: new Error("no") } as never)).toEqual({
    ...failed,
    error: { kind: "protocol", message: "no", retryable: false },
  })
  expect(makeFailedReply({ type: "error", error: undefined, aborted: "cancelled" } as never)).toEqual({
    ...failed,
    error: { kind: "aborted", message: "cancelled", retryable: false },
  })
})
