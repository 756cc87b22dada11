import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { anthropicModelRules } from "./model-server/anthropic-model-rules.ts"
import { firstVersion, listAnthropicRules } from "./model-server/anthropic-rules.ts"
import { chatProviders } from "./model-server/chat-providers.ts"
import { listChatServerRules } from "./model-server/chat-rules.ts"
import { findFirstRefusal, type RefusalRule } from "./model-server/rule.ts"
import { startModelServer } from "./model-server.ts"

/** Requests that the rules of each provider refuse, with status and text, and requests that they accept. */

const user: Json = { role: "user", content: "Go" }
const named = (name: string): Json => ({
  type: "function",
  function: { name, description: "", parameters: { type: "object" } },
})
const tool: Json = named("add")
const called = (id: string, more: Record<string, Json> = {}, extra: Record<string, Json> = {}): Json => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "add", arguments: "{}" }, ...extra }],
  ...more,
})
const result = (id: string): Json => ({ role: "tool", tool_call_id: id, content: "1" })
const said = (more: Record<string, Json> = {}): Json => ({ role: "assistant", content: "Yes.", ...more })
const chat = (model: string, ...messages: Json[]): Record<string, Json> => ({ model, messages })
const looped = (model: string, more: Record<string, Json> = {}) =>
  chat(model, user, called("abcdefghi", more), result("abcdefghi"))

const details: Json = [{ type: "reasoning.text", text: "Hm." }]
const sent = new Map<string, Json>([
  ["abcdefghi", details],
  ["toolu_1", [{ type: "thinking", thinking: "Hm.", signature: "mine" }]],
])

describe.each<
  [string, readonly [Record<string, Json>, string, number, RegExp][], readonly Record<string, Json>[]]
>([
  [
    "deepseek",
    [
      [looped("deepseek-v4-pro"), "reasoning of a turn with calls", 400, /must be passed back/],
      [
        chat("deepseek-v4-pro", user, called("a", { reasoning_content: "Hm." }), result("a"), said(), user),
        "reasoning of a turn with calls",
        400,
        /must be passed back/,
      ],
    ],
    [
      looped("deepseek-v4-pro", { reasoning_content: "" }),
      { ...looped("deepseek-v4-pro"), thinking: { type: "disabled" } },
      chat("deepseek-v4-pro", user, said(), user),
    ],
  ],
  [
    "moonshotai",
    [
      [
        looped("kimi-k3"),
        "reasoning of a reply with calls",
        400,
        /missing in assistant tool call message at index 1/,
      ],
      [{ ...chat("kimi-k3", user), temperature: 0 }, "temperature", 400, /only 1 is allowed/],
    ],
    [
      looped("kimi-k3", { reasoning_content: "" }),
      chat("kimi-k3", user, said(), user),
      { ...chat("kimi-k2.6", user), temperature: 0 },
    ],
  ],
  [
    "mistral",
    [
      [chat("m", user, called("call_1"), result("call_1")), "ids of calls", 400, /length of 9/],
      [
        chat("m", user, called("abcdefghi"), result("abcdefghi"), user),
        "order of roles",
        400,
        /^Unexpected role 'user' after role 'tool'$/,
      ],
      [
        looped("m", { reasoning_content: "Hm." }),
        "fields of messages",
        422,
        /extra_forbidden.*"assistant","reasoning_content"/,
      ],
      [
        { ...looped("m"), stream_options: { include_usage: true } },
        "options of streams",
        422,
        /include_usage/,
      ],
    ],
    [
      looped("m"),
      { ...looped("m"), stream_options: {} },
      looped("m", { content: [{ type: "thinking", thinking: [] }] }),
    ],
  ],
  [
    "xai",
    [
      [{ ...chat("grok-4.3", user), stop: ["x"] }, "parameters of models that reason", 400, /model: stop$/],
      [
        { ...chat("grok-4.3", user), presence_penalty: 1 },
        "parameters of models that reason",
        400,
        /model: presencePenalty$/,
      ],
    ],
    [{ ...chat("grok-4.3", user), temperature: 0 }],
  ],
  [
    "google",
    [
      [looped("gemini-3-flash-preview"), "signatures of thoughts", 400, /missing a thought_signature/],
      [{ ...chat("gemini-2.5-flash", user), top_k: 5 }, "parameters", 400, /Unknown name "top_k"/],
      [
        { ...chat("gemini-2.5-flash", user), tools: [named("2fa")] },
        "names of functions",
        400,
        /Must start with a letter/,
      ],
      [
        chat("gemini-2.5-flash", user, said(), called("call_1"), result("call_1")),
        "order of turns",
        400,
        /immediately after a user turn/,
      ],
    ],
    [
      looped("gemini-2.5-flash"),
      { ...chat("gemini-2.5-flash", user), reasoning_effort: "low", tools: [tool] },
    ],
  ],
  [
    "openrouter",
    [[looped("x"), "details of reasoning", 400, /blocks in the latest assistant message cannot be modified/]],
    [looped("x", { reasoning_details: details }), chat("x", user, called("other"), result("other"))],
  ],
  [
    "groq",
    [
      [
        looped("x", { reasoning_content: "" }),
        "fields of messages",
        400,
        /property 'reasoning_content' is unsupported/,
      ],
    ],
    [looped("x")],
  ],
  [
    "cerebras",
    [
      [
        looped("x", { reasoning_content: "" }),
        "fields of messages",
        400,
        /messages.1.assistant.reasoning_content/,
      ],
    ],
    [looped("x", { reasoning: "Hm." })],
  ],
  [
    "openai",
    [
      [
        looped("gpt-5", { reasoning_content: "" }),
        "fields of messages",
        400,
        /'messages\[1\].reasoning_content'/,
      ],
      [
        chat("gpt-4o", user, called("x".repeat(41)), result("x".repeat(41))),
        "length of ids",
        400,
        /maximum length 40/,
      ],
      [{ ...chat("o3", user), max_tokens: 9 }, "old name of the bound", 400, /max_completion_tokens/],
      [
        { ...chat("gpt-5", user), temperature: 0.2 },
        "temperature of a model that reasons",
        400,
        /does not support 0.2/,
      ],
      [
        { ...chat("gpt-4o", user), reasoning_effort: "low" },
        "effort of a model that does not reason",
        400,
        /reasoning_effort/,
      ],
      [
        { ...chat("gpt-5.4", user), tools: [tool], reasoning_effort: "low" },
        "tools with an effort",
        400,
        /use \/v1\/responses/,
      ],
      [{ ...chat("gpt-5.6-sol", user), tools: [tool] }, "tools with an effort", 400, /use \/v1\/responses/],
    ],
    [
      { ...chat("gpt-5", user), temperature: 1, tools: [tool], reasoning_effort: "low" },
      { ...chat("gpt-5.4", user), tools: [tool] },
      { ...chat("gpt-5.6-sol", user), tools: [tool], reasoning_effort: "none" },
      { ...chat("gpt-4o", user), temperature: 0.2, max_tokens: 9 },
    ],
  ],
])("%s", (provider, refused, taken) => {
  const dialect = chatProviders[provider]!
  const rules = [...listChatServerRules(dialect), ...dialect.rules]

  test.each(refused)("%j breaks its rule of %s", (body, name, status, text) => {
    expect([nameOf(rules, body), findFirstRefusal(rules, body, sent)]).toEqual([
      name,
      expect.objectContaining({ status, message: expect.stringMatching(text) }),
    ])
  })

  test.each(taken.map((body) => [body]))("%j breaks none", (body) => {
    expect(nameOf(rules, body)).toBeUndefined()
  })

  test("each of its own rules is broken above", () => {
    expect(new Set(refused.map(([, name]) => name))).toEqual(new Set(dialect.rules.map(({ name }) => name)))
  })
})

const nameOf = (rules: readonly RefusalRule[], body: Record<string, Json>): string | undefined =>
  rules.find((rule) => rule.refuses(body, sent) !== undefined)?.name

describe("anthropic", () => {
  const rules = [...listAnthropicRules(firstVersion), ...anthropicModelRules]
  const asking = (model: string, more: Record<string, Json> = {}): Record<string, Json> => ({
    model,
    max_tokens: 4000,
    messages: [user],
    ...more,
  })
  const enabled = { thinking: { type: "enabled", budget_tokens: 2000 } }
  const effort = (word: string) => ({ output_config: { effort: word } })
  const changed: Json = [
    user,
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "add", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
  ]
  const tools = [{ name: "add", input_schema: { type: "object" } }]
  const refused: readonly [Record<string, Json>, string][] = [
    [asking("claude-sonnet-4-5", { ...enabled, temperature: 0.5 }), "sampling while thinking"],
    [asking("claude-sonnet-4-5", { ...enabled, top_k: 5 }), "sampling while thinking"],
    [asking("claude-sonnet-4-6", { temperature: 0.5, top_p: 0.5 }), "temperature and top_p together"],
    [asking("claude-opus-4-7", { temperature: 0.5 }), "sampling parameters of models from Opus 4.7 on"],
    [asking("claude-sonnet-5", { top_p: 0.5 }), "sampling parameters of models from Opus 4.7 on"],
    [asking("claude-opus-4-7", enabled), "thinking budgets of models from Opus 4.7 on"],
    [asking("claude-haiku-4-5", { thinking: { type: "adaptive" } }), "adaptive thinking of older models"],
    [asking("claude-haiku-4-5", effort("low")), "models without effort"],
    [asking("claude-sonnet-4-6", effort("xhigh")), "words of effort"],
    [asking("claude-opus-4-7", effort("minimal")), "words of effort"],
    [
      asking("claude-opus-5", { ...effort("xhigh"), thinking: { type: "disabled" } }),
      "effort without thinking",
    ],
    [asking("claude-opus-4-7", { messages: changed, tools }), "thinking of the last reply"],
  ]

  test.each(refused)("%j breaks its rule of %s", (body, name) => {
    expect([nameOf(rules, body), findFirstRefusal(rules, body, sent)?.status]).toEqual([name, 400])
  })

  test.each([
    [asking("claude-sonnet-4-5", { ...enabled, temperature: 1 })],
    [asking("claude-opus-4-7", { temperature: 1, ...effort("xhigh"), thinking: { type: "adaptive" } })],
    [asking("claude-sonnet-4-5", { temperature: 0.5, top_k: 5 })],
  ])("%j breaks none", (body) => {
    expect(nameOf(rules, body)).toBeUndefined()
  })

  test("each of its own rules is broken above", () => {
    expect(new Set(refused.map(([, name]) => name))).toEqual(
      new Set(anthropicModelRules.map(({ name }) => name)),
    )
  })
})

test("every rule says what the provider says, where, and when that was read", () => {
  const all = [
    ...listChatServerRules(chatProviders.mistral!),
    ...Object.values(chatProviders).flatMap(({ rules }) => rules),
    ...listAnthropicRules(firstVersion),
    ...anthropicModelRules,
  ]
  for (const { name, says, source, read } of all)
    expect([name, says.length > 5, source.length > 10, /^\d{4}-\d\d-\d\d$/.test(read)]).toEqual([
      name,
      true,
      true,
      true,
    ])
})

test("a provider that is not built in is refused", async () => {
  await expect(startModelServer({ script: [], provider: "deepsek" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining("deepseek"),
  })
})
