import { afterEach, describe, expect, test } from "vitest"
import type { ModelDelta, ModelReply, ModelRequest } from "../../../agent/model.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import { requestWith } from "../../../faces/testing/plain-request.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { ResponsesOptions } from "./responses/options.ts"
import { responsesModel } from "./responses.ts"

const modes = ["sse", "json"] as const
const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 0, reasoningTokens: 0 }

let server: ModelServer
afterEach(() => server?.close())

async function ask(
  script: readonly ScriptedAnswer[],
  options: Partial<ResponsesOptions> = {},
  request: Partial<ModelRequest> = {},
): Promise<{ reply: ModelReply; deltas: readonly ModelDelta[] }> {
  server = await startModelServer({ script })
  const deltas: ModelDelta[] = []
  const model = responsesModel({ model: "m", baseUrl: server.url, ...options })
  const reply = await model.stream(requestWith(request), (delta) => deltas.push(delta))
  return { reply, deltas }
}

const askRaw = async (body: string, stream: "sse" | "json" = "sse") =>
  (await ask([{ fault: { type: "raw", body } }], { stream })).reply

const events = (...values: readonly object[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")

const ended = (response: object, type = "response.completed") => ({
  type,
  response: { status: "completed", output: [], usage: null, ...response },
})

describe.each(modes)("an answer as %s", (stream) => {
  test("reasoning, text and calls are kept with whom they are from, and how they were laid out", async () => {
    const { reply, deltas } = await ask(
      [
        {
          reasoning: "Hm.",
          text: "Adding.",
          phase: "commentary",
          calls: [{ tool: "add", arguments: '{ "a":1 }', id: "one" }],
        },
      ],
      { stream },
    )
    expect(reply).toEqual({
      text: "Adding.",
      calls: [{ wire: "one", tool: "add", arguments: '{ "a":1 }' }],
      usage,
      stop: "calls",
      model: "m",
      provider: {
        from: new URL(server.url).host,
        model: "m",
        responses: [
          {
            type: "reasoning",
            summary: [{ type: "summary_text", text: "Hm." }],
            encrypted_content: expect.any(String),
          },
          { type: "message", length: 7, phase: "commentary" },
          { type: "call" },
        ],
      },
    })
    expect(deltas.map(({ type }) => type)).toEqual(["reasoning", "text"])
  })

  test("text and calls alone keep nothing for the provider", async () => {
    const { reply } = await ask([{ text: "x", calls: [{ tool: "add", arguments: {} }] }], { stream })
    expect(reply).not.toHaveProperty("provider")
  })

  test.each([
    ["max_output_tokens", { stop: "length" }],
    ["content_filter", { stop: "filter" }],
    ["max_messages", { stop: "other", finish: "max_messages" }],
    ["steered", { stop: "other", finish: "steered" }],
  ])("53: incomplete because of %s is %j, and runs no call", async (finish, expected) => {
    const calls = [{ tool: "add", arguments: {} }]
    const { reply } = await ask([{ reasoning: "Hm.", text: "Partly", calls, finish }], { stream })
    expect(reply).toEqual({ text: "Partly", calls: [], usage, model: "m", cutCalls: 1, ...expected })
  })

  test("53: a refusal is told in place of text, and runs no call", async () => {
    const calls = [{ tool: "add", arguments: {} }]
    const { reply } = await ask([{ refusal: "I will not.", calls }], { stream })
    expect(reply).toEqual({ text: "I will not.", calls: [], usage, stop: "filter", model: "m", cutCalls: 1 })
  })

  test.each<[string, Json, ModelReply["usage"]]>([
    ["unknown where it is not told", null, {}],
    ["what of it is told", { output_tokens: 5 }, { outputTokens: 5 }],
    ["no count that is none", { input_tokens: -1, output_tokens: 5 }, { outputTokens: 5 }],
  ])("usage is %s", async (_, given, expected) => {
    expect((await ask([{ text: "x", usage: given }], { stream })).reply.usage).toEqual(expected)
  })

  test.each<[ResponsesOptions["price"], number | undefined]>([
    [undefined, undefined],
    [{ input: 3, output: 15 }, undefined],
    [{ input: 3, output: 15, cacheRead: 1 }, 60 * 3 + 40 * 1 + 10 * 15],
    [{ input: 3, output: 15, cacheRead: 1, cacheWrite: 4 }, 30 * 3 + 40 * 1 + 30 * 4 + 10 * 15],
  ])("with a price of %j the cost is %s", async (price, cost) => {
    const given = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40, cache_write_tokens: 30 },
      output_tokens: 10,
    }
    const { reply } = await ask([{ text: "x", usage: given }], { stream, ...(price && { price }) })
    expect(reply.usage.cost).toBe(cost)
  })
})

describe("an end in the provider's own words", () => {
  test.each([
    ["cancelled", "json", JSON.stringify(ended({ status: "cancelled", output: [] }).response)],
    ["queued", "json", JSON.stringify(ended({ status: "queued", output: [] }).response)],
    ["cancelled", "sse", events(ended({ status: "cancelled" }, "response.cancelled"))],
    ["incomplete", "sse", events(ended({ status: "incomplete" }, "response.incomplete"))],
  ] as const)("%s, as %s, is `other`, and not known to be whole", async (finish, stream, body) => {
    expect(await askRaw(body, stream)).toEqual({ text: "", calls: [], usage: {}, stop: "other", finish })
  })

  test.each([
    ["server_error", "overloaded", true],
    ["rate_limit_exceeded", "rate-limit", true],
    ["slow_down", "overloaded", true],
    ["server_is_overloaded", "overloaded", true],
    ["vector_store_timeout", "overloaded", true],
    ["context_length_exceeded", "overflow", false],
    ["insufficient_quota", "rejected", false],
    ["invalid_prompt", "rejected", false],
    ["invalid_image_format", "rejected", false],
    ["image_too_large", "rejected", false],
    ["bio_policy", "rejected", false],
    ["invalid_api_key", "rejected", false],
  ])("71: a response that failed with %s is %s", async (code, kind, retryable) => {
    const error = { code, message: "Said so" }
    const failed = ended({ status: "failed", error, usage: { input_tokens: 7 } }, "response.failed")
    for (const [stream, body] of [
      ["sse", events(failed)],
      ["json", JSON.stringify(failed.response)],
      ["sse", events({ type: "error", ...error, param: null, sequence_number: 3 })],
      ["sse", `event: error\n${events({ type: "error", error })}`],
    ] as const) {
      const reply = await askRaw(body, stream)
      expect([reply.calls, reply.stop, reply.error?.kind, reply.error?.retryable]).toEqual([
        [],
        "other",
        kind,
        retryable,
      ])
      expect(reply.error?.message).toContain("Said so")
    }
  })

  test("a response that failed without a word may pass, and what it used is counted", async () => {
    const reply = await askRaw(
      events(ended({ status: "failed", usage: { input_tokens: 7 } }, "response.failed")),
    )
    expect(reply).toMatchObject({ usage: { inputTokens: 7 }, error: { kind: "overloaded", retryable: true } })
  })

  test.each([
    ["no output", "{}", "json"],
    ["a stream of nothing but its last words", "data: [DONE]\n\n", "sse"],
    [
      "a call without an end",
      events(
        {
          type: "response.output_item.added",
          output_index: 0,
          item: { type: "function_call", call_id: "a" },
        },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a"' },
        ended({}),
      ),
      "sse",
    ],
  ] as const)("%s is no answer", async (_, body, stream) => {
    const { error, calls } = await askRaw(body, stream)
    expect([calls, error?.kind, error?.retryable]).toEqual([[], "protocol", true])
  })
})

describe("streams of servers with habits of their own", () => {
  const message = (text: string, more: object = {}) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text }],
    ...more,
  })
  const added = (output_index: number, item: object) => ({
    type: "response.output_item.added",
    output_index,
    item,
  })
  const done = (output_index: number, item: object) => ({
    type: "response.output_item.done",
    output_index,
    item,
  })

  test.each([
    ["only the end has the output", [ended({ output: [message("Yes.")] })], "Yes."],
    ["only whole items, and an end without output", [done(0, message("Yes.")), ended({})], "Yes."],
    [
      "deltas, and items that repeat them",
      [
        added(0, message("")),
        { type: "response.output_text.delta", output_index: 0, delta: "Ye" },
        done(0, message("Yes.")),
        ended({ output: [message("Yes.")] }),
      ],
      "Yes.",
    ],
    [
      "two messages, which stay apart",
      [done(0, message("First.", { phase: "commentary" })), done(1, message("Then.")), ended({})],
      "First.\n\nThen.",
    ],
    [
      "items and events of types to come",
      [
        added(0, { type: "news" }),
        { type: "response.news", output_index: 0 },
        done(1, message("Yes.")),
        ended({}),
      ],
      "Yes.",
    ],
    [
      "parts of an item that never begins",
      [{ type: "response.output_text.delta", output_index: 7, delta: "x" }, ended({})],
      "x",
    ],
    ["an index that is none", [{ ...added(0, message("")), output_index: 1e9 }, ended({})], ""],
  ])("%s", async (_, given, text) => {
    const { reply, deltas } = await ask([{ fault: { type: "raw", body: events(...given) } }])
    expect([reply.text, reply.stop, deltas.map((delta) => delta.text).join("")]).toEqual([text, "end", text])
  })

  test("reasoning in the open is told and kept; what only stands for something stored is not", async () => {
    const open = {
      type: "reasoning",
      id: "1",
      summary: [],
      content: [{ type: "reasoning_text", text: "Hm." }],
    }
    const bare = { type: "reasoning", id: "2", summary: [] }
    const { reply, deltas } = await ask([
      {
        fault: {
          type: "raw",
          body: events(done(0, open), done(1, bare), done(2, message("Yes.")), ended({})),
        },
      },
    ])
    expect(deltas).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
    ])
    expect((reply.provider as JsonMap).responses).toEqual([
      { type: "reasoning", summary: [], content: open.content },
      { type: "message", length: 4 },
    ])
  })

  test("parts of a summary stay apart", async () => {
    const part = (summary_index: number, delta: string) => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index,
      delta,
    })
    const summary = ["One.", "Two."].map((text) => ({ type: "summary_text", text }))
    const item = { type: "reasoning", summary, encrypted_content: "x" }
    const { deltas } = await ask([
      {
        fault: {
          type: "raw",
          body: events(
            added(0, { type: "reasoning" }),
            part(0, "One."),
            part(1, "Two."),
            done(0, item),
            ended({}),
          ),
        },
      },
    ])
    expect(deltas.map(({ text }) => text).join("")).toBe("One.\n\nTwo.")
  })
})

describe("options", () => {
  test.each([
    [{ parameters: { store: true } }, /the runtime sets the parameter store/],
    [{ parameters: { previous_response_id: "x" } }, /previous_response_id/],
    [{ parameters: { max_tokens: 0 } }, /max_tokens is 0/],
    [{ colour: "red" }, /colour/],
  ])("%j are refused at once", (options, message) => {
    expect(() => responsesModel({ model: "m", ...(options as object) })).toThrow(message)
  })

  test("what a request can cost at most counts what may be put into the cache", () => {
    const price = { input: 3, output: 15, cacheWrite: 4 }
    const model = responsesModel({ model: "m", price, sees: ["image/png"] })
    expect([model.id, model.price, model.highestPrice?.(1), model.sees]).toEqual([
      "openai/m",
      { input: 3, output: 15 },
      { input: 4, output: 15 },
      ["image/png"],
    ])
  })
})

test.each([
  ["a call that says that it is not whole", { status: "incomplete", arguments: "{}" }, [], "protocol"],
  ["a call without arguments", { status: "completed", arguments: null }, ["{}"], undefined],
])("%s in a response that says that it is complete", async (_, item, expected, kind) => {
  const output = [{ type: "function_call", call_id: "c", name: "now", ...item }]
  const body = JSON.stringify({ object: "response", status: "completed", model: "m", output })
  const { reply } = await ask([
    { fault: { type: "raw", body, headers: { "content-type": "application/json" } } },
  ])
  expect([reply.calls.map((call) => call.arguments), reply.error?.kind]).toEqual([expected, kind])
})
