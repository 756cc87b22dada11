import { describe, expect, test } from "vitest"
import type { Message, ToolCall } from "../../../../ground/message.ts"
import { packProviderData, type ReplyOrigin } from "../provider-data.ts"
import { createHistoryWriter } from "./history.ts"
import type { ChatRules } from "./rules.ts"

const origin: ReplyOrigin = { host: "a.com", model: "m" } as ReplyOrigin
const call = (wire: string, tool = "add"): ToolCall => ({ id: wire, wire, tool, arguments: "{}" })
const reply = (
  text: string,
  calls: readonly ToolCall[] = [],
  chat?: object,
  of: ReplyOrigin = origin,
): Message =>
  ({
    role: "assistant",
    text,
    calls,
    ...(chat && { provider: packProviderData(of, "chat", chat as never) }),
  }) as Message
const result = (wire: string, text: string, more: object = {}): Message =>
  ({ role: "tool", call: wire, wire, tool: "add", text, ...more }) as Message
const user = (text: string, more: object = {}): Message => ({ role: "user", text, ...more }) as Message

/** The messages as a server reads them. */
function written(messages: readonly Message[], rules: Partial<ChatRules> = {}, from: ReplyOrigin = origin) {
  const parts: Buffer[] = []
  const write = createHistoryWriter({
    origin: from,
    rules: { endings: {}, reasoning: "allowed", ...rules } as ChatRules,
  })
  write(parts, messages, {
    contentOf: ({ blob }: { blob: string }) => (blob === "gone" ? undefined : `<${blob}>`),
  } as never)
  return JSON.parse(`[${Buffer.concat(parts).toString().slice(1)}]`) as readonly Record<string, unknown>[]
}

const function_ = (id: string, more: object = {}) => ({
  id,
  type: "function",
  function: { name: "add", arguments: "{}" },
  ...more,
})
const tool = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content })

describe("the results of calls", () => {
  test("stand right behind them, in their order, one each", () => {
    const messages = [
      user("go"),
      reply("", [call("a"), call("b"), call("c")]),
      result("b", "2"),
      result("a", "1"),
      result("x", "nobody's"),
      user("on"),
    ]
    expect(written(messages)).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: ["a", "b", "c"].map((id) => function_(id)) },
      tool("a", "1"),
      tool("b", "2"),
      tool("c", expect.stringContaining("No result")),
      { role: "user", content: "on" },
    ])
  })
  test("show what they come with after them, as a message of its own", () => {
    const picture = { blob: "p", mediaType: "image/png", size: 1 }
    const paper = { blob: "q", mediaType: "application/pdf", size: 1, name: "q.pdf" }
    const gone = { blob: "gone", mediaType: "image/png", size: 1 }
    const [, , shown] = written([
      reply("x", [call("a")]),
      result("a", "1", { attachments: [picture, paper, gone] }),
    ])
    expect(shown).toEqual({
      role: "user",
      content: [
        { type: "text", text: expect.stringMatching(/Attachments.*add \(a\).?$/) },
        { type: "image_url", image_url: { url: "data:image/png;base64,<p>" } },
        { type: "file", file: { filename: "q.pdf", file_data: "data:application/pdf;base64,<q>" } },
        { type: "text", text: expect.any(String) },
      ],
    })
  })
  test("are bridged for Mistral, and have ids that it takes", () => {
    const messages = [
      reply("", [call("abcdefgh1"), call("call_long")]),
      result("abcdefgh1", "1"),
      result("call_long", "2"),
      user("on"),
    ]
    const found = written(messages, { history: "mistral" })
    const ids = (found[0]!.tool_calls as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(["abcdefgh1", expect.stringMatching(/^[0-9a-f]{9}$/)])
    expect(found.slice(1)).toEqual([
      tool(ids[0]!, "1"),
      tool(ids[1]!, "2"),
      { role: "assistant", content: "I have read the results." },
      { role: "user", content: "on" },
    ])
    expect(written([user("a"), user("b")], { history: "mistral" }).length).toBe(2)
  })
  test.each<[string, Partial<ChatRules>, string, boolean]>([
    ["a server of its own", {}, "m", false],
    ["rules that bound them", { ids: "bounded" }, "m", true],
    ["OpenAI's model", {}, "gpt-5", true],
    ["OpenAI's model behind a gateway", {}, "openai/o3", true],
    ["a model that OpenAI gave away", {}, "gpt-oss-120b", false],
  ])("have bounded ids with %s", (_, rules, model, isBounded) => {
    const [id40, id41] = ["x".repeat(40), "x".repeat(41)]
    const [first] = written([reply("", [call(id40), call(id41)])], rules, { ...origin, model } as ReplyOrigin)
    expect((first!.tool_calls as { id: string }[]).map(({ id }) => id)).toEqual([
      id40,
      isBounded ? expect.stringMatching(/^call_[0-9a-f]{32}$/) : id41,
    ])
  })
})

describe("what a provider gets back of its own", () => {
  const kept = {
    reasoning_content: "c",
    reasoning: "r",
    reasoning_text: "t",
    reasoning_details: [{ a: 1 }],
    extra_content: { google: { x: 1 } },
    calls: [{ google: { y: 2 } }],
  }
  const message = reply("x", [call("a")], kept)
  const own = { role: "assistant", content: "x" }
  const fields = { reasoning_content: "c", reasoning: "r", reasoning_text: "t" }
  const signed = { reasoning_details: kept.reasoning_details, extra_content: kept.extra_content }
  test.each<[string, Message, Partial<ChatRules>, ReplyOrigin, object]>([
    [
      "all of it",
      message,
      {},
      origin,
      { ...own, ...fields, ...signed, tool_calls: [function_("a", { extra_content: { google: { y: 2 } } })] },
    ],
    [
      "nothing where that is forbidden",
      message,
      { reasoning: "forbidden" },
      origin,
      { ...own, tool_calls: [function_("a")] },
    ],
    [
      "what is not signed, of another model",
      message,
      {},
      { ...origin, model: "n" } as ReplyOrigin,
      { ...own, ...fields, tool_calls: [function_("a")] },
    ],
    [
      "nothing, of another host",
      message,
      {},
      { ...origin, host: "b.com" } as ReplyOrigin,
      { ...own, tool_calls: [function_("a")] },
    ],
    [
      "an empty field where one is required",
      reply("x"),
      { reasoning: "required" },
      origin,
      { ...own, reasoning_content: "" },
    ],
    [
      "a word for calls of others where signatures are wanted: for the first",
      reply("x", [call("a"), call("b")]),
      { signatures: "gemini" },
      origin,
      {
        ...own,
        tool_calls: [
          function_("a", {
            extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
          }),
          function_("b"),
        ],
      },
    ],
    ["no such word where there are no calls", reply("x"), { signatures: "gemini" }, origin, own],
    [
      "no such word where the message is signed",
      message,
      { signatures: "gemini" },
      origin,
      { ...own, ...fields, ...signed, tool_calls: [function_("a", { extra_content: { google: { y: 2 } } })] },
    ],
    [
      "no signatures of calls that are not those",
      reply("x", [call("a"), call("b")], kept),
      {},
      origin,
      { ...own, ...fields, ...signed, tool_calls: [function_("a"), function_("b")] },
    ],
  ])("%s", (_, one, rules, from, expected) => expect(written([one], rules, from)[0]).toEqual(expected))

  const thought = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] })
  const content = [thought("1"), { type: "text", length: 5 }, thought("2"), { type: "text", length: 3 }]
  test("thinking between the pieces of its text, and before it where that is another", () => {
    expect(written([reply("helloyou", [], { content })])).toEqual([
      {
        role: "assistant",
        content: [thought("1"), { type: "text", text: "hello" }, thought("2"), { type: "text", text: "you" }],
      },
    ])
    expect(written([reply("hi", [], { content })])).toEqual([
      { role: "assistant", content: [thought("1"), thought("2"), { type: "text", text: "hi" }] },
    ])
  })
})
