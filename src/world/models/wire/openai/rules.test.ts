import { describe, expect, test } from "vitest"
import { type ChatRules, findChatRules } from "./rules.ts"

test.each<[string | undefined, string | undefined, string, string]>([
  [undefined, undefined, "forbidden", "unknown"],
  ["openai", undefined, "forbidden", "unknown"],
  ["openai", "https://gateway.example.com/v1", "allowed", "end"],
  ["deepseek", "https://gateway.example.com/v1", "required", "unknown"],
  [undefined, "https://api.deepseek.com", "required", "unknown"],
  ["mine", "https://openrouter.ai/api/v1", "allowed", "unknown"],
  ["mine", "http://127.0.0.1:8000/v1", "allowed", "end"],
  ["constructor", "http://127.0.0.1:8000/v1", "allowed", "end"],
])("%s at %s: reasoning is %s, and eos is %s", (provider, baseUrl, reasoning, eos) => {
  const rules = findChatRules(provider, baseUrl)
  expect([rules.reasoning, rules.endings.eos ?? "unknown"]).toEqual([reasoning, eos])
})

const openAi = {
  stop: "end",
  tool_calls: "calls",
  function_call: "calls",
  length: "length",
  content_filter: "filter",
} as const
const plain: ChatRules = { endings: openAi, reasoning: "allowed" }
const own = { endings: openAi, reasoning: "forbidden", ids: "bounded" } as const
const rules: Readonly<Record<string, ChatRules>> = {
  openai: own,
  azure: own,
  deepseek: { endings: { ...openAi, insufficient_system_resource: "retry" }, reasoning: "required" },
  moonshotai: { endings: openAi, reasoning: "required" },
  zai: {
    endings: {
      ...openAi,
      sensitive: "filter",
      model_context_window_exceeded: "length",
      network_error: "retry",
    },
    reasoning: "allowed",
  },
  mistral: {
    endings: { ...openAi, model_length: "length", error: "retry" },
    reasoning: "allowed",
    history: "mistral",
    usage: "unasked",
  },
  openrouter: { endings: { ...openAi, error: "retry" }, reasoning: "allowed" },
  google: {
    endings: { ...openAi, "function_call_filter: MALFORMED_FUNCTION_CALL": "retry" },
    reasoning: "allowed",
    signatures: "gemini",
  },
  groq: { endings: openAi, reasoning: "forbidden" },
  together: { endings: { ...openAi, eos: "end" }, reasoning: "allowed" },
  xai: { endings: { ...openAi, end_turn: "end" }, reasoning: "allowed" },
  fireworks: plain,
  cerebras: plain,
}
const anyServer: ChatRules = {
  endings: {
    ...openAi,
    eos: "end",
    eos_token: "end",
    stop_sequence: "end",
    end_turn: "end",
    tool_use: "calls",
    max_tokens: "length",
    model_length: "length",
    model_context_window_exceeded: "length",
    refusal: "filter",
    sensitive: "filter",
    abort: "retry",
    error: "retry",
    network_error: "retry",
    insufficient_system_resource: "retry",
  },
  missingEnd: "whole",
  reasoning: "allowed",
}

describe("the rules of a provider", () => {
  test.each(Object.keys(rules).filter((name) => name !== "openai"))(
    "%s, at an address of any server",
    (name) => expect(findChatRules(name, "https://gateway.test")).toEqual(rules[name]),
  )

  test.each([
    ["api.openai.com", "openai"],
    ["eu.api.openai.com", "openai"],
    ["mine.openai.azure.com", "azure"],
    ["mine.services.ai.azure.com", "azure"],
    ["deepseek.com", "deepseek"],
    ["api.deepseek.com", "deepseek"],
    ["api.moonshot.ai", "moonshotai"],
    ["api.moonshot.cn", "moonshotai"],
    ["api.z.ai", "zai"],
    ["open.bigmodel.cn", "zai"],
    ["api.mistral.ai", "mistral"],
    ["openrouter.ai", "openrouter"],
    ["generativelanguage.googleapis.com", "google"],
    ["api.groq.com", "groq"],
    ["api.together.ai", "together"],
    ["api.together.xyz", "together"],
    ["api.x.ai", "xai"],
    ["api.fireworks.ai", "fireworks"],
    ["api.cerebras.ai", "cerebras"],
  ])("at %s are those of %s, whatever its name", (host, name) =>
    expect(findChatRules("groq", `https://${host}/v1`)).toEqual(rules[name]),
  )

  test.each(["notopenai.com", "api.openai.com.test", "mydeepseek.com", "evilx.ai", "openai.azure.com.test"])(
    "at %s are those of any server",
    (host) => expect(findChatRules("mine", `https://${host}/v1`)).toEqual(anyServer),
  )
})
