import { describe, expect, test } from "vitest"
import { requestWith } from "../../../../faces/testing/plain-request.ts"
import type { Message } from "../../../../ground/message.ts"
import { createOpenAiWriter } from "./request.ts"
import { findChatRules } from "./rules.ts"

const body = (parameters: object, request: object = {}, options: object = {}) => {
  const write = createOpenAiWriter({
    model: "m",
    origin: { host: "h", model: "m" },
    rules: findChatRules("mine", "http://h"),
    usage: "asked",
    stream: "sse",
    parameters,
    limitName: "max_tokens",
    strict: { has: () => false },
    ...options,
  } as never)
  const {
    model: _,
    stream: __,
    messages,
    stream_options,
    ...rest
  } = JSON.parse(String(write(requestWith(request))))
  return {
    ...rest,
    ...(messages.length !== 2 && { messages: messages.length }),
    ...(stream_options && { stream_options }),
  }
}
const usage = { stream_options: { include_usage: true } }
const tools = [{ name: "f", description: "F", input: {} }]

describe("the settings of a request", () => {
  test.each<[string, unknown, object]>([
    ["nothing but usage", body({}, { tools: [] }), usage],
    ["nothing, as JSON", body({}, { tools: [] }, { stream: "json" }), {}],
    ["nothing, where usage is not asked for", body({}, { tools: [] }, { usage: "unasked" }), {}],
    ["a parameter", body({ temperature: 0, seed: null }, { tools: [] }), { ...usage, temperature: 0 }],
    [
      "its own word on usage",
      body({ stream_options: { include_usage: false } }, { tools: [] }),
      { stream_options: { include_usage: false } },
    ],
    ["an effort", body({}, { tools: [], effort: "low" }), { ...usage, reasoning_effort: "low" }],
    ["not one in tokens", body({}, { tools: [], effort: 500 }), usage],
    [
      "not one where the parameters have one",
      body({ reasoning_effort: "high" }, { tools: [], effort: "low" }),
      { ...usage, reasoning_effort: "high" },
    ],
    ["a limit", body({ max_tokens: 5 }, { tools: [] }), { ...usage, max_tokens: 5 }],
    [
      "a limit by its new name",
      body({ max_completion_tokens: 5 }, { tools: [] }),
      { ...usage, max_completion_tokens: 5 },
    ],
    [
      "a limit by the name that the server knows",
      body({ max_tokens: 5 }, { tools: [] }, { limitName: "max_completion_tokens" }),
      { ...usage, max_completion_tokens: 5 },
    ],
    [
      "the tighter limit of the request",
      body({ max_tokens: 50 }, { tools: [], maxOutputTokens: 5 }),
      { ...usage, max_tokens: 5 },
    ],
    [
      "no choice without tools",
      body({ tool_choice: "auto", parallel_tool_calls: false }, { tools: [] }),
      usage,
    ],
    [
      "a choice with tools",
      body({ tool_choice: "auto", parallel_tool_calls: false }, { tools }),
      {
        ...usage,
        tool_choice: "auto",
        parallel_tool_calls: false,
        tools: [{ type: "function", function: { name: "f", description: "F", parameters: {} } }],
      },
    ],
    [
      "strict tools",
      (body({}, { tools }, { strict: { has: () => true } }) as { tools: readonly { function: object }[] })
        .tools[0]!.function,
      { name: "f", description: "F", parameters: {}, strict: true },
    ],
  ])("%s", (_, given, expected) => expect(given).toEqual(expected))
})

describe("a history", () => {
  const call = (id: string) => ({ id, wire: id, tool: "add", arguments: "{}" })
  const reply = (...ids: readonly string[]): Message => ({
    role: "assistant",
    text: "",
    calls: ids.map(call),
  })
  const result = (wire: string, text = wire): Message => ({
    role: "tool",
    call: wire,
    wire,
    tool: "add",
    text,
  })
  const user = (text: string): Message => ({ role: "user", text })
  const write = (history?: "mistral") => (messages: readonly Message[]) => {
    const writer = createOpenAiWriter({
      model: "m",
      origin: { host: "h", model: "m" },
      rules: { ...findChatRules("mine", "http://h"), ...(history && { history }) },
      usage: "unasked",
      stream: "sse",
      parameters: {},
      limitName: "max_tokens",
      strict: { has: () => false },
    } as never)
    const parsed = JSON.parse(
      String(writer(requestWith({ system: "", messages: messages as never, tools: [] }))),
    )
    return parsed.messages.map(
      (one: { role: string; content: string | null; tool_call_id?: string; tool_calls?: { id: string }[] }) =>
        [one.role, one.tool_call_id, one.content, ...(one.tool_calls ?? []).map(({ id }) => id)]
          .filter((part) => part)
          .join(" "),
    )
  }
  const plain = write()
  const missing = (id: string) => expect.stringMatching(new RegExp(`^tool ${id} No result`))

  test.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "results behind their calls",
      plain([user("go"), reply("a", "b"), result("a"), result("b")]),
      ["user go", "assistant a b", "tool a a", "tool b b"],
    ],
    [
      "results in another order",
      plain([reply("a", "b"), result("b"), result("a")]),
      ["assistant a b", "tool a a", "tool b b"],
    ],
    [
      "a result that is missing",
      plain([reply("a", "b"), result("b")]),
      ["assistant a b", missing("a"), "tool b b"],
    ],
    ["a result of no call", plain([user("go"), result("x"), user("on")]), ["user go", "user on"]],
    [
      "results of an earlier turn",
      plain([reply("a"), result("a", "1"), reply("a"), result("a", "2")]),
      ["assistant a", "tool a 1", "assistant a", "tool a 2"],
    ],
    [
      "a user after a result",
      plain([reply("a"), result("a"), user("go")]),
      ["assistant a", "tool a a", "user go"],
    ],
    [
      "a reply between them for Mistral",
      write("mistral")([reply("abcdefghi"), result("abcdefghi"), user("go"), user("on")]),
      [
        "assistant abcdefghi",
        "tool abcdefghi abcdefghi",
        expect.stringMatching(/^assistant /),
        "user go",
        "user on",
      ],
    ],
    [
      "short ids for Mistral",
      write("mistral")([reply("abcdefghij"), result("abcdefghij")]),
      [
        expect.stringMatching(/^assistant [0-9a-f]{9}$/),
        expect.stringMatching(/^tool [0-9a-f]{9} abcdefghij$/),
      ],
    ],
    [
      "ids of nine characters that are no letters",
      write("mistral")([reply("abc-efghi")]),
      [
        expect.stringMatching(/^assistant [0-9a-f]{9}$/),
        expect.stringMatching(/^tool [0-9a-f]{9} No result/),
      ],
    ],
  ])("has %s", (_, found, expected) => expect(found).toEqual(expected))
})
