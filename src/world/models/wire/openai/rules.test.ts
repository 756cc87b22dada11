import { expect, test } from "vitest"
import { findChatRules } from "./rules.ts"

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
