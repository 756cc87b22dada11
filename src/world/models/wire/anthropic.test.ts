import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { rounds } from "../../../../test/rounds.ts"
import type { ModelDelta, ModelReply } from "../../../agent/model.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import { requestWith } from "../../../faces/testing/plain-request.ts"
import type { Json } from "../../../ground/message.ts"
import { sumTokens } from "../../../ground/usage.ts"
import type { AnthropicOptions } from "./anthropic/options.ts"
import { AnthropicReply } from "./anthropic/reply.ts"
import { anthropicModel } from "./anthropic.ts"

const origin = { host: "host", model: "m" }

const modes = ["sse", "json"] as const
const usage = { inputTokens: 100, outputTokens: 10 }

let server: ModelServer
afterEach(() => server?.close())

async function ask(
  answer: ScriptedAnswer,
  options: Partial<AnthropicOptions> = {},
): Promise<{ reply: ModelReply; deltas: readonly ModelDelta[] }> {
  server = await startModelServer({ script: [answer] })
  const deltas: ModelDelta[] = []
  const model = anthropicModel({ model: "m", baseUrl: server.url, ...options })
  return { reply: await model.stream(requestWith(), (delta) => deltas.push(delta)), deltas }
}

const askRaw = async (body: string, headers?: Record<string, string>) =>
  (await ask({ fault: { type: "raw", body, ...(headers && { headers }) } })).reply

const events = (...values: readonly { readonly type: string; readonly [key: string]: unknown }[]): string =>
  values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join("")

const begin = (message: object = {}) => ({
  type: "message_start",
  message: { model: "m", content: [], ...message },
})
const start = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
})
const delta = (index: number, given: object) => ({ type: "content_block_delta", index, delta: given })
const stop = (index: number) => ({ type: "content_block_stop", index })
const ending = (stop_reason: string | null, more: object = {}) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  ...more,
})
const end = { type: "message_stop" }
const text = (index: number, said: string) => [
  start(index, { type: "text", text: "" }),
  delta(index, { type: "text_delta", text: said }),
  stop(index),
]
const toolUse = (index: number, id: string, ...parts: readonly string[]) => [
  start(index, { type: "tool_use", id, name: "add", input: {} }),
  ...parts.map((partial_json) => delta(index, { type: "input_json_delta", partial_json })),
  stop(index),
]

describe.each(modes)("an answer as %s", (stream) => {
  test.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["pause_turn", "length"],
    ["refusal", "filter"],
    ["tool_use", "other"],
    ["eleven", "other"],
  ])("53: stop reason %s without calls is %s", async (finish, expected) => {
    const { reply } = await ask({ text: "x", finish }, { stream })
    expect([reply.stop, reply.error]).toEqual([expected, undefined])
  })

  test.each(["tool_use", "end_turn", "stop_sequence"])(
    "stop reason %s with calls is calls",
    async (finish) => {
      const { reply } = await ask({ calls: [{ tool: "add", arguments: {}, id: "one" }], finish }, { stream })
      expect(reply).toMatchObject({ stop: "calls", calls: [{ wire: "one", tool: "add", arguments: "{}" }] })
    },
  )

  test.each(["max_tokens", "model_context_window_exceeded", "pause_turn", "eleven", "refusal"])(
    "52: of an answer that ended with %s, no call runs",
    async (finish) => {
      const calls = [
        { tool: "add", arguments: { a: 1 }, id: "one" },
        { tool: "add", arguments: '{"a":', id: "two" },
      ]
      const { reply } = await ask({ reasoning: "Hm.", calls, finish }, { stream })
      expect([reply.calls, reply.finish]).toEqual([[], finish])
      expect(reply.provider).toMatchObject({ anthropic: [{ type: "thinking" }] })
    },
  )

  test("a refusal without a word says why", async () => {
    const { reply } = await ask({ finish: "refusal" }, { stream })
    expect(reply).toMatchObject({ text: "This request was declined.", stop: "filter", calls: [] })
  })

  test("all that was read is input; what came from the cache is told, too", async () => {
    const given = {
      input_tokens: 10,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 200,
      output_tokens: 30,
      output_tokens_details: { thinking_tokens: 12 },
    }
    const { reply } = await ask({ text: "x", usage: given }, { stream })
    expect(reply.usage).toEqual({
      inputTokens: 1210,
      outputTokens: 30,
      cachedTokens: 1000,
      reasoningTokens: 12,
    })
  })

  test.each([
    [{}, 10 * 3 + 1000 * 0.3 + 200 * 3.75 + 30 * 15],
    [{ cache: "1h" as const }, 10 * 3 + 1000 * 0.3 + 200 * 6 + 30 * 15],
    [{ price: { input: 3, output: 15, cacheRead: 1, cacheWrite: 2 } }, 10 * 3 + 1000 + 400 + 30 * 15],
  ])("with a price and %j the cost follows what the cache did", async (options, cost) => {
    const given = {
      input_tokens: 10,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 200,
      output_tokens: 30,
    }
    const price = { input: 3, output: 15 }
    const { reply } = await ask({ text: "x", usage: given }, { stream, price, ...options })
    expect(reply.usage.cost).toBeCloseTo(cost, 6)
  })

  test("thinking is told as reasoning and kept as it was laid out, with its signature", async () => {
    const { reply, deltas } = await ask(
      {
        reasoning: "Let me 🙂 see.",
        redacted: "c2VhbGVk",
        text: "Yes.",
        calls: [{ tool: "add", arguments: { a: 1 }, id: "one" }],
      },
      { stream },
    )
    expect(deltas.map(({ type }) => type)).toContain("reasoning")
    expect(reply.text).toBe("Yes.")
    expect(reply.provider).toEqual({
      from: new URL(server.url).host,
      model: "m",
      anthropic: [
        { type: "thinking", thinking: "Let me 🙂 see.", signature: expect.stringMatching(/^.{44}$/) },
        { type: "redacted_thinking", data: "c2VhbGVk" },
        { type: "text", length: 4 },
        { type: "call" },
      ],
    })
  })

  test("without thinking nothing is kept for the provider", async () => {
    const { reply } = await ask({ text: "x", calls: [{ tool: "add", arguments: {} }] }, { stream })
    expect(reply).not.toHaveProperty("provider")
  })
})

describe("a stream", () => {
  const whole = { text: "x", calls: [], usage: {}, stop: "end", model: "m" }

  test.each([
    ["no stop reason", [], undefined],
    ["a stop reason that is a number", [ending(7 as never)], "7"],
    ["a stop reason that is an object", [ending({ toString: {} } as never)], "(not a word)"],
    [
      "an end that was cut, and another one after it",
      [ending("max_tokens"), ending("end_turn")],
      "max_tokens",
    ],
  ])("%s says nothing that makes an answer whole", async (_, ends, finish) => {
    const reply = await askRaw(events(begin(), ...text(0, "x"), ...ends, end))
    expect([reply.stop, reply.finish, reply.error]).toEqual([
      finish === "max_tokens" ? "length" : "other",
      finish,
      undefined,
    ])
  })

  test.each([
    [
      "pings and unknown events",
      events(begin(), { type: "ping" }, { type: "news", index: 7 }, ...text(0, "x"), ending("end_turn"), end),
    ],
    [
      "comments, CRLF and a BOM",
      `\ufeff: hi\r\n\r\n${events(begin(), ...text(0, "x"), ending("end_turn"), end).replaceAll("\n", "\r\n")}`,
    ],
    [
      "data without space and over several lines",
      events(begin(), ...text(0, "x"), ending("end_turn"), end)
        .replaceAll("data: {", "data:{")
        .replaceAll(',"index"', ',\ndata: "index"'),
    ],
    [
      "no names on its events",
      events(begin(), ...text(0, "x"), ending("end_turn"), end).replaceAll(/^event: .*\n/gm, ""),
    ],
    [
      "whatever follows its end",
      `${events(begin(), ...text(0, "x"), ending("end_turn"), end)}data: [DONE]\n\ndata: {{{\n\n`,
    ],
    ["text that never ended", events(begin(), ...text(0, "x").slice(0, 2), ending("end_turn"), end)],
    [
      "text in the start of its block",
      events(begin(), start(0, { type: "text", text: "x" }), stop(0), ending("end_turn"), end),
    ],
    [
      "blocks nobody knows",
      events(
        begin(),
        start(0, { type: "server_tool_use", id: "s", input: {} }),
        delta(0, { type: "input_json_delta", partial_json: "{" }),
        stop(0),
        ...text(1, "x"),
        ending("end_turn"),
        end,
      ),
    ],
    [
      "deltas nobody knows",
      events(
        begin(),
        start(0, { type: "text", text: "" }),
        delta(0, { type: "citations_delta", citation: {} }),
        delta(0, { type: "text_delta", text: "x" }),
        stop(0),
        ending("end_turn"),
        end,
      ),
    ],
    ["an end without a blank line", events(begin(), ...text(0, "x"), ending("end_turn"), end).trimEnd()],
  ])("69: with %s is understood", async (_, body) => {
    expect(await askRaw(body)).toEqual(whole)
  })

  test.each([
    ["nothing", ""],
    ["no message", events(end)],
    ["all but the end", events(begin(), ...text(0, "x"), ending("end_turn"))],
    ["a call cut in the middle", events(begin(), ...toolUse(0, "one", '{"a":').slice(0, 2))],
    [
      "66: a call that never ended",
      events(begin(), ...toolUse(0, "one", '{"a":1}').slice(0, 2), ending("tool_use"), end),
    ],
    [
      "66: one of two calls that never ended",
      events(
        begin(),
        ...toolUse(0, "one", "{}").slice(0, 2),
        ...toolUse(1, "two", "{}"),
        ending("tool_use"),
        end,
      ),
    ],
    [
      "a part of a block that never began",
      events(begin(), delta(3, { type: "text_delta", text: "x" }), ending("end_turn"), end),
    ],
    ["an OpenAI end", `${events(begin(), ...text(0, "x"))}data: [DONE]\n\n`],
    ["JSON that is no object", "data: 7\n\n"],
  ])("66, 67, 70: %s is an error worth another try, and no call runs", async (_, body) => {
    expect(await askRaw(body)).toMatchObject({
      calls: [],
      stop: "other",
      error: { kind: "protocol", retryable: true },
    })
  })

  test.each([
    [
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      "overloaded",
      true,
    ],
    ['data: {"type":"error","error":{"type":"rate_limit_error","message":"Slow"}}\n\n', "rate-limit", true],
    ['data: {"type":"error","error":{"type":"request_too_large","message":"Big"}}\n\n', "overflow", false],
    ['data: {"type":"error","error":{"type":"billing_error","message":"Pay"}}\n\n', "rejected", false],
  ])("71: %s in mid-stream is %s, and what was read is charged", async (body, kind, retryable) => {
    const reply = await askRaw(
      events(begin({ usage: { input_tokens: 55, output_tokens: 1 } }), ...text(0, "x")) + body,
    )
    expect(reply).toMatchObject({
      text: "x",
      calls: [],
      error: { kind, retryable },
      usage: { inputTokens: 55 },
    })
  })

  test.each([
    ["whole", ['{"a":1}'], '{"a":1}'],
    ["in odd parts", ["", '{"', "a", '":', " 1", ".50}"], '{"a": 1.50}'],
    ["inside an escape", ['{"a":"\\', "u00", 'e9\\"', '"}'], '{"a":"\\u00e9\\""}'],
    ["inside a surrogate pair", ['{"a":"\ud83d', '\ude42"}'], '{"a":"🙂"}'],
    ["not at all", [], "{}"],
    ["as nothing", [""], "{}"],
    ["with a number too long to read", ['{"a":12345678901234567890}'], '{"a":12345678901234567890}'],
  ])("an input %s is put together exactly", async (_, parts, expected) => {
    const reply = await askRaw(events(begin(), ...toolUse(0, "one", ...parts), ending("tool_use"), end))
    expect(reply).toMatchObject({ stop: "calls", calls: [{ wire: "one", tool: "add", arguments: expected }] })
  })

  test("calls may be interleaved, and an input may come with the start", async () => {
    const [startOne, ...restOfOne] = toolUse(0, "one", '{"a":', "1}")
    const [startTwo, ...restOfTwo] = toolUse(1, "two", '{"a":', "2}")
    const three = start(2, { type: "tool_use", id: "three", name: "add", input: { a: 3 } })
    const mixed = restOfOne.flatMap((event, index) => [event, restOfTwo[index]!])
    const reply = await askRaw(
      events(begin(), startOne!, startTwo!, ...mixed, three, stop(2), ending("tool_use"), end),
    )
    expect(reply.calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}', '{"a":3}'])
  })

  test("counts that come late replace those that came early, and never fall", async () => {
    const reply = await askRaw(
      events(
        begin({ usage: { input_tokens: 0, cache_read_input_tokens: 90, output_tokens: 1 } }),
        ...text(0, "x"),
        ending(null, { usage: { output_tokens: 5, input_tokens: null } }),
        ending("end_turn", { usage: { output_tokens: 12, input_tokens: 30, cache_read_input_tokens: 0 } }),
        end,
      ),
    )
    expect(reply.usage).toEqual({ inputTokens: 120, outputTokens: 12, cachedTokens: 90 })
  })

  test("thinking between calls keeps its place, and what has no signature is not kept", async () => {
    const thinking = (index: number, signature: string) => [
      start(index, { type: "thinking", thinking: "", signature: "" }),
      delta(index, { type: "thinking_delta", thinking: "Hm." }),
      ...(signature === "" ? [] : [delta(index, { type: "signature_delta", signature })]),
      stop(index),
    ]
    const reply = await askRaw(
      events(
        begin(),
        ...thinking(0, "s1"),
        ...text(1, "One. "),
        ...toolUse(2, "one", "{}"),
        ...thinking(3, "s2"),
        ...text(4, "Two."),
        ...thinking(5, ""),
        ...toolUse(6, "two", "{}"),
        ending("tool_use"),
        end,
      ),
    )
    expect(reply.text).toBe("One. Two.")
    expect(reply.provider).toEqual({
      from: new URL(server.url).host,
      model: "m",
      anthropic: [
        { type: "thinking", thinking: "Hm.", signature: "s1" },
        { type: "text", length: 5 },
        { type: "call" },
        { type: "thinking", thinking: "Hm.", signature: "s2" },
        { type: "text", length: 4 },
        { type: "call" },
      ],
    })
  })

  test("answered in JSON all the same is understood", async () => {
    const body = JSON.stringify({
      model: "m",
      content: [{ type: "text", text: "x" }],
      stop_reason: "end_turn",
    })
    expect(await askRaw(body, { "content-type": "application/json" })).toEqual(whole)
  })
})

describe("an answer of any shape", () => {
  const names = (
    "type index message content content_block delta usage error stop_reason stop_details explanation model text thinking " +
    "signature data id name input partial_json input_tokens output_tokens toString"
  ).split(" ")
  const types = (
    "message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping error text " +
    "thinking redacted_thinking tool_use text_delta thinking_delta signature_delta input_json_delta"
  ).split(" ")
  const shape = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "large" },
      fc.constantFrom<Json>(
        null,
        "",
        "x",
        "{}",
        "end_turn",
        "max_tokens",
        "tool_use",
        0,
        1,
        -1,
        true,
        ...types,
      ),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 5 }),
      fc.record({
        type: fc.constantFrom(...types),
        index: fc.nat(2),
        delta: tie("value"),
        content_block: tie("value"),
        message: tie("value"),
      }),
    ) as fc.Arbitrary<Json>,
  })).value

  test("is a reply or an error, however it is cut", () => {
    const parts = { values: fc.array(shape, { maxLength: 6 }), cut: fc.nat(), ended: fc.boolean() }
    fc.assert(
      fc.property(fc.record(parts), ({ values, cut, ended }) => {
        for (const kind of modes) {
          const reply = new AnthropicReply(() => {}, { origin })
          const body = reply.open(kind, "")
          const stream = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")
          const bytes = Buffer.from(
            kind === "json" ? JSON.stringify(values[0] ?? {}) : stream + (ended ? events(end) : ""),
          )
          const at = cut % (bytes.length + 1)
          if (body.push(bytes.subarray(0, at)) === "more") body.push(bytes.subarray(at))
          const { calls, stop, error, ...rest } = reply.reply(body.end())
          expect(typeof rest.text).toBe("string")
          for (const call of calls)
            expect(Object.values(call).map((value) => typeof value)).toEqual(["string", "string", "string"])
          expect(sumTokens(rest.usage) ?? 0).toBeGreaterThanOrEqual(0)
          expect(JSON.parse(JSON.stringify(rest))).toEqual(rest)
          if (error) expect([calls, stop]).toEqual([[], "other"])
        }
      }),
      { numRuns: rounds(3000) },
    )
  })
})

describe("options", () => {
  test("headers say version, key and token, and the caller's replace them", async () => {
    await ask(
      { text: "x" },
      { apiKey: " sk-ant-secret\n", headers: { "Anthropic-Beta": "b", "X-Team": "t" } },
    )
    expect(server.requests[0]?.headers).toMatchObject({
      "anthropic-version": "2023-06-01",
      "x-api-key": "sk-ant-secret",
      "anthropic-beta": "b",
      "x-team": "t",
    })
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
    await ask({ text: "x" }, { authToken: "token", headers: { "anthropic-version": "2023-01-01" } })
    expect(server.requests[0]?.headers).toMatchObject({
      "anthropic-version": "2023-01-01",
      authorization: "Bearer token",
    })
    expect(server.requests[0]?.headers).not.toHaveProperty("x-api-key")
  })

  test.each(["", "/", "/v1", "/v1/", "/v1?beta=true"])(
    "a baseUrl that ends in %j finds the messages",
    async (path) => {
      server = await startModelServer({ script: () => ({ text: "x" }) })
      const { origin } = new URL(server.url)
      const model = anthropicModel({ model: "m", baseUrl: origin + path })
      const reply = await model.stream(requestWith(), () => {})
      expect(reply).toMatchObject({ text: "x", usage })
    },
  )

  test("neither key nor token is in an error", async () => {
    const said = "Wrong: sk-ant-0123456789 Bearer tok-9876543210 tok-9876543210"
    const { reply } = await ask(
      { fault: { type: "status", status: 401, error: { type: "authentication_error", message: said } } },
      { apiKey: "sk-ant-0123456789", authToken: "tok-9876543210" },
    )
    expect(reply.error?.message).toMatch(/answered 401: Wrong: \[redacted\]/)
    expect(reply.error?.message).not.toMatch(/0123|9876/)
  })

  test.each([
    [{ baseUrl: "ftp://host/" }, /baseUrl/],
    [{ baseUrl: "https://user:hunter2@host/" }, /baseUrl/],
    [{ idleTimeout: 0 }, /idleTimeout is 0/],
    [{ parameters: { messages: [] } }, /parameter messages /],
    [{ parameters: { system: "x" } }, /parameter system /],
    [{ parameters: { tools: [] } }, /parameter tools /],
    [{ parameters: { cache_control: { type: "ephemeral" } } }, /parameter cache_control /],
    [{ parameters: { max_tokens: 0 } }, /max_tokens is 0/],
    [{ parameters: { max_tokens: "many" } }, /max_tokens is many/],
  ])("%j is refused at once, by name", (options, message) => {
    expect(() => anthropicModel({ model: "m", ...options })).toThrow(message)
    expect(() => anthropicModel({ model: "m", ...options })).not.toThrow(/hunter2/)
  })

  test("a model says what it asks for, what it holds, and who shares its rate limit", () => {
    const options = { model: "claude-x", apiKey: "sk-ant-0123456789" }
    const model = anthropicModel({ ...options, window: 200_000 })
    expect({ ...model }).toEqual({
      id: "anthropic/claude-x",
      asks: "claude-x",
      window: 200_000,
      sees: ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"],
      host: "api.anthropic.com",
      rateLimitGroup: expect.stringMatching(/^https:\/\/api\.anthropic\.com#[0-9a-f]{12}$/),
      redact: expect.any(Function),
      unfinished: expect.any(Function),
      stream: expect.any(Function),
    })
    expect(model.redact?.("a sk-ant-0123456789 b")).toBe("a [redacted] b")
    expect(anthropicModel({ ...options, model: "claude-y" }).rateLimitGroup).toBe(model.rateLimitGroup)
    expect(anthropicModel({ model: "claude-x", authToken: "tok-9876543210" }).rateLimitGroup).not.toBe(
      model.rateLimitGroup,
    )
  })

  test("an id is made from the model's name", () => {
    expect(anthropicModel({ model: "claude-x" }).id).toBe("anthropic/claude-x")
    expect(anthropicModel({ model: "claude-x", id: "mine" }).id).toBe("mine")
    expect(anthropicModel({ model: "m", price: { input: 1, output: 2, cacheRead: 0 } }).price).toEqual({
      input: 1,
      output: 2,
    })
  })
})
