import { expect, test } from "vitest"
import { isSameModel } from "./model-name.ts"

test.each([
  ["gpt-5", "gpt-5", true],
  ["gpt-5", "gpt-5-2025-08-07", true],
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929", true],
  ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5-20250929", true],
  ["claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", true],
  ["claude-sonnet-4-5[1m]", "claude-sonnet-4-5", true],
  ["anthropic/claude-sonnet-4.5", "claude-sonnet-4.5", true],
  ["gemini-2.0-flash", "models/gemini-2.0-flash-001", true],
  ["llama3", "llama3:latest", true],
  ["qwen3-8b", "/srv/models/Qwen3-8B.gguf", true],
  ["gpt-5", "gpt-5-mini", false],
  ["gpt-5", "gpt-4o-2024-08-06", false],
  ["claude-opus-4-5", "claude-sonnet-4-5", false],
  ["llama3", "llama3:70b", false],
  ["gpt-4", "gpt-4-0613", true],
  ["grok-4", "grok-4-0709", true],
  ["mistral-large-latest", "mistral-large-2512", true],
  ["openai/gpt-5:floor", "openai/gpt-5", true],
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20251101", false],
  ["gpt-4o-2024-05-13", "gpt-4o-2024-08-06", false],
  ["gpt-4o-2024-05-13", "gpt-4o", true],
  ["qwen3-8b", "qwen3-9999", false],
])("%s and %s: same %s", (asked, reported, same) => {
  expect(isSameModel(asked, reported)).toBe(same)
})
