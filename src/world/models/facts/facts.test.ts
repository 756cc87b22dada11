import { expect, test } from "vitest"
import { aliases } from "../aliases.ts"
import { createProviderList } from "../provider.ts"
import { builtInProviders } from "../providers.ts"
import { findFacts, listAllFacts } from "./facts.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

test.each([
  [
    "anthropic",
    "claude-opus-5-5",
    {
      price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
      window: 1_000_000,
      longestReply: 128_000,
      refuses: ["temperature", "top_p", "top_k", "thinking.budget_tokens"],
      efforts: ["low", "medium", "high", "xhigh", "max"],
      sees: ["image", "pdf"],
      sources: {
        price:
          "@earendil-works/pi-ai 1.5.0 (2026-11-02), compared with platform.claude.com/docs/en/about-claude/pricing (read 2026-11-15)",
        refuses:
          "platform.claude.com/docs/en/about-claude/model-deprecations and build-with-claude/extended-thinking, as of 2026-08-22 (read 2026-11-16)",
        efforts: `${catalogue} (read 2026-11-16)`,
        sees: "@earendil-works/pi-ai 1.5.0 (2026-11-02) and platform.claude.com/docs/en/build-with-claude/pdf-support, as of 2026-08-22 (read 2026-11-16)",
      },
    },
  ],
  [
    "anthropic",
    "claude-sonnet-4-20250514",
    {
      retired: { on: "2026-06-15", successor: "claude-sonnet-4-6" },
      sources: {
        retired:
          "platform.claude.com/docs/en/about-claude/model-deprecations, as of 2026-08-22 (read 2026-11-16)",
      },
    },
  ],
  ["anthropic", "claude-sonnet-4-5-20250929", findFacts("anthropic", "claude-sonnet-4-5")],
  [
    "groq",
    "openai/gpt-oss-20b",
    {
      price: { input: 0.075, output: 0.3, cacheRead: 0.0375 },
      window: 131_072,
      longestReply: 65_536,
      efforts: ["low", "medium", "high"],
      sees: [],
      sources: {
        price: `${catalogue} (read 2026-11-15)`,
        efforts: `${catalogue} (read 2026-11-16)`,
        sees: `${catalogue} (read 2026-11-16)`,
      },
    },
  ],
  ["openai-responses", "gpt-6-sol", findFacts("openai", "gpt-6-sol")],
  ["openai", "gpt-99", undefined],
  ["ollama", "qwen3", undefined],
  ["constructor", "name", undefined],
])("%s %s", (provider, model, expected) => {
  expect(findFacts(provider, model)).toEqual(expected)
})

test.each([
  ["gpt-4o-2024-05-13", { price: { input: 5, output: 15 }, retired: "2026-10-23", protocol: "chat" }],
  [
    "gpt-5-2025-08-07",
    { price: { input: 1.25, output: 10, cacheRead: 0.125 }, retired: "2026-12-11", protocol: "chat" },
  ],
  ["gpt-5.4", { price: { input: 2.5, output: 15, cacheRead: 0.25 }, protocol: "responses" }],
  [
    "gpt-6-astra",
    { price: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }, protocol: "responses" },
  ],
  ["gpt-5.5-pro", { price: { input: 30, output: 180 }, protocol: "responses" }],
])("openai's %s costs, is asked over and is retired as its provider says", (model, expected) => {
  const { price, protocol, retired } = findFacts("openai", model)!
  expect({ price, protocol, ...(retired && { retired: retired.on }) }).toEqual(expected)
})

test("every day is one, and every successor is known", () => {
  const wrong = [...listAllFacts()].flatMap(([id, { retired }]) => {
    if (retired === undefined) return []
    const [provider] = id.split("/")
    const isKnown =
      retired.successor === undefined || findFacts(provider!, retired.successor)?.sources !== undefined
    return isKnown && new Date(retired.on).toISOString().startsWith(retired.on) ? [] : [id]
  })
  expect(wrong).toEqual([])
})

test("every fact says where it was read, and when", () => {
  const wrong = [...listAllFacts()].flatMap(
    ([id, { sources, window, longestReply, longPrompts, ...facts }]) =>
      Object.keys(facts).filter(
        (fact) => !/ \(read \d{4}-\d\d-\d\d\)$/.test((sources as Record<string, string>)[fact] ?? ""),
      ).length > 0
        ? [id]
        : [],
  )
  expect(wrong).toEqual([])
})

test("what Claude's and Google's aliases stand for has a price, and is of the provider", () => {
  const providers = createProviderList({}, {})
  const wrong = aliases
    .filter(({ provider }) => provider !== "openrouter")
    .flatMap(({ provider, names }) => Object.values(names).map((model) => ({ provider, model })))
    .filter(
      ({ provider, model }) =>
        providers.ofModel(model)?.id !== provider || !findFacts(provider, model)?.price,
    )
  expect(wrong).toEqual([])
})

test("every address is one, every name is one provider's, and the local ones need no key", () => {
  const names = builtInProviders.flatMap(({ id, aliases = [] }) => [id, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  expect(builtInProviders.filter(({ baseUrl }) => baseUrl !== undefined && !URL.canParse(baseUrl))).toEqual(
    [],
  )
  const free = createProviderList({}, {}).all.filter(({ key }) => key === "optional")
  expect(free.map(({ id }) => id)).toEqual(["ollama", "oss", "lm-studio", "llama-server", "vllm"])
})
