import { AsyncLocalStorage } from "node:async_hooks"
import { getEventListeners } from "node:events"
import { createServer, type Socket } from "node:net"
import { inspect } from "node:util"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { rounds } from "../../../../test/rounds.ts"
import type { ModelDelta, ModelReply, ModelRequest } from "../../../agent/model.ts"
import {
  type Fault,
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import { addTool as add, requestWith } from "../../../faces/testing/plain-request.ts"
import type { Json, Message } from "../../../ground/message.ts"
import type { OpenAiOptions } from "./openai/options.ts"
import { OpenAiReply } from "./openai/reply.ts"
import { findChatRules } from "./openai/rules.ts"
import { openaiModel } from "./openai.ts"
import { chooseLimitName } from "./openai-names.ts"

const origin = { host: "host", model: "m" }
const rules = findChatRules(undefined, "http://host")

const modes = ["sse", "json"] as const
const gzip = Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6])
const usage = { inputTokens: 100, outputTokens: 10 }
const noTools: ModelRequest["tools"] = []

let server: ModelServer
afterEach(() => server?.close())

async function ask(
  script: readonly ScriptedAnswer[],
  options: Partial<OpenAiOptions> = {},
  request: Partial<ModelRequest> = {},
): Promise<{ reply: ModelReply; deltas: readonly ModelDelta[] }> {
  server = await startModelServer({ script })
  const deltas: ModelDelta[] = []
  const model = openaiModel({ model: "m", baseUrl: server.url, ...options })
  const reply = await model.stream(requestWith(request), (delta) => deltas.push(delta))
  return { reply, deltas }
}

const askRaw = async (
  body: string | Uint8Array,
  headers?: Record<string, string>,
  options?: Parameters<typeof ask>[1],
) => (await ask([{ fault: { type: "raw", body, ...(headers && { headers }) } }], options)).reply

const events = (...values: readonly (object | string)[]): string =>
  values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`).join("")

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

describe.each(modes)("an answer as %s", (stream) => {
  test("text, with usage and the model's name", async () => {
    const { reply, deltas } = await ask([{ text: "Two words, ünïcode 🙂." }], { stream })
    expect(reply).toEqual({ text: "Two words, ünïcode 🙂.", calls: [], usage, stop: "end", model: "m" })
    expect(deltas.map(({ text }) => text).join("")).toBe("Two words, ünïcode 🙂.")
  })

  test("calls, in order, with their argument text as sent", async () => {
    const calls = [
      { tool: "add", arguments: '{ "a":1 }', id: "one" },
      { tool: "add", arguments: '{"a":2}', id: "two" },
    ]
    const { reply } = await ask([{ text: "Adding.", calls }], { stream })
    expect(reply).toEqual({
      text: "Adding.",
      calls: calls.map(({ id, tool, arguments: text }) => ({ wire: id, tool, arguments: text })),
      usage,
      stop: "calls",
      model: "m",
    })
  })

  test("reasoning is told apart and is no part of the text", async () => {
    const { reply, deltas } = await ask([{ reasoning: "Hm.", text: "Yes." }], { stream })
    expect(reply.text).toBe("Yes.")
    expect(deltas).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
    ])
  })

  test("cached and reasoning tokens are counted; what is no count is left out", async () => {
    const given = {
      prompt_tokens: 50,
      completion_tokens: -1,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 7 },
    }
    const { reply } = await ask([{ text: "x", usage: given }], { stream })
    expect(reply.usage).toEqual({ inputTokens: 50, cachedTokens: 40, reasoningTokens: 7 })
  })

  test.each<[OpenAiOptions["price"], number | undefined]>([
    [undefined, undefined],
    [{ input: 3, output: 15 }, undefined],
    [{ input: 3, output: 15, cacheRead: 1 }, 60 * 3 + 40 * 1 + 10 * 15],
  ])("with a price of %j the cost is %s", async (price, cost) => {
    const tokens = { inputTokens: 100, outputTokens: 10, cachedTokens: 40 }
    const { reply } = await ask([{ text: "x", tokens }], { stream, ...(price && { price }) })
    expect(reply.usage).toEqual({ ...tokens, ...(cost !== undefined && { cost }) })
  })

  test("without a word about the cache, the cost is left to the price", async () => {
    const { reply } = await ask([{ text: "x" }], { stream, price: { input: 3, output: 15, cacheRead: 1 } })
    expect(reply.usage).toEqual(usage)
  })

  test.each([
    ["stop", "end"],
    ["length", "length"],
    ["content_filter", "filter"],
    ["eleven", "other"],
    ["tool_calls", "other"],
  ])("53: finish reason %s without calls is %s", async (finish, stop) => {
    expect((await ask([{ text: "x", finish }], { stream })).reply.stop).toBe(stop)
  })

  test.each(["stop", "tool_calls", "function_call"])(
    "finish reason %s with calls is calls",
    async (finish) => {
      const { reply } = await ask([{ calls: [{ tool: "add", arguments: {} }], finish }], { stream })
      expect(reply).toMatchObject({ stop: "calls", calls: [{ tool: "add", arguments: "{}" }] })
    },
  )

  test.each(["length", "content_filter", "eleven"])(
    "52: of an answer that ended with %s, no call runs",
    async (finish) => {
      const texts = ['{"a":1}', '{"a":', "", "12", '{"a":"}'].map((text) => ({
        tool: "add",
        arguments: text,
      }))
      const { reply } = await ask([{ calls: texts, finish }], { stream })
      expect([reply.calls, reply.finish, reply.error]).toEqual([[], finish, undefined])
    },
  )

  test("a call without arguments is one of a tool that takes none", async () => {
    const { reply } = await ask([{ calls: [{ tool: "now", arguments: "" }] }], { stream })
    expect(reply.calls.map(({ arguments: text }) => text)).toEqual(["{}"])
  })

  test.each(['{"path": "a', "null", "[]", "{}{}", "{'a':1}"])(
    "41, 42: arguments %j of a finished answer come as they were written",
    async (text) => {
      const { reply } = await ask([{ calls: [{ tool: "add", arguments: text }] }], { stream })
      expect(reply.calls[0]?.arguments).toBe(text)
    },
  )

  test.each([
    ["html", { type: "html" }, /200 with 74 bytes of text\/html/, false],
    [
      "gzip",
      { type: "raw", body: gzip, headers: { "content-type": "text/plain", "content-encoding": "gzip" } },
      /10 bytes of .* encoded as gzip/,
      false,
    ],
    [
      "empty",
      { type: "raw", body: "" },
      stream === "sse"
        ? /empty body \(0 bytes of text\/event-stream\)/
        : /empty body \(0 bytes of application\/json\)/,
      true,
    ],
    [
      "garbage",
      { type: "garbage" },
      stream === "sse" ? /event.*JSON/ : /not JSON \(\d+ bytes of application\/json\)/,
      true,
    ],
  ] as const)("70, 75: an answer that is %s is a clear error", async (_, fault, message, retryable) => {
    const { reply } = await ask([{ text: "x", calls: [{ tool: "add", arguments: {} }], fault }], { stream })
    expect(reply).toMatchObject({ calls: [], stop: "other", error: { kind: "protocol", retryable } })
    expect(reply.error?.message).toMatch(message)
  })

  test("71: an error object with status 200 is what its status would be", async () => {
    const error = { type: "overloaded_error", message: "Overloaded" }
    const { reply } = await ask([{ text: "x", fault: { type: "error-event", error } }], { stream })
    expect(reply.error).toEqual({
      kind: "overloaded",
      message: naming(`${new URL(server.url).host}`, "error", "inside", "Overloaded"),
      retryable: true,
    })
  })

  test("74: a body of 1 GB is given up at the cap", async () => {
    const before = process.memoryUsage.rss()
    const { reply } = await ask([{ fault: { type: "flood", bytes: 2 ** 30 } }], {
      stream,
      maxResponseBytes: 1_000_000,
    })
    expect(reply.error).toMatchObject({ kind: "protocol", retryable: false })
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20)
  })

  test("74: 300 MB are given up at the usual cap, without being kept", async () => {
    const before = process.memoryUsage.rss()
    const { reply } = await ask([{ fault: { type: "flood", bytes: 300 * 2 ** 20 } }], { stream })
    expect(reply).toEqual({
      text: "",
      calls: [],
      usage: {},
      stop: "other",
      error: {
        kind: "protocol",
        message: `${new URL(server.url).host} sent more than 33554432 bytes.`,
        retryable: false,
      },
    })
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20)
  })

  test("61: 429 with retry-after", async () => {
    const fault: Fault = { type: "status", status: 429, headers: { "retry-after": "7" } }
    const { reply } = await ask([{ fault }], { stream })
    expect(reply).toEqual({
      text: "",
      calls: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      stop: "other",
      error: {
        kind: "rate-limit",
        message: `${new URL(server.url).host} answered 429: Scripted 429.`,
        retryable: true,
        retryAfter: 7000,
      },
    })
  })

  test("64: a connection reset in mid-body is a network error", async () => {
    const { reply } = await ask(
      [{ text: "word ".repeat(50), fault: { type: "cut", afterBytes: 300, how: "reset" } }],
      { stream },
    )
    expect(reply).toMatchObject({ calls: [], error: { kind: "network", retryable: true } })
  })

  test.each([0, 300])("72: silence after %i bytes ends at the idle limit", async (afterBytes) => {
    const { reply } = await ask([{ text: "word ".repeat(50), fault: { type: "stall", afterBytes } }], {
      stream,
      idleTimeout: 80,
    })
    expect(reply.error).toMatchObject({ kind: "timeout", retryable: true })
    expect(reply.error?.message).toMatch(/sent nothing for 80 ms/)
  })

  test("73: bytes that trickle for ever end at the total limit, pings and all", async () => {
    const fault: Fault = { type: "stall", afterBytes: 0, pingMs: 10 }
    const { reply } = await ask([{ text: "x", fault }], { stream, idleTimeout: 600, totalTimeout: 900 })
    expect(reply.error).toMatchObject({ kind: "timeout", retryable: true })
    expect(reply.error?.message).toMatch(/within 900 ms/)
  })

  test("aborted before, while connecting and in mid-answer: data, and the connection is closed", async () => {
    const fault: Fault = { type: "stall", afterBytes: 10 }
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 50)
    const { reply } = await ask([{ text: "x", fault }], { stream }, { signal: abort.signal })
    const error = { kind: "aborted", message: "The request was aborted.", retryable: false }
    expect(reply.error).toEqual(error)
    const early = await openaiModel({ model: "m", baseUrl: server.url }).stream(
      requestWith({ signal: AbortSignal.abort() }),
      () => {},
    )
    expect(early.error).toEqual(error)
    const now = new AbortController()
    const connecting = openaiModel({ model: "m", baseUrl: server.url }).stream(
      requestWith({ signal: now.signal }),
      () => {},
    )
    now.abort()
    expect((await connecting).error).toEqual(error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.requests).toHaveLength(1)
  })

  test("46: ids come as they were sent: repeated, missing and endless ones too", async () => {
    const ids = ["", "twice", "twice", "x".repeat(10_000)]
    const { reply } = await ask([{ calls: ids.map((id) => ({ id, tool: "add", arguments: {} })) }], {
      stream,
    })
    expect(reply.calls.map((call) => call.wire)).toEqual(ids)
  })
})

describe("a stream", () => {
  const answer: ScriptedAnswer = {
    text: "naïve 日本 🙂 text",
    calls: [{ tool: "add", arguments: { a: "ü🙂" }, id: "one" }],
  }
  const expected = {
    text: "naïve 日本 🙂 text",
    calls: [{ wire: "one", tool: "add", arguments: '{"a":"ü🙂"}' }],
    usage,
    stop: "calls",
    model: "m",
  }

  test.each([1, 2, 3, 7, 100])("68: in pieces of %i bytes gives the same reply", async (bytes) => {
    expect((await ask([{ ...answer, fault: { type: "pieces", bytes } }])).reply).toEqual(expected)
  })

  test("66, 67: cut after any number of bytes, with a clean end, is an error and no call runs", async () => {
    server = await startModelServer({
      script: ({ number }) => ({ ...answer, fault: { type: "cut", afterBytes: number * 13, how: "end" } }),
    })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const whole = (await ask([answer])).reply
    expect(whole).toEqual(expected)
    let errors = 0
    for (let number = 1; number <= 60; number++) {
      const { calls, error } = await model.stream(requestWith(), () => {})
      if (error) {
        errors++
        expect({ calls, error }).toMatchObject({ calls: [], error: { kind: "protocol", retryable: true } })
      }
    }
    expect(errors).toBeGreaterThan(40)
  })

  test("67: without a terminal event is no success, though the text is whole", async () => {
    const { reply } = await ask([{ ...answer, fault: { type: "no-terminal" } }])
    expect(reply).toMatchObject({
      text: answer.text,
      calls: [],
      stop: "other",
      error: { kind: "protocol", retryable: true },
    })
  })

  test.each([
    [
      "[DONE] of a server that has no finish reasons",
      events({ choices: [{ index: 0, delta: { content: "x" } }] }, "[DONE]"),
    ],
    ["a finish reason and a clean end", events(chunk({ content: "x" }), chunk({}, "stop"))],
    ["[DONE] without a blank line", `${events(chunk({ content: "x" }, "stop"))}data: [DONE]`],
    [
      "an empty finish reason all along",
      events({ choices: [{ delta: { content: "x" }, finish_reason: "" }] }, "[DONE]"),
    ],
    ["bytes after [DONE]", `${events(chunk({ content: "x" }, "stop"), "[DONE]")}data: {{{\n\n`],
    [
      "CRLF, comments, pings and a BOM",
      `\ufeff: hi\r\n\r\nevent: ping\r\ndata:\r\n\r\n${events(chunk({ content: "x" }, "stop"), "[DONE]").replaceAll("\n", "\r\n")}`,
    ],
    [
      "a data field over two lines",
      'data: {"choices":[{"index":0,\ndata: "delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata:[DONE]\n\n',
    ],
    [
      "other choices beside the first",
      events({ choices: [{ index: 1, delta: { content: "y" } }] }, chunk({ content: "x" }, "stop"), "[DONE]"),
    ],
    [
      "events nobody knows",
      `event: news\ndata: {"news":[1]}\n\nid: 7\nretry: 5\n\n${events(chunk({ content: "x" }, "stop"), "[DONE]")}`,
    ],
    ["content in parts", events(chunk({ content: [{ type: "text", text: "x" }] }, "stop"), "[DONE]")],
  ])("69: %s is understood", async (_, body) => {
    expect(await askRaw(body)).toEqual({
      text: "x",
      calls: [],
      usage: {},
      stop: "end",
    })
  })

  test.each([
    [
      "an empty finish reason and a clean end",
      events({ choices: [{ delta: { content: "x" }, finish_reason: "" }] }),
    ],
    ["nothing but [DONE]", events("[DONE]")],
    ["a choice that is no object", events({ choices: ["x"] })],
    ["JSON that is no object", events("7", "[DONE]")],
  ])("67: %s is no answer", async (_, body) => {
    expect((await askRaw(body)).error).toMatchObject({ kind: "protocol", retryable: true })
  })

  test("ends at [DONE], whatever the connection does then", async () => {
    const { reply } = await ask([{ text: "x", fault: { type: "stall", afterBytes: 100_000 } }], {
      idleTimeout: 5000,
    })
    expect(reply).toMatchObject({ text: "x", stop: "end" })
    expect(reply.error).toBeUndefined()
  })

  test("answered in JSON all the same is understood", async () => {
    const body = JSON.stringify({ choices: [{ message: { content: "x" }, finish_reason: "stop" }] })
    expect(await askRaw(`\ufeff\n ${body}`, { "content-type": "application/json" })).toMatchObject({
      text: "x",
      stop: "end",
    })
  })

  test.each([
    ["a named error event", 'event: error\ndata: {"message":"Busy","code":529}\n\n', "overloaded"],
    [
      "an error in the choice",
      events({ choices: [{ error: { code: 429, message: "Slow" } }] }),
      "rate-limit",
    ],
    ["the finish reason error", events(chunk({}, "error")), "overloaded"],
  ])("71: %s is an error", async (_, body, kind) => {
    expect((await askRaw(body)).error).toMatchObject({ kind, retryable: true })
  })

  test("a refusal is text, and ends as filtered", async () => {
    const body = events(chunk({ refusal: "I will " }), chunk({ refusal: "not." }, "stop"), "[DONE]")
    expect(await askRaw(body)).toMatchObject({ text: "I will not.", stop: "filter" })
  })

  const call = (index: number | undefined, id: string | undefined, name?: string, text?: unknown) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
  })
  const one = { wire: "one", tool: "add", arguments: '{"a":1}' }
  const two = { wire: "two", tool: "add", arguments: '{"a":2}' }
  const without = (call: object) => ({ ...call, wire: "" })
  test.each([
    [
      "interleaved by index",
      [
        call(0, "one", "add", ""),
        call(1, "two", "add", ""),
        call(0, undefined, undefined, '{"a"'),
        call(1, undefined, undefined, '{"a":2}'),
        call(0, undefined, undefined, ":1}"),
      ],
      [one, two],
    ],
    [
      "whole, each at index 0",
      [call(0, "one", "add", '{"a":1}'), call(0, "two", "add", '{"a":2}')],
      [one, two],
    ],
    [
      "whole, each at index 0, without ids",
      [call(0, undefined, "add", '{"a":1}'), call(0, "", "add", '{"a":2}')],
      [without(one), without(two)],
    ],
    [
      "whole, without index",
      [call(undefined, "one", "add", '{"a":1}'), call(undefined, "two", "add", '{"a":2}')],
      [one, two],
    ],
    [
      "without index, in parts",
      [
        call(undefined, "one", "add", '{"a"'),
        call(undefined, undefined, undefined, ":1}"),
        call(undefined, "two", "add", ""),
        call(undefined, "two", undefined, '{"a":2}'),
      ],
      [one, two],
    ],
    [
      "with id and name repeated in every part",
      [call(0, "one", "add", ""), call(0, "one", "add", '{"a"'), call(0, "one", "add", ":1}")],
      [one],
    ],
    [
      "with a new id in every part",
      [call(0, "one", "add", ""), call(0, "x", "", '{"a"'), call(0, "y", "", ":1}")],
      [one],
    ],
    [
      "with an id that comes late",
      [call(0, undefined, "add", '{"a":1'), call(0, "one", undefined, "}")],
      [one],
    ],
    ["with arguments as an object", [call(0, "one", "add", { a: 1 })], [one]],
    ["at a huge index", [call(4_000_000_000, "one", "add", '{"a":1}')], [one]],
    ["without a name", [call(0, "one", undefined, '{"a":1}')], [{ ...one, tool: "" }]],
    ["of no shape at all", [null, 7, call(0, "one", "add", '{"a":1}')], [one]],
  ])("46: tool calls %s are put together", async (_, pieces, calls) => {
    const parts = pieces.map((piece) => chunk({ tool_calls: [piece] }))
    expect((await askRaw(events(...parts, chunk({}, "tool_calls"), "[DONE]"))).calls).toEqual(calls)
    expect((await askRaw(events(chunk({ tool_calls: pieces }, "tool_calls"), "[DONE]"))).calls).toEqual(calls)
  })

  test("an old function_call is a call", async () => {
    const body = events(
      chunk({ function_call: { name: "add", arguments: '{"a"' } }),
      chunk({ function_call: { arguments: ":1}" } }, "function_call"),
    )
    expect(await askRaw(body)).toMatchObject({ stop: "calls", calls: [without(one)] })
  })

  test("72: pings reset the idle limit", async () => {
    const { reply } = await ask([{ text: "x", fault: { type: "stall", afterBytes: 0, pingMs: 20 } }], {
      idleTimeout: 80,
      totalTimeout: 400,
    })
    expect(reply.error?.message).toMatch(/within 400 ms/)
  })

  test("72: bytes that came while this process was blocked count", async () => {
    server = await startModelServer({
      script: () => {
        // The answer has been written, but not read yet.
        process.nextTick(() => {
          for (const started = performance.now(); performance.now() - started < 200; );
        })
        return { text: "x" }
      },
    })
    const model = openaiModel({ model: "m", baseUrl: server.url, idleTimeout: 100 })
    expect(await model.stream(requestWith(), () => {})).toMatchObject({ text: "x", stop: "end" })
  })

  test("72: no timer and no listener is left after the end", async () => {
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    await ask([{ text: "x" }], {}, { signal })
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = timers()
    await ask([{ text: "x" }], {}, { signal })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(timers()).toBeLessThanOrEqual(before)
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
  })

  test("a listener that throws ends the exchange as data", async () => {
    server = await startModelServer({ script: [answer] })
    const reply = await openaiModel({ model: "m", baseUrl: server.url }).stream(requestWith(), () => {
      throw new Error("listener")
    })
    expect(reply.error).toMatchObject({
      kind: "protocol",
      retryable: false,
      message: expect.stringContaining("listener"),
    })
  })

  test("an abort from the listener is an abort", async () => {
    server = await startModelServer({ script: [answer] })
    const abort = new AbortController()
    const reply = await openaiModel({ model: "m", baseUrl: server.url }).stream(
      requestWith({ signal: abort.signal }),
      () => abort.abort(),
    )
    expect(reply).toMatchObject({ calls: [], error: { kind: "aborted" } })
  })

  test("deltas come in the caller's async context, not in that of whoever opened the connection", async () => {
    server = await startModelServer({ script: () => ({ text: "x" }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const storage = new AsyncLocalStorage<string>()
    for (const name of ["first", "second"]) {
      const seen: unknown[] = []
      await storage.run(name, () => model.stream(requestWith(), () => seen.push(storage.getStore())))
      expect(seen).toEqual([name])
    }
  })
})

describe("an answer of any shape", () => {
  const keys = [
    "choices",
    "delta",
    "message",
    "tool_calls",
    "function",
    "function_call",
    "index",
    "id",
    "name",
  ]
  const more = [
    "arguments",
    "content",
    "text",
    "error",
    "usage",
    "finish_reason",
    "refusal",
    "model",
    "toString",
  ]
  const shape = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "large" },
      fc.constantFrom<unknown>(null, "", "x", "{}", "stop", "length", 0, 1, -1, true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, ...more), tie("value"), { maxKeys: 5 }),
    ),
  })).value

  test.each<Json>([{ toString: null }, [], {}, true])(
    "a choice whose index is %j is not the first",
    (index) => {
      const reply = new OpenAiReply(() => {}, { origin, rules })
      const body = reply.open("json", "")
      body.push(Buffer.from(JSON.stringify({ choices: [{ index, message: { content: "no" } }] })))
      expect(reply.reply(body.end())).toMatchObject({ text: "", error: expect.anything() })
    },
  )

  test("is a reply or an error, however it is cut", () => {
    const whole = {
      finish: fc.constantFrom("", "data: [DONE]\n\n"),
      cut: fc.nat(),
      values: fc.array(shape, { maxLength: 5 }),
    }
    fc.assert(
      fc.property(fc.record(whole), ({ values, cut, finish }) => {
        for (const kind of modes) {
          const reply = new OpenAiReply(() => {}, { origin, rules })
          const body = reply.open(kind, "")
          const text =
            kind === "sse"
              ? events(...values.map((value) => JSON.stringify(value))) + finish
              : JSON.stringify(values[0] ?? {})
          const bytes = Buffer.from(text)
          const at = cut % (bytes.length + 1)
          if (body.push(bytes.subarray(0, at)) === "more") body.push(bytes.subarray(at))
          const { calls, stop, error, ...rest } = reply.reply(body.end())
          expect(typeof rest.text).toBe("string")
          for (const call of calls)
            expect(Object.values(call).map((value) => typeof value)).toEqual(["string", "string", "string"])
          if (error) expect([calls, stop]).toEqual([[], "other"])
        }
      }),
      { numRuns: rounds(3000) },
    )
  })
})

describe("a request", () => {
  const messages: Message[] = [
    { role: "user", text: 'Say "hi"\n\ud83d' },
    { role: "assistant", text: "", calls: [{ id: "c1", wire: "w1", tool: "add", arguments: '{ "a": 1 }' }] },
    { role: "tool", call: "c1", wire: "w1", tool: "add", text: "2" },
    { role: "assistant", text: "Two.", calls: [] },
  ]

  test("holds system, tools and messages as the protocol wants them, without lone surrogates", async () => {
    await ask([{ text: "x" }], { parameters: { temperature: 0, tool_choice: "auto" } }, { messages })
    expect(server.requests[0]?.problem).toBeUndefined()
    expect(server.requests[0]?.body).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      tool_choice: "auto",
      tools: [{ type: "function", function: { name: "add", description: "Adds.", parameters: add.input } }],
      messages: [
        { role: "system", content: "You add." },
        { role: "user", content: 'Say "hi"\n\ufffd' },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "w1", type: "function", function: { name: "add", arguments: '{ "a": 1 }' } }],
        },
        { role: "tool", tool_call_id: "w1", content: "2" },
        { role: "assistant", content: "Two." },
      ],
    })
  })

  test("without system or tools leaves them out, and what needs tools", async () => {
    const parameters = { tool_choice: "auto", parallel_tool_calls: true, stream_options: null }
    await ask([{ text: "x" }], { parameters }, { system: "", tools: noTools })
    expect(server.requests[0]?.text).toBe(
      '{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]}',
    )
  })

  test("repeats the bytes of the turn before as its prefix", async () => {
    server = await startModelServer({ script: () => ({ text: "x" }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const tools = [add]
    for (let length = 1; length <= messages.length; length++)
      if (length !== 2)
        await model.stream(requestWith({ messages: messages.slice(0, length), tools }), () => {})
    const texts = server.requests.map(({ text }) => text.slice(0, -2))
    expect(texts).toHaveLength(3)
    for (let index = 1; index < texts.length; index++)
      expect(texts[index]?.startsWith(texts[index - 1] ?? "?")).toBe(true)
  })

  test("follows a system prompt that changes under the same tools", async () => {
    server = await startModelServer({ script: () => ({ text: "x" }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const tools = [add]
    for (const system of ["one", "two", ""]) await model.stream(requestWith({ system, tools }), () => {})
    expect(server.requests.map(({ body }) => (body.messages as { content: string }[])[0]?.content)).toEqual([
      "one",
      "two",
      "Hello",
    ])
  })

  test.each([
    ["gpt-4.1", undefined, "max_completion_tokens"],
    ["gpt-4.1", "https://api.openai.com/v1", "max_completion_tokens"],
    ["gpt-5", "https://gateway.example/v1", "max_completion_tokens"],
    ["gpt-oss:20b", "http://127.0.0.1:11434/v1", "max_tokens"],
    ["qwen3", "https://gateway.example/v1", "max_tokens"],
  ])("of %s at %s is bounded by %s", (model, baseUrl, name) => {
    expect(chooseLimitName(model, baseUrl)).toBe(name)
  })

  test.each([
    [{}, undefined, {}],
    [{}, 50, { max_tokens: 50 }],
    [{ max_tokens: 20 }, undefined, { max_tokens: 20 }],
    [{ max_tokens: 20 }, 50, { max_tokens: 20 }],
    [{ max_completion_tokens: 100 }, 50, { max_completion_tokens: 50 }],
  ])(
    "with parameters %j and a limit of %s is bounded by %j",
    async (parameters, maxOutputTokens, expected) => {
      await ask([{ text: "x" }], { parameters }, maxOutputTokens === undefined ? {} : { maxOutputTokens })
      const { max_tokens, max_completion_tokens } = server.requests[0]?.body ?? {}
      expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens }))).toEqual(expected)
    },
  )

  test.each<[Partial<ModelRequest>, Record<string, Json>]>([
    [{ parameters: { temperature: 1 } }, { temperature: 1, top_p: 0.5 }],
    [{ parameters: { temperature: null, seed: 7 } }, { top_p: 0.5, seed: 7 }],
    [{ effort: "high" }, { temperature: 0, top_p: 0.5, reasoning_effort: "high" }],
    [{ effort: "max" }, { temperature: 0, top_p: 0.5, reasoning_effort: "max" }],
    [{ effort: 4000 }, { temperature: 0, top_p: 0.5 }],
    [
      { effort: "high", parameters: { reasoning_effort: "low" } },
      { temperature: 0, top_p: 0.5, reasoning_effort: "low" },
    ],
    [
      { effort: "high", parameters: { reasoning_effort: null } },
      { temperature: 0, top_p: 0.5 },
    ],
    [
      { parameters: { model: "other", messages: [], tools: [], stream: false } },
      { temperature: 0, top_p: 0.5 },
    ],
  ])("with %j holds %j", async (request, expected) => {
    await ask([{ text: "x" }], { parameters: { temperature: 0, top_p: 0.5 } }, request)
    expect(server.requests[0]?.problem).toBeUndefined()
    const { messages: _, tools: __, ...rest } = server.requests[0]!.body
    expect(rest).toEqual({ model: "m", stream: true, stream_options: { include_usage: true }, ...expected })
  })

  test("follows parameters and an effort that change under the same tools and system prompt", async () => {
    server = await startModelServer({ script: () => ({ text: "x" }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const tools = [add]
    const parameters = { temperature: 1 }
    const requests = [
      {},
      { parameters },
      { parameters, effort: "low" },
      { effort: "low" },
      { parameters },
      {},
    ]
    for (const request of requests) await model.stream(requestWith({ ...request, tools }), () => {})
    expect(
      server.requests.map(({ body: { temperature, reasoning_effort } }) => [temperature, reasoning_effort]),
    ).toEqual([
      [undefined, undefined],
      [1, undefined],
      [1, "low"],
      [undefined, "low"],
      [1, undefined],
      [undefined, undefined],
    ])
  })

  test.each([
    [{ max_tokens: 20 }, { max_completion_tokens: 5 }, undefined, { max_completion_tokens: 5 }],
    [{ max_tokens: 20 }, { max_tokens: 90 }, 50, { max_tokens: 50 }],
    [{ max_tokens: 20 }, { max_tokens: null }, undefined, {}],
    [{}, { max_tokens: 90 }, undefined, { max_tokens: 90 }],
  ])(
    "with its own %j and the request's %j and a limit of %s is bounded by %j",
    async (parameters, given, maxOutputTokens, expected) => {
      const bound = maxOutputTokens === undefined ? {} : { maxOutputTokens }
      await ask([{ text: "x" }], { parameters }, { parameters: given, ...bound })
      const { max_tokens, max_completion_tokens } = server.requests[0]?.body ?? {}
      expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens }))).toEqual(expected)
    },
  )

  test.each(["x", 0, 1.5, true, {}])("with a bound of %j is refused as data", async (max_tokens) => {
    const { reply } = await ask([{ text: "x" }], {}, { parameters: { max_tokens } })
    expect(reply.error).toEqual({
      kind: "rejected",
      message: naming(
        `The request to ${new URL(server.url).host}`,
        "made",
        "parameter",
        "max_tokens",
        `${JSON.stringify(max_tokens)}`,
      ),
      retryable: false,
    })
    expect(server.requests).toHaveLength(0)
  })

  test("goes to the path and query of baseUrl, with key and headers", async () => {
    server = await startModelServer({ script: [{ text: "x" }], apiKey: "sk-secret" })
    const options = {
      model: "m",
      baseUrl: `${server.url}/?api-version=1`,
      apiKey: " sk-secret\n",
      headers: { "X-Team": "t" },
    }
    const reply = await openaiModel(options).stream(requestWith(), () => {})
    expect(reply.error).toBeUndefined()
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer sk-secret", "x-team": "t" })
  })

  test("reuses its connection", async () => {
    server = await startModelServer({ script: () => ({ text: "x" }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    for (let turn = 1; turn <= 20; turn++) await model.stream(requestWith({ turn }), () => {})
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(1)
  })

  test("60: 500 at once, none waits for another", async () => {
    server = await startModelServer({ script: () => ({ text: "x", delayMs: 300 }) })
    const model = openaiModel({ model: "m", baseUrl: server.url })
    const replies = await Promise.all(
      Array.from({ length: 500 }, () => model.stream(requestWith(), () => {})),
    )
    expect(replies.every((reply) => reply.text === "x")).toBe(true)
    // A request that had waited would have found the connection of another one.
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(500)
  })
})

describe("errors", () => {
  const key = "sk-proj-0123456789abcdef"

  test("the key is in nothing that is returned, shown or thrown", async () => {
    const said = `Incorrect API key: Bearer ${key}, ${key}-longer, ${`${key} `.repeat(60)}`
    server = await startModelServer({
      script: [
        { fault: { type: "status", status: 401, error: { message: said } } },
        { fault: { type: "error-event", error: { message: said } } },
        { fault: { type: "status", status: 400, body: said, headers: { "content-type": "text/plain" } } },
        { fault: { type: "status", status: 302, headers: { location: `http://elsewhere/?key=${key}` } } },
        { fault: { type: "raw", body: `data: ${said}\n\n` } },
      ],
    })
    const model = openaiModel({
      model: "m",
      baseUrl: server.url,
      apiKey: key,
      headers: { "x-api-key": `${key}-longer` },
    })
    for (let turn = 1; turn <= 5; turn++) {
      const reply = await model.stream(requestWith({ turn }), () => {})
      expect(reply.error?.message).toContain("[redacted]")
      expect(reply.error?.message.length).toBeLessThan(1100)
      expect(inspect([reply, model], { depth: 9, showHidden: true })).not.toMatch(/sk-proj|0123|cdef|longer/)
    }
  })

  test("a key no header can hold is refused without being shown", async () => {
    const { reply } = await ask([], { apiKey: `${key}\nx-evil: 1` })
    expect(reply.error).toMatchObject({ kind: "rejected", retryable: false })
    expect(reply.error?.message).not.toContain("sk-proj")
  })

  test("a redirect is not followed", async () => {
    const { reply } = await ask([
      { fault: { type: "status", status: 307, headers: { location: "http://elsewhere/" } } },
    ])
    expect(reply.error?.message).toMatch(/redirect to http:\/\/elsewhere\/.*set baseUrl/)
    expect(server.requests).toHaveLength(1)
  })

  test("a refused request names what the provider says", async () => {
    const { reply } = await ask(
      [{ text: "x" }],
      {},
      { tools: [{ name: "two words", description: "x", input: { type: "object" } }] },
    )
    expect(reply.error).toMatchObject({ kind: "rejected", retryable: false })
    expect(reply.error?.message).toMatch(/answered 400: tools\[0\]/)
  })

  test("64: nobody listening is a network error", async () => {
    server = await startModelServer({ script: [] })
    await server.close()
    const reply = await openaiModel({ model: "m", baseUrl: server.url }).stream(requestWith(), () => {})
    expect(reply.error).toMatchObject({ kind: "network", retryable: true })
    expect(reply.error?.message).toMatch(/ECONNREFUSED/)
  })

  async function askSocket(answer: (socket: Socket) => void, scheme = "http"): Promise<ModelReply> {
    const plain = createServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => answer(socket))
    })
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve))
    const { port } = plain.address() as { port: number }
    const model = openaiModel({ model: "m", baseUrl: `${scheme}://127.0.0.1:${port}`, totalTimeout: 3000 })
    const reply = await model.stream(requestWith(), () => {})
    plain.close()
    return reply
  }
  const head = (status: string) =>
    `HTTP/1.1 ${status}\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`
  const piece = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  const whole = events(chunk({ content: "x" }, "stop"), "[DONE]")

  test.each([
    ["TLS to a server that speaks none", "https", "HTTP/1.1 400 Bad Request\r\n\r\n", "network"],
    ["a server that speaks no HTTP", "http", "SSH-2.0-OpenSSH_9.6\r\n", "protocol"],
    ["a server that closes at once", "http", "", "network"],
    [
      "a body that ends before its last chunk",
      "http",
      head("200 OK") + piece(events(chunk({ content: "x" }))),
      "network",
    ],
    ["a refusal that breaks off", "http", head("503 Busy") + piece("Too bu"), "overloaded"],
  ])("64: %s", async (_, scheme, greeting, kind) => {
    const reply = await askSocket((socket) => socket.end(greeting), scheme)
    expect(reply.error).toMatchObject({ kind, retryable: true })
  })

  test("a connection that breaks after [DONE] changes nothing", async () => {
    const reply = await askSocket((socket) => {
      socket.write(head("200 OK") + piece(whole))
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    expect(reply).toMatchObject({ text: "x", stop: "end" })
    expect(reply.error).toBeUndefined()
  })

  test("an informational answer before the real one is passed over", async () => {
    const reply = await askSocket((socket) =>
      socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${head("200 OK")}${piece(whole)}0\r\n\r\n`),
    )
    expect(reply).toMatchObject({ text: "x", stop: "end" })
  })

  test("74: a refusal without an end is not read to its end", async () => {
    const reply = await askSocket((socket) => {
      socket.write(head("500 Oops"))
      const timer = setInterval(() => socket.write(piece("x".repeat(16_384))), 1)
      socket.on("close", () => clearInterval(timer))
    })
    expect(reply.error).toMatchObject({ kind: "overloaded", retryable: true })
  })

  test.each([
    [{ baseUrl: "ftp://host/" }, /baseUrl/],
    [{ baseUrl: "no address" }, /baseUrl/],
    [{ baseUrl: "https://user:hunter2@host/" }, /baseUrl/],
    [{ idleTimeout: 0 }, /idleTimeout is 0/],
    [{ idleTimeout: Number.NaN }, /idleTimeout is NaN/],
    [{ totalTimeout: 2 ** 31 }, /totalTimeout is 2147483648/],
    [{ maxResponseBytes: -1 }, /maxResponseBytes is -1/],
    [{ parameters: { messages: [] } }, /messages/],
    [{ parameters: { max_completion_tokens: "many" } }, /max_completion_tokens is many/],
    [{ window: -1 }, /window is -1/],
  ])("options %j are refused at once, by name", (options, message) => {
    expect(() => openaiModel({ model: "m", ...options })).toThrow(message)
    expect(() => openaiModel({ model: "m", ...options })).not.toThrow(/hunter2/)
  })

  test("a model says what it asks for, what it holds, and who shares its rate limit", () => {
    const options = { model: "gpt-5", baseUrl: "https://host/v1", apiKey: key }
    const model = openaiModel({ ...options, window: 1000, price: { input: 1, output: 2, cacheRead: 0.5 } })
    expect({ ...model }).toEqual({
      id: "openai/gpt-5",
      asks: "gpt-5",
      price: { input: 1, output: 2 },
      window: 1000,
      sees: ["image/png", "image/jpeg", "image/gif", "image/webp"],
      host: "host",
      rateLimitGroup: expect.stringMatching(/^https:\/\/host#[0-9a-f]{12}$/),
      redact: expect.any(Function),
      unfinished: expect.any(Function),
      stream: expect.any(Function),
    })
    expect(model.redact?.(`a ${key} and Bearer ${key}`)).toBe("a [redacted] and [redacted]")
    const gateOf = (more: Partial<OpenAiOptions>) => openaiModel({ ...options, ...more }).rateLimitGroup
    expect(gateOf({ model: "other", baseUrl: "https://host/other" })).toBe(model.rateLimitGroup)
    expect(gateOf({ apiKey: "another-key" })).not.toBe(model.rateLimitGroup)
    expect(gateOf({ baseUrl: "https://elsewhere" })).not.toBe(model.rateLimitGroup)
    expect(openaiModel({ model: "m", baseUrl: "http://host:1/v1" }).rateLimitGroup).toBe("http://host:1")
  })

  test("an id is made from the model's name", () => {
    expect(openaiModel({ model: "gpt-5" }).id).toBe("openai/gpt-5")
    expect(openaiModel({ model: "gpt-5", id: "mine" }).id).toBe("mine")
  })
})

test.each([
  ["length, then tool_calls", ["length", "tool_calls"], "length"],
  ["a made-up word, then stop", ["eleven", "stop"], "other"],
  ["no word", [42], "other"],
  ["an object", [{ toString: {} }], "other"],
])("an end of %s is not whole", async (_, finishes, stop) => {
  const called = { tool_calls: [{ index: 0, id: "w", function: { name: "add", arguments: "{}" } }] }
  const ends = finishes.map((finish) => chunk({}, finish as never))
  const reply = await askRaw(events(chunk(called), ...ends, "[DONE]"))
  expect([reply.stop, reply.calls, reply.cutCalls]).toEqual([stop, [], 1])
})

const said = {
  content: "Half an",
  tool_calls: [{ index: 0, id: "w", function: { name: "add", arguments: "{}" } }],
}

test.each([
  ["a stream that left it open", undefined, events(chunk(said), "[DONE]")],
  [
    "a stream of DeepSeek's that never speaks of it",
    "deepseek",
    events({ choices: [{ delta: said }] }, "[DONE]"),
  ],
  ["a stream of OpenRouter's that has an empty one", "openrouter", events(chunk(said, ""), "[DONE]")],
  [
    "JSON that left it open",
    undefined,
    JSON.stringify({ choices: [{ message: said, finish_reason: null }] }),
  ],
  ["JSON of Groq's that never speaks of it", "groq", JSON.stringify({ choices: [{ message: said }] })],
])("an answer without a finish reason is cut: %s", async (_, provider, body) => {
  const type = body.startsWith("{") ? "application/json" : "text/event-stream"
  const options = provider === undefined ? {} : { provider }
  expect(await askRaw(body, { "content-type": type }, options)).toEqual({
    text: "Half an",
    calls: [],
    usage: {},
    stop: "other",
    cutCalls: 1,
  })
})

test("thought that is left out of what was written is output", async () => {
  const usage = {
    prompt_tokens: 12,
    completion_tokens: 1,
    completion_tokens_details: { reasoning_tokens: 228 },
  }
  const { reply } = await ask([{ text: "2", usage }])
  expect(reply.usage).toEqual({ inputTokens: 12, outputTokens: 229, reasoningTokens: 228 })
})

test("what an answer used that nobody can read is unknown", async () => {
  const reply = await askRaw(gzip, { "content-encoding": "gzip", "content-type": "application/json" })
  expect([reply.error?.kind, reply.usage]).toEqual(["protocol", {}])
})
