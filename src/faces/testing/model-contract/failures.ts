import assert from "node:assert/strict"
import type { ModelError, ModelReply } from "../../../agent/model.ts"
import type { Fault, ScriptedAnswer } from "../model-server.ts"
import { apiKey, call, isStreamed, type ModelCases } from "./support.ts"

const answer: ScriptedAnswer = { text: "word ".repeat(50), calls: [call("one", { a: 1 })] }
const failing = (fault: Fault): ScriptedAnswer => ({ ...answer, fault })

/** Cases in which something goes wrong. The client must return an error as data, and never a call. */
export const failureCases: ModelCases = {
  "64: each status has its kind, and only what may pass is worth another try": async (ask) => {
    const expected: readonly (readonly [number, ModelError["kind"], boolean])[] = [
      [400, "rejected", false],
      [401, "rejected", false],
      [403, "rejected", false],
      [404, "rejected", false],
      [413, "overflow", false],
      [408, "overloaded", true],
      [429, "rate-limit", true],
      [500, "overloaded", true],
      [502, "overloaded", true],
      [503, "overloaded", true],
      [529, "overloaded", true],
    ]
    const { replies } = await ask(expected.map(([status]) => failing({ type: "status", status })))
    assert.deepEqual(
      replies.map(({ error }, index) => [expected[index]![0], error?.kind, error?.retryable]),
      expected,
    )
    for (const reply of replies) assertFailed(reply)
  },

  "a wrong key is refused": async (ask) => {
    const { reply } = await ask(answer, {}, { apiKey: "wrong" })
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["rejected", false])
  },

  "a key that the provider repeats is not shown": async (ask) => {
    const error = { message: `Incorrect key: ${apiKey}`, type: "authentication_error" }
    const { replies } = await ask([
      failing({ type: "status", status: 401, error }),
      failing({ type: "error-event", error }),
    ])
    for (const reply of replies) {
      assert.match(assertFailed(reply).message, /Incorrect key/)
      assert.ok(!JSON.stringify(reply).includes(apiKey), JSON.stringify(reply))
    }
  },

  "61, 62: a wait that is asked for is passed on, in milliseconds": async (ask) => {
    const waits = [
      ["retry-after", "7", 7000],
      ["retry-after-ms", "1250", 1250],
      ["retry-after", "1000000000", 86_400_000],
      ["retry-after", "-5", undefined],
      ["retry-after", "soon", undefined],
    ] as const
    const { replies } = await ask(
      waits.map(([name, value]) => failing({ type: "status", status: 429, headers: { [name]: value } })),
    )
    assert.deepEqual(
      replies.map(({ error }) => error?.retryAfter),
      waits.map(([, , wait]) => wait),
    )
  },

  "76: a prompt that does not fit is an overflow": async (ask) => {
    const messages = [
      "prompt is too long: 210000 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      "This model's maximum context length is 128000 tokens.",
    ]
    const { replies } = await ask(
      messages.map((message) =>
        failing({ type: "status", status: 400, error: { type: "invalid_request_error", message } }),
      ),
    )
    for (const { error } of replies) assert.deepEqual([error?.kind, error?.retryable], ["overflow", false])
  },

  "71: an error inside an answer that began well is what its status would be": async (ask) => {
    const expected: readonly (readonly [string, ModelError["kind"], boolean])[] = [
      ["overloaded_error", "overloaded", true],
      ["rate_limit_error", "rate-limit", true],
      ["api_error", "overloaded", true],
      ["authentication_error", "rejected", false],
      ["invalid_request_error", "rejected", false],
    ]
    const { replies } = await ask(
      expected.map(([type]) => failing({ type: "error-event", error: { type, message: "Said so" } })),
    )
    assert.deepEqual(
      replies.map(({ error }, index) => [expected[index]![0], error?.kind, error?.retryable]),
      expected,
    )
    for (const reply of replies) assert.match(assertFailed(reply).message, /Said so/)
  },

  "66, 67: cut anywhere, with a clean end, is an error, and no call runs": async (ask) => {
    const places = Array.from({ length: 40 }, (_, index) => index * 23)
    const { replies } = await ask(
      places.map((afterBytes) => failing({ type: "cut", afterBytes, how: "end" })),
    )
    const failedReplies = replies.filter(({ error }) => error !== undefined)
    assert.ok(failedReplies.length > 10, `${failedReplies.length} cuts were seen`)
    for (const reply of failedReplies) {
      const { kind, retryable } = assertFailed(reply)
      assert.deepEqual([kind, retryable], ["protocol", true])
    }
  },

  "67: a stream without its end is no success, though all words are there": async (ask) => {
    const exchange = await ask(failing({ type: "no-terminal" }))
    if (!isStreamed(exchange)) return
    const { kind, retryable } = assertFailed(exchange.reply)
    assert.deepEqual([kind, retryable], ["protocol", true])
  },

  "64: a connection that breaks is a network error": async (ask) => {
    const { reply } = await ask(failing({ type: "cut", afterBytes: 300, how: "reset" }))
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["network", true])
  },

  "64: an address without a server is a network error": async (ask) => {
    const { server } = await ask({ text: "x" })
    await server.close()
    const { reply } = await ask({ text: "x" }, {}, { baseUrl: server.url })
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["network", true])
  },

  "70: JSON that does not parse is an error and is not skipped": async (ask) => {
    const { reply } = await ask(failing({ type: "garbage" }))
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["protocol", true])
  },

  "75: a page of HTML is a clear error that is not tried again": async (ask) => {
    const error = assertFailed((await ask(failing({ type: "html" }))).reply)
    assert.deepEqual([error.kind, error.retryable], ["protocol", false])
    assert.match(error.message, /74 bytes of text\/html/)
  },

  "75: an empty body is an error": async (ask) => {
    const error = assertFailed((await ask(failing({ type: "raw", body: "" }))).reply)
    assert.deepEqual([error.kind, error.retryable], ["protocol", true])
    assert.match(error.message, /0 bytes of (text\/event-stream|application\/json)/)
  },

  "72: silence ends at the idle limit": async (ask) => {
    for (const afterBytes of [0, 300]) {
      const { reply } = await ask(failing({ type: "stall", afterBytes }), {}, { idleTimeout: 100 })
      assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["timeout", true])
    }
  },

  "72, 73: pings hold off the idle limit, and the total limit ends them": async (ask) => {
    const started = performance.now()
    const fault: Fault = { type: "stall", afterBytes: 0, pingMs: 20 }
    const { reply } = await ask(failing(fault), {}, { idleTimeout: 150, totalTimeout: 500 })
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["timeout", true])
    assert.ok(performance.now() - started >= 490, "the pings did not count")
  },

  "74: an answer without an end is given up at the limit": async (ask) => {
    const before = process.memoryUsage.rss()
    const fault: Fault = { type: "flood", bytes: 2 ** 28 }
    const { reply } = await ask(failing(fault), {}, { maxResponseBytes: 1_000_000 })
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["protocol", false])
    assert.ok(process.memoryUsage.rss() - before < 100 * 2 ** 20, "it was kept")
  },

  "102: an abort ends the request, as data": async (ask) => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    const { reply } = await ask(failing({ type: "stall", afterBytes: 10 }), { signal: abort.signal })
    assert.deepEqual([assertFailed(reply).kind, reply.error?.retryable], ["aborted", false])
  },

  "102: aborted before, nothing is sent": async (ask) => {
    const { reply, server } = await ask(answer, { signal: AbortSignal.abort() })
    assert.deepEqual([assertFailed(reply).kind, server.requests.length], ["aborted", 0])
  },
}

function assertFailed({ calls, stop, error, provider }: ModelReply): ModelError {
  assert.deepEqual([calls, stop, provider], [[], "other", undefined])
  if (!error) assert.fail("there is no error")
  return error
}
