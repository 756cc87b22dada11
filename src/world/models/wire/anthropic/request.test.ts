import type Anthropic from "@anthropic-ai/sdk"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { naming } from "../../../../../test/naming.ts"
import type { ModelRequest } from "../../../../agent/model.ts"
import { firstVersion, listAnthropicRules } from "../../../../faces/testing/model-server/anthropic-rules.ts"
import { findFirstRefusal } from "../../../../faces/testing/model-server/rule.ts"
import { type ModelServer, startModelServer } from "../../../../faces/testing/model-server.ts"
import { addTool as add, requestWith } from "../../../../faces/testing/plain-request.ts"
import type { Json, Message, ToolCall } from "../../../../ground/message.ts"
import { anthropicModel } from "../anthropic.ts"
import { StrictTools } from "../strict-tools.ts"
import type { AnthropicOptions } from "./options.ts"
import { createAnthropicWriter, getAnthropicStrictRules } from "./request.ts"

const strict = new StrictTools(getAnthropicStrictRules("m", undefined), {})
const cache_control = { type: "ephemeral" } as const

let server: ModelServer
afterEach(() => server?.close())

/** The requests that the server got. It has refused none of them. */
async function send(
  requests: readonly Partial<ModelRequest>[],
  options: Partial<AnthropicOptions> = {},
): Promise<readonly { readonly text: string; readonly body: Record<string, Json> }[]> {
  server = await startModelServer({ script: () => ({ text: "ok" }) })
  const model = anthropicModel({ model: "m", baseUrl: server.url, ...options })
  for (const request of requests) {
    const reply = await model.stream(requestWith(request), () => {})
    expect(reply.error).toBeUndefined()
  }
  return server.requests
}

const user = (text: string): Message => ({ role: "user", text })
const given = (id: string, text = '{"a":1}', tool = "add"): ToolCall => ({
  id,
  wire: `w${id}`,
  tool,
  arguments: text,
})
const asked = (text: string, ...calls: readonly ToolCall[]): Message => ({ role: "assistant", text, calls })
const result = (id: string, text = "1"): Message => ({
  role: "tool",
  call: id,
  wire: `w${id}`,
  tool: "add",
  text,
})

describe("a request", () => {
  test("is what the provider's own types describe", async () => {
    const messages = [
      user('Say "hi"\n\ud83d'),
      asked("", given("c1", '{ "a": 1 }'), given("c2", '{"a":2}')),
      result("c1", "2"),
      { ...result("c2", "no"), isError: true } as Message,
      user("And now?"),
    ]
    const parameters = { temperature: 0, metadata: { user_id: "u" }, service_tier: "auto", top_k: null }
    const [sent] = await send([{ messages }], {
      parameters: { ...parameters, tool_choice: { type: "auto" } },
    })
    const expected: Anthropic.MessageCreateParamsStreaming & { temperature: number } = {
      model: "m",
      stream: true,
      temperature: 0,
      metadata: { user_id: "u" },
      service_tier: "auto",
      tool_choice: { type: "auto" },
      tools: [
        {
          name: "add",
          description: "Adds.",
          input_schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
          cache_control,
        },
      ],
      system: [{ type: "text", text: "You add.", cache_control }],
      messages: [
        { role: "user", content: [{ type: "text", text: 'Say "hi"\n\ufffd', cache_control }] },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "wc1", name: "add", input: { a: 1 } },
            { type: "tool_use", id: "wc2", name: "add", input: { a: 2 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "wc1", content: "2" },
            { type: "tool_result", tool_use_id: "wc2", content: "no", is_error: true },
            { type: "text", text: "And now?", cache_control },
          ],
        },
      ],
      max_tokens: 8192,
    }
    expect(sent?.body).toEqual(expected)
  })

  test("without system, tools or cache leaves them out", async () => {
    const [sent] = await send([{ system: " ", tools: [] }], {
      stream: "json",
      cache: "off",
      parameters: { tool_choice: { type: "auto" }, thinking: null, max_tokens: null },
    })
    expect(sent?.text).toBe(
      '{"model":"m","stream":false,"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}],"max_tokens":8192}',
    )
  })

  test("follows a system prompt that changes under the same tools", async () => {
    const tools = [add]
    const sent = await send(["one", "two", "two"].map((system) => ({ system, tools })))
    expect(sent.map(({ body }) => body.system)).toMatchObject([
      [{ text: "one" }],
      [{ text: "two" }],
      [{ text: "two" }],
    ])
  })

  test("47, 48, 99: every call has one result right after it, in the order of the calls", async () => {
    const [sent] = await send([
      {
        messages: [
          user("Go"),
          result("orphan"),
          asked("", given("c1"), given("c2"), given("c3")),
          result("c3", "three"),
          result("c1", "one"),
          result("c1", "one again"),
          user("Hurry"),
          asked("Yes."),
          asked("Really."),
          result("late"),
          user("Well"),
        ],
      },
    ])
    const content = (index: number) => (sent!.body.messages as { content: Json }[])[index]?.content
    expect(content(2)).toMatchObject([
      { type: "tool_result", tool_use_id: "wc1", content: "one" },
      {
        type: "tool_result",
        tool_use_id: "wc2",
        content: expect.stringMatching(/result.*recorded/),
        is_error: true,
      },
      { type: "tool_result", tool_use_id: "wc3", content: "three" },
      { type: "text", text: "Hurry" },
    ])
    expect(content(3)).toEqual([
      { type: "text", text: "Yes." },
      { type: "text", text: "Really." },
    ])
  })

  test("49: a message of nothing is left out, and what stood around it is one message", async () => {
    const [sent] = await send([{ messages: [user("Go"), asked(" "), user("Well?")] }])
    expect(sent?.body.messages).toMatchObject([
      { role: "user", content: [{ text: "Go" }, { text: "Well?" }] },
    ])
  })

  test.each<[string, Json]>([
    ['{"a":{"b":[1,2]}}', { a: { b: [1, 2] } }],
    ["{}", {}],
    ['{"a":1', { unparsed: '{"a":1' }],
    ["", { unparsed: "" }],
    ["[1]", { unparsed: "[1]" }],
    ["null", { unparsed: "null" }],
    ['{"a":"\\ud83d\\ude42 \\\\ud83d"}', { a: "🙂 \\ud83d" }],
    ['{"a":"\\ud83d","\\ud83d":"x\\udc00"}', { a: "\ufffd", "\ufffd": "x\ufffd" }],
    ['{"a":"\ud83d"}', { a: "\ufffd" }],
  ])("41, 42, 82: arguments %j go back as %j", async (text, input) => {
    const [sent] = await send([{ messages: [user("Go"), asked("", given("c1", text)), result("c1")] }])
    const { content } = (sent!.body.messages as { content: { input: Json }[] }[])[1]!
    expect(content[0]?.input).toEqual(input)
  })

  test("arguments that are an object go back as they were written", async () => {
    const text = '{ "a" : 12345678901234567890,\n "b":1.50 }'
    const [sent] = await send([{ messages: [user("Go"), asked("", given("c1", text)), result("c1")] }])
    expect(sent?.text).toContain(`"input":${text}}`)
  })

  test("44: the name of a tool nobody has is made one the provider takes", async () => {
    const names = ["Read<|tool|>", "", "ü".repeat(500)]
    const calls = names.map((name, index) => given(`c${index}`, "{}", name))
    const [sent] = await send([
      { messages: [user("Go"), asked("", ...calls), ...calls.map(({ id }) => result(id))] },
    ])
    const { content } = (sent!.body.messages as { content: { name: string }[] }[])[1]!
    expect(content.map(({ name }) => name)).toEqual(["Read__tool__", "unknown", "_".repeat(128)])
  })

  test("a turn without tools, after calls, still defines those it named, and forbids them", async () => {
    const [sent] = await send([{ messages: [user("Go"), asked("", given("c1")), result("c1")], tools: [] }])
    expect(sent?.body).toMatchObject({
      tool_choice: { type: "none" },
      tools: [{ name: "add", input_schema: { type: "object" } }],
    })
  })
})

describe("any history", () => {
  const text = fc.oneof(
    fc.constantFrom("", " \n", "x", "\ud83d", "\udc00🙂", '"\\'),
    fc.string({ unit: "binary", maxLength: 8 }),
  )
  const written = fc.oneof(
    text,
    fc.constantFrom("{}", '{"a":1}', "[]", "null", '{"a":"\\ud83d"}', '{"\\\\\\ud83d":1}', '{"a":'),
    fc.json(),
    fc.dictionary(text, text).map((value) => JSON.stringify(value)),
  )
  const turn = fc.record({
    said: text,
    calls: fc.array(fc.record({ tool: text, text: written, result: fc.option(text) }), { maxLength: 4 }),
    provider: fc.option(fc.constantFrom<Json>(7, { anthropic: [{ type: "redacted_thinking", data: "x" }] })),
    shuffled: fc.boolean(),
    notes: fc.array(text, { maxLength: 2 }),
  })

  test("42, 46, 47, 48, 49, 82: is a request that a strict provider takes", () => {
    const write = createAnthropicWriter({
      model: "m",
      stream: "sse",
      parameters: {},
      cache: "5m",
      strict,
      origin: { host: "h", model: "m" },
    })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), fc.boolean(), (turns, withTools) => {
        const messages = [user("Go")]
        for (const [index, { said, calls, provider, shuffled, notes }] of turns.entries()) {
          const given = calls.map(({ tool, text }, place) => {
            const id = `c${index}_${place}`
            return { id, wire: id, tool, arguments: text }
          })
          messages.push({
            role: "assistant",
            text: said,
            calls: given,
            ...(provider !== null && { provider }),
          })
          const results = calls.flatMap(({ tool, result }, place): readonly Message[] => {
            const { id: call, wire } = given[place]!
            return result === null ? [] : [{ role: "tool", call, wire, tool, text: result }]
          })
          messages.push(...(shuffled ? results.reverse() : results), ...notes.map(user))
        }
        messages.push(user("And?"))
        const bytes = write(requestWith({ messages, tools: withTools ? [add] : [] }))
        const body = JSON.parse(bytes.toString()) as Record<string, Json>
        expect(findFirstRefusal(listAnthropicRules(firstVersion), body)).toBeUndefined()
        expect(JSON.stringify(body)).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
      }),
      { numRuns: 1000 },
    )
  })
})

describe("the bound of a reply", () => {
  const thinking = { type: "enabled", budget_tokens: 4000 }
  const clamped = (tokens: number) => ({ type: "enabled", budget_tokens: tokens })
  test.each<[Record<string, Json>, number | undefined, Json]>([
    [{}, undefined, { max_tokens: 8192 }],
    [{}, 50, { max_tokens: 50 }],
    [{}, 20_000, { max_tokens: 8192 }],
    [{ max_tokens: 20 }, undefined, { max_tokens: 20 }],
    [{ max_tokens: 20 }, 50, { max_tokens: 20 }],
    [{ max_tokens: 20_000 }, 50, { max_tokens: 50 }],
    [{ thinking }, undefined, { max_tokens: 12_192, thinking }],
    [{ thinking }, 4001, { max_tokens: 4001, thinking }],
    [{ thinking }, 4000, { max_tokens: 4000, thinking: clamped(3999) }],
    [{ thinking }, 1025, { max_tokens: 1025, thinking: clamped(1024) }],
    [{ thinking }, 1024, { max_tokens: 1024 }],
    [{ thinking, max_tokens: 3000 }, undefined, { max_tokens: 3000, thinking: clamped(2999) }],
    [{ thinking: { type: "adaptive" } }, 10, { max_tokens: 10, thinking: { type: "adaptive" } }],
    [{ output_config: { effort: "low" } }, undefined, { max_tokens: 8192, output_config: { effort: "low" } }],
  ])("with %j and a limit of %s is %j", async (parameters, maxOutputTokens, expected) => {
    const request = maxOutputTokens === undefined ? {} : { maxOutputTokens }
    const [sent] = await send([request], { parameters })
    const { max_tokens, thinking, output_config } = sent!.body
    expect(JSON.parse(JSON.stringify({ max_tokens, thinking, output_config }))).toEqual(expected)
  })
})

describe("parameters and effort of a request", () => {
  const thinking = (tokens: number) => ({ type: "enabled", budget_tokens: tokens })

  test.each<[Record<string, Json>, Partial<ModelRequest>, Record<string, Json>]>([
    [{ temperature: 0 }, { parameters: { temperature: 1 } }, { temperature: 1, max_tokens: 8192 }],
    [{ temperature: 0 }, { parameters: { temperature: null } }, { max_tokens: 8192 }],
    [
      {},
      {
        parameters: {
          model: "other",
          system: "x",
          messages: [],
          tools: [],
          stream: false,
          cache_control: {},
        },
      },
      { max_tokens: 8192 },
    ],
    [{ max_tokens: 100 }, { parameters: { max_tokens: 900 } }, { max_tokens: 900 }],
    [{ max_tokens: 100 }, { parameters: { max_tokens: null } }, { max_tokens: 8192 }],
    [{}, { parameters: { max_tokens: 900 }, maxOutputTokens: 50 }, { max_tokens: 50 }],
    [{}, { effort: "xhigh" }, { max_tokens: 8192, output_config: { effort: "xhigh" } }],
    [
      { output_config: { format: { type: "json_schema" } } },
      { effort: "low" },
      { max_tokens: 8192, output_config: { effort: "low", format: { type: "json_schema" } } },
    ],
    [
      {},
      { effort: "low", parameters: { output_config: { effort: "max" } } },
      { max_tokens: 8192, output_config: { effort: "max" } },
    ],
    [{}, { effort: 4000.5 }, { max_tokens: 12_192, thinking: thinking(4000) }],
    [{}, { effort: 10 }, { max_tokens: 9216, thinking: thinking(1024) }],
    [{}, { effort: 0 }, { max_tokens: 8192, thinking: { type: "disabled" } }],
    [{}, { effort: 4000, maxOutputTokens: 3000 }, { max_tokens: 3000, thinking: thinking(2999) }],
    [{}, { effort: 4000, maxOutputTokens: 1000 }, { max_tokens: 1000 }],
    [
      {},
      { effort: 4000, parameters: { thinking: { type: "adaptive" } } },
      { max_tokens: 8192, thinking: { type: "adaptive" } },
    ],
    [{ thinking: thinking(2000) }, { effort: 4000 }, { max_tokens: 10_192, thinking: thinking(2000) }],
    [{ thinking: thinking(2000) }, { parameters: { thinking: null } }, { max_tokens: 8192 }],
  ])("its own %j and the request's %j are %j", async (parameters, request, expected) => {
    const [sent] = await send([request], { parameters })
    const { messages: _, system: __, tools: ___, ...rest } = sent!.body
    expect(rest).toEqual({ model: "m", stream: true, ...expected })
  })

  test.each<[Record<string, Json>, readonly string[]]>([
    [{ temperature: 0.5, top_p: 0.9 }, ["temperature"]],
    [{ temperature: null, top_p: 0.9, top_k: 4 }, ["top_k", "top_p"]],
    [{ temperature: 0.5, top_p: 0.9, top_k: 4, thinking: thinking(1024) }, []],
    [{ temperature: 1, thinking: thinking(1024) }, ["temperature"]],
    [{ temperature: 1, top_p: 0.99, thinking: thinking(1024) }, ["temperature"]],
    [{ top_p: 0.95, thinking: thinking(1024) }, ["top_p"]],
    [{ top_p: 0.94, thinking: thinking(1024) }, []],
    [{ temperature: 0, top_k: 4, thinking: { type: "disabled" } }, ["temperature", "top_k"]],
    [{ temperature: 0, top_k: 4, thinking: { type: "adaptive" } }, []],
  ])("are those that Claude takes: of %j it gets %j", async (parameters, expected) => {
    const [sent] = await send([{}], { model: "claude-sonnet-4-5", parameters })
    const sampling = Object.keys(sent!.body).filter((name) =>
      ["temperature", "top_k", "top_p"].includes(name),
    )
    expect(sampling.sort()).toEqual(expected)
  })

  test("are what the provider's own types describe", () => {
    const word: Anthropic.OutputConfig = { effort: "xhigh" }
    const tokens: Anthropic.ThinkingConfigParam = { type: "enabled", budget_tokens: 4000 }
    expect([word, tokens]).toEqual([{ effort: "xhigh" }, thinking(4000)])
  })

  test("may change under the same tools and system prompt, in a turn without tools too", async () => {
    const messages = [user("Go"), asked("", given("c1")), result("c1")]
    const parameters = { temperature: 1 }
    for (const tools of [[add], []]) {
      const requests = [{}, { parameters }, { parameters, effort: "low" }, { effort: "low" }, {}]
      const sent = await send(requests.map((request) => ({ ...request, tools, messages })))
      expect(sent.map(({ body: { temperature, output_config } }) => [temperature, output_config])).toEqual([
        [undefined, undefined],
        [1, undefined],
        [1, { effort: "low" }],
        [undefined, { effort: "low" }],
        [undefined, undefined],
      ])
      await server.close()
    }
  })

  test.each<[Record<string, Json>, string]>([
    [{ max_tokens: "x" }, expect.stringMatching(/^max_tokens.*"x".*whole.*least/)],
    [{ thinking: true }, expect.stringMatching(/^thinking is true.*object.*type/)],
  ])("%j is refused as data", async (parameters, message) => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const model = anthropicModel({ model: "m", baseUrl: server.url })
    const { error } = await model.stream(requestWith({ parameters }), () => {})
    expect(error).toEqual({
      kind: "rejected",
      message: naming(`${new URL(server.url).host} could not be made: `, message),
      retryable: false,
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe("the provider's cache", () => {
  /** A history that grows by a turn of so many calls at once. */
  function turns(count: number, width: number): readonly (readonly Message[])[] {
    const histories: Message[][] = [[user("Go")]]
    for (let turn = 1; turn < count; turn++) {
      const ids = Array.from({ length: width }, (_, index) => `c${turn}_${index}`)
      const added = [asked("Next.", ...ids.map((id) => given(id))), ...ids.map((id) => result(id))]
      histories.push([...histories.at(-1)!, ...added, ...(turn % 2 === 0 ? [user("A note.")] : [])])
    }
    return histories
  }

  /** The part that each mark tells the provider to cache: everything up to the mark, in the order of its prefix. */
  function kept({ tools, system, messages }: Record<string, Json>): readonly string[] {
    const blocks = [
      ...((tools ?? []) as Json[]),
      ...((system ?? []) as Json[]),
      ...(messages as { role: string; content: Json[] }[]).flatMap(({ role, content }) =>
        content.map((block) => ({ role, ...(block as object) })),
      ),
    ] as { cache_control?: Json }[]
    return blocks.flatMap(({ cache_control }, index) =>
      cache_control === undefined
        ? []
        : [JSON.stringify(blocks.slice(0, index + 1).map(({ cache_control: _, ...block }) => block))],
    )
  }

  test.each([1, 40])("is hit by every next turn of %i calls at once, without looking back", async (width) => {
    const sent = await send(turns(6, width).map((messages) => ({ messages })))
    const places = sent.map(({ body }) => kept(body))
    expect(places.map(({ length }) => length)).toEqual([3, 4, 4, 4, 4, 4])
    for (let turn = 1; turn < places.length; turn++) {
      const longestBefore = places[turn - 1]!.at(-1)!
      expect(places[turn]).toContain(longestBefore)
    }
  })

  test.each([
    ["5m", '"cache_control":{"type":"ephemeral"}', 3],
    ["1h", '"cache_control":{"type":"ephemeral","ttl":"1h"}', 3],
    ["off", "cache_control", 0],
  ] as const)("%s is asked for so", async (cache, mark, count) => {
    const [sent] = await send([{}], { cache })
    expect(sent!.text.split(mark)).toHaveLength(count + 1)
  })

  test("bytes of messages are kept: they are written once in their life", async () => {
    let reads = 0
    const watched = {
      role: "user" as const,
      get text() {
        reads++
        return "Hello"
      },
    }
    const sent = await send([{ messages: [watched] }, { messages: [watched, asked("Yes."), user("Go on")] }])
    expect(reads).toBe(1)
    expect(sent[1]?.text).toContain('"text":"Hello"')
  })
})

describe("signed thinking", () => {
  test("comes back in its place, unchanged, and the server checks its signature", async () => {
    server = await startModelServer({
      script: [
        {
          reasoning: "Two 🙂\nlines",
          redacted: "c2VhbGVk",
          text: "Adding.",
          calls: [{ tool: "add", arguments: { a: 1 }, id: "wc1" }],
        },
        { text: "ok" },
      ],
    })
    const parameters = { thinking: { type: "enabled", budget_tokens: 2000 } }
    const model = anthropicModel({ model: "m", baseUrl: server.url, parameters })
    const first = await model.stream(requestWith(), () => {})
    const message: Message = {
      role: "assistant",
      text: first.text,
      calls: [given("c1")],
      provider: JSON.parse(JSON.stringify(first.provider)),
    }
    const messages = [user("Hello"), message, result("c1")]
    expect((await model.stream(requestWith({ messages }), () => {})).text).toBe("ok")
    expect((server.requests[1]!.body.messages as { content: Json }[])[1]?.content).toMatchObject([
      { type: "thinking", thinking: "Two 🙂\nlines" },
      { type: "redacted_thinking", data: "c2VhbGVk" },
      { type: "text", text: "Adding." },
      { type: "tool_use", id: "wc1" },
    ])
  })

  test("of a message somebody rewrote comes first", async () => {
    const provider: Json = {
      anthropic: [
        { type: "text", length: 5 },
        { type: "redacted_thinking", data: "c2VhbGVk" },
        { type: "text", length: 5 },
        { type: "call" },
      ],
    }
    const messages = ["Text one", "Texts one."].map((text): readonly Message[] => [
      user("Go"),
      { role: "assistant", text, calls: [given("c1")], provider },
      result("c1"),
    ])
    const sent = await send(messages.map((history) => ({ messages: history })))
    const contents = sent.map(({ body }) =>
      (body.messages as { content: { type: string }[] }[])[1]?.content.map(({ type }) => type),
    )
    expect(contents).toEqual([
      ["redacted_thinking", "text", "tool_use"],
      ["text", "redacted_thinking", "text", "tool_use"],
    ])
  })
})

test.each<[string, readonly Json[], string, readonly string[]]>([
  [
    "after text",
    [
      { type: "text", length: 4 },
      { type: "redacted_thinking", data: "x" },
    ],
    "Half",
    ["text"],
  ],
  [
    "between texts, of which one is blank",
    [
      { type: "text", length: 4 },
      { type: "redacted_thinking", data: "x" },
      { type: "text", length: 1 },
    ],
    "Half\n",
    ["text"],
  ],
  ["alone", [{ type: "redacted_thinking", data: "x" }], "", []],
])(
  "thinking that led to nothing, because the reply was cut, is left out: %s",
  async (_, anthropic, text, types) => {
    const reply: Message = { role: "assistant", text, calls: [], provider: { anthropic } }
    const [sent] = await send([{ messages: [user("Go"), reply, user("Go on")] }])
    const replies = (sent!.body.messages as { role: string; content: { type: string }[] }[]).filter(
      ({ role }) => role === "assistant",
    )
    expect(replies.flatMap(({ content }) => content.map(({ type }) => type))).toEqual(types)
  },
)

test.each([
  ["of a model nobody knows", undefined, {}, 8192],
  ["of one that can write more", 64_000, {}, 32_000],
  ["of one that can write less", 4096, {}, 4096],
  ["with thinking on top", 64_000, { thinking: { type: "enabled", budget_tokens: 10_000 } }, 42_000],
  ["never above what it can", 40_000, { thinking: { type: "enabled", budget_tokens: 30_000 } }, 40_000],
  ["as somebody says", 64_000, { max_tokens: 50_000 }, 50_000],
])("a reply is bound %s", (_, longestReply, parameters, expected) => {
  const origin = { host: "h", model: "m" }
  const write = createAnthropicWriter({
    ...{ model: "m", stream: "sse", parameters, cache: "5m", strict, origin, longestReply },
  })
  expect(JSON.parse(write(requestWith()).toString()).max_tokens).toBe(expected)
})
