import Anthropic from "@anthropic-ai/sdk"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "./model-server.ts"

const text = (said: unknown, more: object = {}) => ({ type: "text", text: said, ...more })
const user = { role: "user", content: "Go" }
const assistant = (...content: unknown[]) => ({ role: "assistant", content })
const results = (...content: unknown[]) => ({ role: "user", content })
const use = (id: unknown, more: object = {}) => ({ type: "tool_use", id, name: "add", input: {}, ...more })
const result = (id: unknown, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "1",
  ...more,
})
const add = { name: "add", description: "Adds.", input_schema: { type: "object" } }
const chat = (...messages: unknown[]) => ({ model: "m", max_tokens: 5000, tools: [add], messages })
const offering = (...tools: unknown[]) => ({ ...chat(user), tools })
const mark = { cache_control: { type: "ephemeral" } }
const thinking = { type: "enabled", budget_tokens: 2000 }

describe("the strict model server, asked for messages", () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "key" })
  })
  afterAll(() => server.close())

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": "key",
        "anthropic-version": "2023-06-01",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })

  test.each<[string, unknown]>([
    ["a plain conversation", chat(user, assistant(text("Yes.")), user)],
    ["content as text or as blocks", chat({ role: "user", content: [text("Go")] })],
    ["a system prompt as text", { ...chat(user), system: "Be." }],
    ["a system prompt as blocks", { ...chat(user), system: [text("Be.", mark)] }],
    [
      "results in any order, and text after them",
      chat(user, assistant(use("a"), use("b")), results(result("b"), result("a"), text("Go"))),
    ],
    [
      "a result without content",
      chat(user, assistant(use("a")), results({ type: "tool_result", tool_use_id: "a" })),
    ],
    ["thinking that fits", { ...chat(user), thinking }],
    [
      "four marks",
      {
        ...chat({ role: "user", content: [text("Go", mark)] }),
        tools: [{ ...add, ...mark }],
        system: [text("Be.", mark), text("Be.", mark)],
      },
    ],
  ])("answers %s", async (_, body) => {
    const response = await post(body)
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "ok" }],
        stop_reason: "end_turn",
      },
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ["no JSON", "{", /not a JSON object/],
    ["no model", { max_tokens: 1, messages: [user] }, /model/],
    ["no max_tokens", { ...chat(user), max_tokens: undefined }, /max_tokens/],
    ["max_tokens of 0", { ...chat(user), max_tokens: 0 }, /max_tokens/],
    ["no messages", chat(), /messages/],
    ["an unknown key", { ...chat(user), max_output: 1 }, /max_output: Extra inputs/],
    ["an unknown key in a message", chat({ ...user, name: "x" }), /name: Extra inputs/],
    [
      "an unknown key in a block",
      chat({ role: "user", content: [text("x", { id: 1 })] }),
      /id: Extra inputs/,
    ],
    ["a conversation that the model begins", chat(assistant(text("Hi"))), /begin with "user"/],
    ["two of one role in a row", chat(user, user), /alternate/],
    ["a system message", chat({ role: "system", content: "Be." }), /roles/],
    ["a conversation that the model ends", chat(user, assistant(text("Hi"))), /prefill/],
    ["49: empty content", chat({ role: "user", content: "" }), /non-whitespace/],
    ["49: an empty list", chat({ role: "user", content: [] }), /non-empty/],
    ["49: blank text", chat(user, assistant(text(" \n")), user), /non-whitespace/],
    ["49: a blank system prompt", { ...chat(user), system: "" }, /non-whitespace/],
    [
      "a blank result",
      chat(user, assistant(use("a")), results(result("a", { content: "" }))),
      /non-whitespace/,
    ],
    ["text that is none", chat({ role: "user", content: [text(7)] }), /text is required/],
    ["a call of the user's", chat({ role: "user", content: [use("a")] }), /Input tag 'tool_use'/],
    ["a block nobody knows", chat({ role: "user", content: [{ type: "hologram" }] }), /hologram/],
    [
      "47: a call without its result",
      chat(user, assistant(use("a"), use("b")), results(result("a"))),
      /without `tool_result`.*: b/,
    ],
    ["47: a call without results at all", chat(user, assistant(use("a")), user), /without `tool_result`/],
    [
      "48: a result without its call",
      chat(user, assistant(text("Yes")), results(result("a"))),
      /unexpected `tool_use_id`/,
    ],
    ["48: a result before any call", chat(results(result("a"))), /unexpected `tool_use_id`/],
    [
      "48: a second result for a call",
      chat(user, assistant(use("a")), results(result("a"), result("a"))),
      /multiple/,
    ],
    [
      "48: a late result",
      chat(user, assistant(use("a")), results(result("a")), assistant(text("x")), results(result("a"))),
      /unexpected/,
    ],
    [
      "text before results",
      chat(user, assistant(use("a")), results(text("Go"), result("a"))),
      /must come before/,
    ],
    [
      "46: an id twice in one message",
      chat(user, assistant(use("a"), use("a")), results(result("a"))),
      /unique/,
    ],
    [
      "46: an id twice in the conversation",
      chat(user, assistant(use("a")), results(result("a")), assistant(use("a")), results(result("a"))),
      /unique/,
    ],
    ["46: an empty id", chat(user, assistant(use("")), results(result(""))), /id: String should match/],
    [
      "46: an id with a space",
      chat(user, assistant(use("a b")), results(result("a b"))),
      /id: String should match/,
    ],
    [
      "44: a name with signs",
      chat(user, assistant(use("a", { name: "a|b" })), results(result("a"))),
      /name: String should match/,
    ],
    [
      "41: input that is text",
      chat(user, assistant(use("a", { input: "{}" })), results(result("a"))),
      /dictionary/,
    ],
    [
      "calls without tools",
      { ...chat(user, assistant(use("a")), results(result("a"))), tools: undefined },
      /must define tools/,
    ],
    ["an empty list of tools", offering(), /tools/],
    ["a tool with a bad name", offering({ ...add, name: "a b" }), /name: String should match/],
    ["a tool twice", offering(add, add), /unique/],
    ["a tool without a schema", offering({ name: "add" }), /schema/],
    ["a tool whose schema is no object's", offering({ ...add, input_schema: { type: "string" } }), /schema/],
    [
      "a tool whose schema is a choice",
      offering({ ...add, input_schema: { type: "object", anyOf: [] } }),
      /anyOf/,
    ],
    [
      "a tool in another protocol's words",
      offering({ type: "function", function: add }),
      /function: Extra inputs/,
    ],
    [
      "a choice among no tools",
      { ...chat(user), tools: undefined, tool_choice: { type: "auto" } },
      /tool_choice/,
    ],
    ["thinking longer than the reply", { ...chat(user), thinking, max_tokens: 2000 }, /must be greater than/],
    ["thinking that is too short", { ...chat(user), thinking: { ...thinking, budget_tokens: 1000 } }, /1024/],
    [
      "thinking without a signature",
      chat(user, assistant({ type: "thinking", thinking: "Hm." }), user),
      /signature/,
    ],
    [
      "thinking that was changed",
      chat(user, assistant({ type: "thinking", thinking: "Hm.", signature: "x" }), user),
      /signature/,
    ],
    [
      "sealed thinking without its data",
      chat(user, assistant({ type: "redacted_thinking", data: "" }), user),
      /data/,
    ],
    [
      "a reply that ends in thinking",
      chat(user, assistant(text("Half"), { type: "redacted_thinking", data: "eA==" }), user),
      /messages\.1: The final block in an assistant message cannot be `redacted_thinking`/,
    ],
    [
      "calls whose thinking was left out",
      { ...chat(user, assistant(use("a")), results(result("a"))), thinking },
      /Expected `thinking`/,
    ],
    [
      "a fifth mark",
      { ...chat(user), system: Array.from({ length: 5 }, () => text("Be.", mark)) },
      /maximum of 4/,
    ],
    [
      "a mark nobody knows",
      { ...chat(user), system: [text("Be.", { cache_control: { type: "for-ever" } })] },
      /cache_control/,
    ],
    [
      "a lone surrogate",
      '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\\ud83d"}]}',
      /surrogate/,
    ],
  ])("refuses %s", async (_, body, message) => {
    const response = await post(body)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { type: "error", error: { type: "invalid_request_error", message: expect.stringMatching(message) } },
    ])
    expect(server.requests.at(-1)).toMatchObject({
      protocol: "anthropic",
      problem: expect.stringMatching(message),
    })
  })

  test("refuses a wrong key, a missing version and a wrong content type", async () => {
    const responses = [
      await post(chat(user), { "x-api-key": "other" }),
      await post(chat(user), { "x-api-key": "", authorization: "Bearer key" }),
      await post(chat(user), { "anthropic-version": "" }),
      await post(chat(user), { "content-type": "text/plain" }),
      await fetch(`${server.url}/messages`),
    ]
    expect(responses.map(({ status }) => status)).toEqual([401, 200, 400, 400, 405])
  })

  test("takes what a beta adds under the name of that beta alone", async () => {
    const system = { role: "system", content: "More." }
    const bodies = [chat(user, system), chat(user, assistant(text("a")), user, system), offering()]
    const answers = async (betas?: string) =>
      Promise.all(
        bodies.map(
          async (body) => (await post(body, betas === undefined ? {} : { "anthropic-beta": betas })).status,
        ),
      )
    expect([
      await answers(),
      await answers("effort-2025-11-24"),
      await answers("effort-2025-11-24,mid-conversation-system-2026-04-07"),
      await answers("claude-code-20250219"),
    ]).toEqual([
      [400, 400, 400],
      [400, 400, 400],
      [200, 200, 400],
      [400, 400, 200],
    ])
  })

  test.each([
    ["2023-06-01", 200],
    ["2026-10-21", 400],
    ["2026-10-22", 400],
  ])("in version %s answers a temperature with %i", async (version, status) => {
    const response = await post({ ...chat(user), temperature: 0 }, { "anthropic-version": version })
    expect(response.status).toBe(status)
  })
})

/** The provider's own client reads the server's answers. The client uses the later version by default. */
describe.each(["2023-06-01", "2026-10-21"])(
  "the strict model server, read by Anthropic's client in %s",
  (version) => {
    async function reading<Value>(
      answer: ScriptedAnswer,
      read: (client: Anthropic) => Promise<Value>,
    ): Promise<Value> {
      const server = await startModelServer({ script: [answer], apiKey: "key" })
      try {
        const options = {
          baseURL: new URL(server.url).origin,
          apiKey: "key",
          maxRetries: 0,
          authToken: null,
          logLevel: "off" as const,
        }
        return await read(new Anthropic({ ...options, defaultHeaders: { "anthropic-version": version } }))
      } finally {
        await server.close()
      }
    }

    const body: Anthropic.MessageCreateParamsNonStreaming = {
      model: "m",
      max_tokens: 100,
      messages: [{ role: "user", content: "Go" }],
    }
    const answer: ScriptedAnswer = {
      reasoning: "Let me 🙂 see.",
      redacted: "c2VhbGVk",
      text: "Two words.",
      calls: [
        { tool: "add", arguments: { a: "ü🙂" }, id: "one" },
        { tool: "add", arguments: {}, id: "two" },
      ],
      tokens: { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 },
    }
    const expected = {
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "Let me 🙂 see.", signature: expect.any(String) },
        { type: "redacted_thinking", data: "c2VhbGVk" },
        { type: "text", text: "Two words." },
        { type: "tool_use", id: "one", name: "add", input: { a: "ü🙂" } },
        { type: "tool_use", id: "two", name: "add", input: {} },
      ],
      stop_reason: "tool_use",
      usage: {
        input_tokens: 10,
        output_tokens: 20,
        cache_read_input_tokens: 40,
        cache_creation_input_tokens: 0,
        output_tokens_details: { thinking_tokens: 7 },
      },
    }

    test("an answer in JSON is what its types say", async () => {
      expect(await reading(answer, (client) => client.messages.create(body))).toMatchObject(expected)
    })

    test.each([1, 7, 100_000])("a stream in pieces of %i bytes is the same message", async (bytes) => {
      const message = await reading({ ...answer, fault: { type: "pieces", bytes } }, (client) =>
        client.messages.stream(body).finalMessage(),
      )
      expect(message).toMatchObject(expected)
    })

    test.each([
      [401, Anthropic.AuthenticationError],
      [429, Anthropic.RateLimitError],
      [529, Anthropic.InternalServerError],
    ])("status %i is the error it names", async (status, type) => {
      const error = { type: "scripted_error", message: "Said so" }
      await expect(
        reading({ fault: { type: "status", status, error } }, (client) => client.messages.create(body)),
      ).rejects.toSatisfy((thrown) => thrown instanceof type && thrown.message.includes("Said so"))
    })

    test.each([
      [
        "71: an error in mid-stream",
        { type: "error-event", error: { type: "overloaded_error", message: "Busy" } },
        /overloaded_error/,
      ],
      ["70: garbage in mid-stream", { type: "garbage" }, /JSON/],
    ] as const)("%s is an error to it, too", async (_, fault, message) => {
      await expect(
        reading({ ...answer, fault }, (client) => client.messages.stream(body).finalMessage()),
      ).rejects.toThrow(message)
    })
  },
)
