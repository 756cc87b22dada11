import { describe, expect, test } from "vitest"
import type { ModelDelta, ModelReply } from "../../../../agent/model.ts"
import { createModelFailure } from "../failure.ts"
import { keepAnthropicLayout, readAnthropicLayout, writeThinking } from "./layout.ts"
import { reservedAnthropicParameters } from "./names.ts"
import { AnthropicReply, type TokenPrice } from "./reply.ts"

const origin = { host: "h", model: "m" }

/** The reply that events give, and the states in which they left it. */
function read(events: readonly object[], price?: TokenPrice, end: "complete" | "early" = "complete") {
  const deltas: ModelDelta[] = []
  const reply = new AnthropicReply((delta) => deltas.push(delta), { origin, ...(price && { price }) })
  for (const event of events) {
    const result = reply.addEvent(event)
    if (typeof result === "object") return { ...reply.reply(result), deltas }
  }
  return { ...reply.reply(reply.check(end)), deltas }
}

const start = (usage: object | null = null, more: object = {}) => ({
  type: "message_start",
  message: { model: "claude", usage, ...more },
})
const end = (stop_reason: string | null, usage: object = {}, more: object = {}) => ({
  type: "message_delta",
  delta: { stop_reason, ...more },
  usage,
})
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
]
const said = (text: string) => block(0, { type: "text", text: "" }, { type: "text_delta", text })

describe("what a message used", () => {
  const price = { input: 1, output: 10, cacheRead: 100, cacheWrite: 1_000 }
  test.each<[string, readonly object[], TokenPrice | undefined, ModelReply["usage"]]>([
    ["nothing that is known", [start(), end("end_turn")], price, {}],
    [
      "its input, and its output as the end counts it",
      [start({ input_tokens: 5, output_tokens: 1 }), end("end_turn", { output_tokens: 7 })],
      undefined,
      { inputTokens: 5, outputTokens: 7 },
    ],
    ["its output alone", [start(), end("end_turn", { output_tokens: 7 })], price, { outputTokens: 7 }],
    ["no output before its end", [start({ input_tokens: 5, output_tokens: 1 })], price, { inputTokens: 5 }],
    ["nothing before its end", [start({ output_tokens: 1 })], price, {}],
    [
      "tokens of the cache, too",
      [
        start({ input_tokens: 5, cache_read_input_tokens: 20, cache_creation_input_tokens: 300 }),
        end("end_turn", { output_tokens: 7, output_tokens_details: { thinking_tokens: 3 } }),
      ],
      price,
      {
        inputTokens: 325,
        outputTokens: 7,
        cachedTokens: 20,
        reasoningTokens: 3,
        cost: 5 + 20 * 100 + 300 * 1_000 + 7 * 10,
      },
    ],
    [
      "no less than was counted before",
      [
        start({ input_tokens: 5 }),
        end(null, { output_tokens: 9 }),
        end("end_turn", { input_tokens: 3, output_tokens: 7 }),
      ],
      { input: 1, output: 10, cacheRead: 100, cacheWrite: 1_000 },
      { inputTokens: 5, outputTokens: 9, cost: 5 + 90 },
    ],
    [
      "no input that is too large to be one",
      [
        start({ input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 1 }),
        end("end_turn", { output_tokens: 7 }),
      ],
      price,
      { outputTokens: 7 },
    ],
    [
      "no input that is too large, nor anything else",
      [start({ input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 1 })],
      price,
      {},
    ],
  ])("%s", (_, events, given, usage) => expect(read(events, given).usage).toStrictEqual(usage))

  test("is nothing where the provider refused", () => {
    const reply = new AnthropicReply(() => {}, {
      origin,
      price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
    })
    reply.nothingUsed()
    expect(reply.reply(undefined).usage).toEqual({ inputTokens: 0, outputTokens: 0, cost: 0 })
  })

  test.each([
    ["rate-limit", { inputTokens: 0, outputTokens: 0 }],
    ["network", {}],
  ] as const)("by a failure of kind %s without an answer", (kind, usage) => {
    const reply = new AnthropicReply(() => {}, { origin })
    expect(reply.reply(createModelFailure(kind, "no", "final")).usage).toEqual(usage)
  })
})

describe("events out of their order", () => {
  const protocol = expect.objectContaining({ kind: "protocol", retryable: true })
  test.each<[string, readonly object[], "complete" | "early"]>([
    ["a message in a message", [start(), start()], "complete"],
    [
      "a part of what never began",
      [start(), { type: "content_block_delta", index: 0, delta: {} }],
      "complete",
    ],
    ["an end before the beginning", [], "complete"],
    ["no end", [start()], "early"],
    [
      "a call without an end",
      [
        start(),
        { type: "content_block_start", index: 0, content_block: { type: "tool_use" } },
        end("end_turn"),
      ],
      "complete",
    ],
  ])("%s", (_, events, how) =>
    expect(read(events, undefined, how)).toMatchObject({ calls: [], error: protocol }),
  )

  test("an end of what never began, and events to come, change nothing", () => {
    const events = [
      start(),
      { type: "content_block_stop", index: 7 },
      { type: "news" },
      ...said("a"),
      end("end_turn"),
    ]
    expect(read(events)).toMatchObject({ text: "a", stop: "end" })
  })
})

describe("the blocks of a message", () => {
  test("thinking keeps its signature, and nothing else that its parts may have", () => {
    const thinking = block(
      0,
      { type: "thinking", thinking: "H", signature: "" },
      { type: "thinking_delta", thinking: "m." },
      { type: "signature_delta", signature: "S" },
      { type: "text_delta", text: "x" },
    )
    const { deltas, provider } = read([start(), ...thinking, end("end_turn")])
    expect(deltas).toEqual([
      { type: "reasoning", text: "H" },
      { type: "reasoning", text: "m." },
    ])
    expect(provider).toMatchObject({ anthropic: [{ type: "thinking", thinking: "Hm.", signature: "S" }] })
  })

  test("thinking without a signature is not kept, and neither is text alone", () => {
    const bare = block(0, { type: "thinking", thinking: "Hm." })
    expect(read([start(), ...bare, ...said("a"), end("end_turn")])).not.toHaveProperty("provider")
  })

  test.each<[object, readonly object[], string]>([
    [
      { input: {} },
      [
        { type: "input_json_delta", partial_json: '{"a"' },
        { type: "input_json_delta", partial_json: ":1}" },
      ],
      '{"a":1}',
    ],
    [{ input: { a: 1 } }, [], '{"a":1}'],
    [{ input: '{"a":1}' }, [], '{"a":1}'],
    [{}, [], "{}"],
    [{ input: null }, [], "{}"],
    [{ input: {} }, [{ type: "text_delta", text: "x" }], "{}"],
  ])("a call with %j and %j", (content, deltas, text) => {
    const call = block(0, { type: "tool_use", id: "c", name: "f", ...content }, ...deltas)
    expect(read([start(), ...call, end("tool_use")])).toMatchObject({
      calls: [{ wire: "c", tool: "f", arguments: text }],
      stop: "calls",
    })
  })

  test.each<[string, string, ModelReply["stop"]]>([
    ["end_turn", "end", "calls"],
    ["stop_sequence", "end", "calls"],
    ["tool_use", "other", "calls"],
    ["max_tokens", "length", "length"],
    ["model_context_window_exceeded", "length", "length"],
    ["pause_turn", "length", "length"],
    ["refusal", "filter", "filter"],
    ["news", "other", "other"],
  ])("an end of %s is %s, and with a call %s", (reason, without, withCall) => {
    const call = block(0, { type: "tool_use", id: "c", name: "f", input: {} })
    expect([
      read([start(), ...said("a"), end(reason)]).stop,
      read([start(), ...call, end(reason)]).stop,
    ]).toEqual([without, withCall])
  })
})

describe("the layout of a message", () => {
  const thinking = { type: "thinking", thinking: "Hm.", signature: "S" } as const
  const sealed = { type: "redacted_thinking", data: "D" } as const
  const text = (length: number) => ({ type: "text", length }) as const
  const call = { type: "call" } as const
  const message = (said: string, calls: number, layout: unknown, from = origin) =>
    ({
      role: "assistant",
      text: said,
      calls: Array.from({ length: calls }, () => ({ wire: "c", tool: "f", arguments: "{}" })),
      provider: { from: from.host, model: from.model, anthropic: layout },
    }) as never

  test.each<[string, string, number, unknown, readonly object[]]>([
    ["as it was", "ab", 1, [thinking, text(2), call], [thinking, text(2), call]],
    ["with an empty text", "", 0, [sealed, text(0)], [sealed, text(0)]],
    [
      "with thinking first, where the text is another",
      "abc",
      1,
      [text(2), sealed, call],
      [sealed, text(3), call],
    ],
    [
      "with thinking first, where the calls are others",
      "ab",
      2,
      [text(2), sealed, call],
      [sealed, text(2), call, call],
    ],
    ["without one", "ab", 1, undefined, [text(2), call]],
    ["of which nothing is left", "ab", 0, [], [text(2)]],
    ...[
      { type: "thinking", thinking: "Hm." },
      { type: "thinking", signature: "S" },
      { type: "thinking", thinking: 7, signature: "S" },
      { type: "redacted_thinking" },
      { type: "text", length: -1 },
      { type: "text", length: 0.5 },
      { type: "text", length: "2" },
      { type: "news" },
      null,
    ].map((part): [string, string, number, unknown, readonly object[]] => [
      `without ${JSON.stringify(part)}`,
      "ab",
      0,
      [part, text(2)],
      [text(2)],
    ]),
  ])("%s", (_, said, calls, layout, expected) => {
    expect(readAnthropicLayout(message(said, calls, layout), origin)).toEqual(expected)
  })

  test("of another model is not read", () => {
    const other = message("ab", 0, [thinking, text(2)], { host: "h", model: "other" })
    expect(readAnthropicLayout(other, origin)).toEqual([text(2)])
  })

  test("is kept for thinking alone", () => {
    expect(
      [[text(1), call], [sealed], [text(1), thinking]].map(
        (parts) => keepAnthropicLayout(parts) !== undefined,
      ),
    ).toEqual([false, true, true])
    expect([writeThinking(thinking), writeThinking(sealed)]).toEqual([
      '{"type":"thinking","thinking":"Hm.","signature":"S"}',
      '{"type":"redacted_thinking","data":"D"}',
    ])
  })
})

test("parameters that only the runtime sets", () => {
  expect(reservedAnthropicParameters).toEqual([
    "model",
    "messages",
    "tools",
    "stream",
    "system",
    "cache_control",
  ])
})
