import { expect, test } from "vitest"
import { startModelServer } from "../../faces/testing/model-server.ts"
import { requestWith } from "../../faces/testing/plain-request.ts"
import { chooseProtocol } from "./protocol-for.ts"
import { createProviderList } from "./provider.ts"
import { createModelSource } from "./source.ts"

const gate = { OPENAI_BASE_URL: "https://gate.example/v1" }

test.each<[string, string, object, Record<string, string>, string]>([
  ["openai", "gpt-5.4", {}, {}, "responses"],
  ["openai", "gpt-5.10-mini", {}, {}, "responses"],
  ["openai", "gpt-6-astra", {}, {}, "responses"],
  ["openai", "gpt-5-pro-2025-10-06", {}, {}, "responses"],
  ["openai", "gpt-5.1-codex-max", {}, {}, "responses"],
  ["openai", "o1-pro", {}, {}, "responses"],
  ["openai", "o3-pro", {}, {}, "responses"],
  ["openai", "gpt-5", {}, {}, "openai"],
  ["openai", "gpt-5.3", {}, {}, "openai"],
  ["openai", "gpt-4o", {}, {}, "openai"],
  ["openai", "o3", {}, {}, "openai"],
  ["openai", "gpt-5.4", { protocol: "openai" }, {}, "openai"],
  ["openai", "gpt-4o", { protocol: "responses" }, {}, "responses"],
  ["openai", "gpt-5.4", {}, gate, "openai"],
  ["openai", "gpt-5.4", { baseUrl: "https://gate.example/v1" }, {}, "openai"],
  ["openai", "gpt-5.4", { protocol: "responses" }, gate, "responses"],
  ["openai", "gpt-5.4", { baseUrl: "https://eu.api.openai.com/v1" }, {}, "responses"],
  ["openai", "gpt-5.4", { baseUrl: "https://api.openai.com.example/v1" }, {}, "openai"],
  ["openai-responses", "gpt-4o", {}, {}, "responses"],
  ["azure", "gpt-5.4", {}, {}, "responses"],
  ["azure", "prod", {}, {}, "openai"],
  ["openrouter", "openai/gpt-5.4", {}, {}, "openai"],
  ["anthropic", "claude-opus-5-5", {}, {}, "anthropic"],
])("%s speaks to %s, with %j and %j, in %s", (id, model, entry, environment, protocol) => {
  const provider = createProviderList({ [id]: { ...entry } }, environment).find(id)!
  expect(chooseProtocol(provider, model)).toBe(protocol)
})

test("an endpoint that a definition names is a compatible server", () => {
  const provider = createProviderList({}, {}).find("openai")!
  expect(chooseProtocol(provider, "gpt-5.4", "http://127.0.0.1:8080/v1")).toBe("openai")
})

test.each([
  [{ provider: "openai", model: "gpt-5.4" }, "openai"],
  [{ provider: "openai", model: "gpt-5.4", protocol: "responses" }, "responses"],
  [{ provider: "openai-responses", model: "gpt-4o" }, "responses"],
] as const)("settings %j open a client of our own that speaks %s", async (settings, protocol) => {
  const server = await startModelServer({ script: [{ text: "ok" }], apiKey: "openai-secret" })
  const source = createModelSource({
    environment: { OPENAI_API_KEY: "openai-secret", OPENAI_BASE_URL: server.url },
    models: { mine: settings },
    home: "/nowhere",
  })
  const model = await source.open({ name: "mine" })
  expect((await model.stream(requestWith(), () => undefined)).text).toBe("ok")
  expect(server.requests.map((request) => [request.protocol, request.problem])).toEqual([
    [protocol, undefined],
  ])
  await server.close()
})
