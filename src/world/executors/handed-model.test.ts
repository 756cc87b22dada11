import { expect, test } from "vitest"
import type { ModelChoice } from "../../agent/agent.ts"
import { chooseExecutorModel } from "./handed-model.ts"

test.each<[ModelChoice, string | undefined]>([
  ["anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5"],
  ["sonnet", "sonnet"],
  ["openrouter:anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4.5"],
  ["ollama:llama3:8b", "llama3:8b"],
  ["llama3:8b", "llama3:8b"],
  ["anthropic:", "anthropic:"],
  [":x", ":x"],
  [["openai:gpt-5.4", "sonnet"], "gpt-5.4"],
  [{ provider: "anthropic", model: "claude-sonnet-4-5" }, "claude-sonnet-4-5"],
  [{ model: "anthropic:claude-sonnet-4-5" }, "claude-sonnet-4-5"],
  [{ provider: "anthropic" }, undefined],
  ["inherit", undefined],
  [null, undefined],
])("of %j a program is handed %j", (choice, handed) => {
  expect(chooseExecutorModel({ options: { model: ["--model", "{}"] } }, choice)).toBe(handed)
})

test("one that chooses its model itself is handed none", () => {
  expect(chooseExecutorModel({}, "anthropic:claude-sonnet-4-5")).toBeUndefined()
})
