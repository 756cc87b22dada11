import assert from "node:assert/strict"
import type { Json } from "../../../ground/message.ts"
import {
  call,
  hasCallIds,
  hasCallStopReason,
  isStreamed,
  joinDeltas,
  type ModelCases,
  parseInputs,
  sendsInputAsText,
  withoutPort,
} from "./support.ts"

const words = "Two words, ünïcode 日本 🙂."
const noUsage = { inputTokens: 0, outputTokens: 0 }
const awkward: Json = { path: 'ü/日本/🙂 "quoted" \\ \n\t', deep: [{ a: [null, 1.5, "x"] }], empty: {} }

/** Cases in which the server answers without a fault. */
export const answerCases: ModelCases = {
  "text, with usage and the model's name": async (ask) => {
    const { reply, deltas } = await ask({ text: words })
    assert.equal(joinDeltas(deltas, "text"), words)
    const { model, provider: _, usage, ...rest } = reply
    assert.equal(typeof model, "string")
    assert.deepEqual(rest, { text: words, calls: [], stop: "end" })
    // Some protocols always report these two.
    const { cachedTokens = 0, reasoningTokens = 0, ...used } = usage
    assert.deepEqual(used, { inputTokens: 100, outputTokens: 10 })
    assert.deepEqual([cachedTokens, reasoningTokens], [0, 0])
  },

  "text comes in parts where it is streamed": async (ask) => {
    const exchange = await ask({ text: words })
    if (isStreamed(exchange)) assert.ok(exchange.deltas.length > 1, "one delta for all words")
  },

  "reasoning is told apart and is no part of the text": async (ask) => {
    const { reply, deltas } = await ask({ reasoning: "Let me see.", text: "Yes." })
    assert.deepEqual(
      [reply.text, joinDeltas(deltas, "text"), joinDeltas(deltas, "reasoning")],
      ["Yes.", "Yes.", "Let me see."],
    )
  },

  "what a reply carries for its provider is JSON": async (ask) => {
    const { reply } = await ask({ reasoning: "Hm.", redacted: "sealed", text: "Yes." })
    assert.deepEqual(JSON.parse(JSON.stringify(reply)), reply)
  },

  "one call, with text before it": async (ask) => {
    const { reply } = await ask({ text: "Adding.", calls: [call("one", { a: 1 })] })
    assert.deepEqual([reply.text, reply.stop, reply.error], ["Adding.", "calls", undefined])
    assert.deepEqual(reply.calls, [{ wire: "one", tool: "add", arguments: '{"a":1}' }])
  },

  "calls at once, in order": async (ask) => {
    const calls = Array.from({ length: 30 }, (_, index) => call(`id_${index}`, { a: index }))
    const { reply } = await ask({ calls })
    assert.deepEqual(
      reply.calls.map(({ wire }) => wire),
      calls.map(({ id }) => id),
    )
    assert.deepEqual(
      parseInputs(reply),
      calls.map((one) => one.arguments),
    )
  },

  "42: a call without input has an empty object": async (ask) => {
    const { reply } = await ask({ calls: [call("one", {}), call("two", { a: 1 }), call("three", {})] })
    assert.deepEqual(
      reply.calls.map((one) => one.arguments),
      ["{}", '{"a":1}', "{}"],
    )
  },

  "41, 42: arguments of a finished answer come as they were written": async (ask) => {
    for (const text of ['{ "a":1 }', '{"path": "a', "null", "[]", "{}{}", "{'a':1}"]) {
      const exchange = await ask({ calls: [call("one", text)] })
      if (sendsInputAsText(exchange)) assert.equal(exchange.reply.calls[0]?.arguments, text)
    }
  },

  "46: ids come as they were sent: repeated, missing and endless ones too": async (ask) => {
    const ids = ["", "twice", "twice", "x".repeat(10_000)]
    const exchange = await ask({ calls: ids.map((id) => call(id, { a: 1 })) })
    const wires = exchange.reply.calls.map(({ wire }) => wire)
    if (hasCallIds(exchange)) assert.deepEqual(wires, ids)
    else assert.deepEqual(wires.slice(1), ids.slice(1))
  },

  "68: cut into pieces of any size, the reply is the same": async (ask) => {
    const answer = { reasoning: "日本 🙂", text: words, calls: [call("one", awkward), call("two", {})] }
    const whole = (await ask(answer)).reply
    assert.deepEqual(parseInputs(whole), [awkward, {}])
    for (const bytes of [1, 2, 3, 7, 100])
      assert.deepEqual(
        withoutPort((await ask({ ...answer, fault: { type: "pieces", bytes } })).reply),
        withoutPort(whole),
      )
  },

  "usage counts all that was read, and what of it was cached": async (ask) => {
    const tokens = { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 }
    assert.deepEqual((await ask({ text: "x", tokens })).reply.usage, tokens)
  },

  "53: every way to stop has its word": async (ask) => {
    for (const stop of ["end", "length", "filter", "other"] as const) {
      const { reply } = await ask({ text: "Partly", stop })
      assert.deepEqual([reply.stop, reply.text, reply.error], [stop, "Partly", undefined])
    }
    assert.equal((await ask({ text: "x", finish: "eleven" })).reply.stop, "other")
  },

  "53: stopped for calls without a call is no call": async (ask) => {
    const exchange = await ask({ text: "x", stop: "calls" })
    assert.deepEqual(
      [exchange.reply.stop, exchange.reply.calls],
      [hasCallStopReason(exchange) ? "other" : "end", []],
    )
  },

  "52: no call of an answer that was cut is run, the whole ones neither": async (ask) => {
    const calls = [call("one", { a: 1 }), call("two", '{"a":')]
    for (const stop of ["length", "filter", "other"] as const) {
      const { reply } = await ask({ calls, stop })
      assert.deepEqual([reply.stop, reply.calls, reply.error], [stop, [], undefined])
    }
  },

  "53: a refused answer keeps its text and stops as filtered, without half a call": async (ask) => {
    const { reply } = await ask({ text: "I will", calls: [call("one", '{"a":')], stop: "filter" })
    assert.deepEqual([reply.text, reply.stop, reply.calls], ["I will", "filter", []])
  },

  "49: an answer of nothing is an answer": async (ask) => {
    const { reply } = await ask({ text: "" })
    assert.deepEqual([reply.text, reply.calls, reply.stop, reply.error], ["", [], "end", undefined])
  },

  "a failure reports no usage that was not": async (ask) => {
    const { reply } = await ask({ fault: { type: "status", status: 500 } })
    assert.deepEqual([reply.text, reply.calls, reply.usage, reply.stop], ["", [], noUsage, "other"])
  },
}
