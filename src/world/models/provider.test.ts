import { describe, expect, test } from "vitest"
import { readOllamaAddress } from "./address.ts"
import { datedTables } from "./dated-tables.ts"
import { createProviderList } from "./provider.ts"
import { createModelSource } from "./source.ts"

test.each([
  ["127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0:80", "http://127.0.0.1/v1"],
  [":5000", "http://127.0.0.1:5000/v1"],
  ["box", "http://box:11434/v1"],
  ["http://box:1", "http://box:1/v1"],
  ["https://box.example/", "https://box.example/v1"],
  ["https://box.example/ollama/v1", "https://box.example/ollama/v1"],
  ["[::1]", "http://[::1]:11434/v1"],
])("OLLAMA_HOST=%s", (host, address) => {
  expect(readOllamaAddress(host)).toBe(address)
  expect(createProviderList({}, { OLLAMA_HOST: host }).find("ollama")?.baseUrl).toBe(address)
})

test.each([
  ["openai", { OPENAI_BASE_URL: "https://gate.example/v1" }, "https://gate.example/v1"],
  ["anthropic", { ANTHROPIC_BASE_URL: "https://gate.example" }, "https://gate.example"],
  ["vllm", { VLLM_BASE_URL: "http://gpu:8000/v1" }, "http://gpu:8000/v1"],
  ["oss", { CODEX_OSS_PORT: "99" }, "http://127.0.0.1:99/v1"],
  ["oss", { CODEX_OSS_PORT: "99", CODEX_OSS_BASE_URL: "http://box/v1" }, "http://box/v1"],
  ["openai", { OPENAI_BASE_URL: " " }, "https://api.openai.com/v1"],
])("the address of %s with %j", (id, environment, address) => {
  expect(createProviderList({}, environment).find(id)?.baseUrl).toBe(address)
})

test("the configuration adds providers, and comes over those built in and the environment", () => {
  const providers = createProviderList(
    {
      acme: { baseUrl: "https://acme.example", key: "ACME_KEY", headers: { a: "b" } },
      gemini: { keyFile: "g" },
      openai: { baseUrl: "https://mine.example" },
      cloud: { package: "@ai-sdk/cloud" },
      "../x": { baseUrl: "https://x.example" },
      wrong: 5,
    },
    { OPENAI_BASE_URL: "https://gate.example" },
  )
  expect(providers.find("acme")).toEqual({
    id: "acme",
    protocol: "openai",
    baseUrl: "https://acme.example",
    baseUrlFrom: "providers.acme.baseUrl",
    keyVariables: ["ACME_KEY"],
    tokenVariables: [],
    key: "needed",
    endpoints: [],
    headers: { a: "b" },
    headerVariables: {},
    source: "configuration",
  })
  expect(providers.find("google")).toMatchObject({
    keyFile: "g",
    keyVariables: expect.arrayContaining(["GEMINI_API_KEY"]),
  })
  expect(providers.find("openai")).toMatchObject({
    baseUrl: "https://mine.example",
    keyVariables: ["OPENAI_API_KEY"],
  })
  expect(providers.find("cloud")).toMatchObject({
    protocol: "ai-sdk",
    package: "@ai-sdk/cloud",
    key: "optional",
  })
  expect(["../x", "wrong"].map(providers.find)).toEqual([undefined, undefined])
})

describe("describing", () => {
  test("providers with the state of their keys, and names with what they come to", async () => {
    const models = createModelSource({
      models: { own: { model: "o3", apiKey: "own-secret-1" } },
      presets: { cheap: "haiku", bad: "sonet", sonnet: "openrouter/sonnet" },
      providers: { acme: { baseUrl: "https://acme.example/v1?k=1", key: "ACME_KEY" } },
      defaultModel: "cheap",
      environment: { ANTHROPIC_API_KEY: "anthropic-secret-2" },
      home: "/nowhere",
      userFolder: "/nowhere/cadre",
    })
    const { default: usual, providers, names, tables } = await models.describe()
    expect(tables).toEqual(datedTables)
    expect(usual).toEqual({ name: "cheap", kind: "default", resolved: "anthropic/claude-haiku-5-5" })
    expect(
      providers.filter(({ id }) => ["acme", "anthropic", "openai", "ollama", "google"].includes(id)),
    ).toEqual([
      {
        id: "acme",
        protocol: "openai",
        baseUrl: "https://acme.example/v1",
        source: "configuration",
        key: "missing (set ACME_KEY, or write the key to /nowhere/cadre/keys/acme)",
      },
      {
        id: "anthropic",
        protocol: "anthropic",
        baseUrl: "https://api.anthropic.com",
        source: "built-in",
        key: "set (ANTHROPIC_API_KEY)",
      },
      {
        id: "openai",
        protocol: "openai",
        baseUrl: "https://api.openai.com/v1",
        source: "built-in",
        key: "missing (set OPENAI_API_KEY, or write the key to /nowhere/cadre/keys/openai)",
      },
      {
        id: "google",
        protocol: "ai-sdk",
        package: "@ai-sdk/google",
        baseUrl: "https://generativelanguage.googleapis.com/v1beta",
        source: "built-in",
        key: "missing (set GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY, or write the key to /nowhere/cadre/keys/google)",
      },
      {
        id: "ollama",
        protocol: "openai",
        baseUrl: "http://127.0.0.1:11434/v1",
        source: "built-in",
        key: "not needed",
      },
    ])
    expect(names).toEqual([
      { name: "own", kind: "model", resolved: "openai/o3" },
      { name: "cheap", kind: "preset", resolved: "anthropic/claude-haiku-5-5" },
      { name: "bad", kind: "preset", problem: expect.stringContaining('there is no model "sonet"') },
      { name: "sonnet", kind: "preset", resolved: "openrouter/anthropic/claude-sonnet-5.5" },
      { name: "opus", kind: "alias", resolved: "anthropic/claude-opus-5-5" },
      { name: "haiku", kind: "alias", resolved: "anthropic/claude-haiku-5-5" },
      { name: "fable", kind: "alias", resolved: "anthropic/claude-fable-5-1" },
      { name: "opusplan", kind: "alias", resolved: "anthropic/claude-sonnet-5-5" },
      { name: "pro", kind: "alias", resolved: "google/gemini-pro-latest" },
      { name: "flash", kind: "alias", resolved: "google/gemini-flash-latest" },
      { name: "flash-lite", kind: "alias", resolved: "google/gemini-flash-lite-latest" },
    ])
  })
})
