import { expect, test } from "vitest"
import { aliases } from "./aliases.ts"
import { factsOf } from "./prices.ts"
import { providerList } from "./provider.ts"
import { builtInProviders } from "./providers.ts"

test.each([
  [
    "anthropic",
    "claude-opus-5-5",
    {
      price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
      window: 1_000_000,
      longestReply: 128_000,
    },
  ],
  [
    "anthropic",
    "claude-haiku-5-5",
    {
      price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
      window: 1_000_000,
      longestReply: 128_000,
      longPrompts: { above: 100_000, input: 0.5, output: 2.5 },
    },
  ],
  ["anthropic", "claude-sonnet-4-5-20250929", factsOf("anthropic", "claude-sonnet-4-5")],
  [
    "openai",
    "gpt-5-2025-08-07",
    { price: { input: 1.25, output: 10, cacheRead: 0.125 }, window: 400_000, longestReply: 128_000 },
  ],
  ["openai", "gpt-4o-2024-05-13", { price: { input: 5, output: 15 }, window: 128_000, longestReply: 4096 }],
  [
    "groq",
    "openai/gpt-oss-20b",
    { price: { input: 0.075, output: 0.3, cacheRead: 0.0375 }, window: 131_072, longestReply: 65_536 },
  ],
  ["openai", "gpt-99", undefined],
  ["ollama", "qwen3", undefined],
  ["constructor", "name", undefined],
])("%s %s", (provider, model, expected) => {
  expect(factsOf(provider, model)).toEqual(expected)
})

test("what Claude's and Google's aliases stand for has a price, and is of the provider", () => {
  const providers = providerList({}, {})
  const wrong = aliases
    .filter(({ provider }) => provider !== "openrouter")
    .flatMap(({ provider, names }) => Object.values(names).map((model) => ({ provider, model })))
    .filter(
      ({ provider, model }) => providers.ofModel(model)?.id !== provider || !factsOf(provider, model)?.price,
    )
  expect(wrong).toEqual([])
})

test("every address is one, every name is one provider's, and the local ones need no key", () => {
  const names = builtInProviders.flatMap(({ id, aliases = [] }) => [id, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  expect(builtInProviders.filter(({ baseUrl }) => baseUrl !== undefined && !URL.canParse(baseUrl))).toEqual(
    [],
  )
  const free = providerList({}, {}).all.filter(({ key }) => key === "optional")
  expect(free.map(({ id }) => id)).toEqual(["ollama", "oss", "lm-studio", "llama-server", "vllm"])
})
