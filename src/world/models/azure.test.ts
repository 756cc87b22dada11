import { afterEach, describe, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "../../faces/testing/model-server.ts"
import { requestWith } from "../../faces/testing/plain-request.ts"
import { buildAzureAddress } from "./azure-address.ts"
import { createProviderList } from "./provider.ts"
import { createModelSource } from "./source.ts"

test.each([
  [{ AZURE_RESOURCE_NAME: "mine" }, "https://mine.openai.azure.com"],
  [{ AZURE_OPENAI_ENDPOINT: "https://mine.openai.azure.com/" }, "https://mine.openai.azure.com/"],
  [{ AZURE_OPENAI_BASE_URL: "https://gate.example", AZURE_RESOURCE_NAME: "mine" }, "https://gate.example"],
  [
    { AZURE_RESOURCE_NAME: "mine", AZURE_OPENAI_API_VERSION: "2024-10-21" },
    "https://mine.openai.azure.com/?api-version=2024-10-21",
  ],
  [
    { AZURE_RESOURCE_NAME: "mine", OPENAI_API_VERSION: " 2024-10-21 " },
    "https://mine.openai.azure.com/?api-version=2024-10-21",
  ],
  [
    { AZURE_OPENAI_BASE_URL: "https://mine.openai.azure.com/openai/v1", OPENAI_API_VERSION: "2024-10-21" },
    "https://mine.openai.azure.com/openai/v1",
  ],
  [{}, undefined],
])("with %j the address of azure is %s", (environment, address) => {
  expect(createProviderList({}, environment).find("azure")?.baseUrl).toBe(address)
})

const resource = "https://mine.openai.azure.com"
test.each([
  [resource, "openai", `${resource}/openai/v1`],
  [`${resource}/openai/`, "responses", `${resource}/openai/v1`],
  [`${resource}?api-version=preview`, "responses", `${resource}/openai/v1?api-version=preview`],
  [
    `${resource}?api-version=2024-10-21`,
    "openai",
    `${resource}/openai/deployments/my%20gpt?api-version=2024-10-21`,
  ],
  [
    `${resource}?api-version=2025-03-01-preview`,
    "responses",
    `${resource}/openai?api-version=2025-03-01-preview`,
  ],
  [`${resource}/openai/v1/`, "openai", `${resource}/openai/v1/`],
  [
    "https://gate.example/azure/openai/deployments/x",
    "openai",
    "https://gate.example/azure/openai/deployments/x",
  ],
  ["nowhere", "openai", "nowhere"],
] as const)("at %s a deployment that speaks %s is asked at %s", (address, protocol, expected) => {
  expect(buildAzureAddress(address, "my gpt", protocol)).toBe(expected)
})

describe("the model server as Azure", () => {
  let server: ModelServer
  afterEach(() => server.close())

  const asked = async (
    environment: Record<string, string>,
    { model = "prod", providers = {} }: { readonly model?: string; readonly providers?: object } = {},
  ) => {
    server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "azure-secret" })
    const source = createModelSource({
      environment: { AZURE_OPENAI_ENDPOINT: server.url.replace(/\/v1$/, ""), ...environment },
      home: "/nowhere",
      providers: { azure: providers as Record<string, string> },
    })
    const opened = await source.open({ provider: "azure", model })
    const { text, error } = await opened.stream(requestWith(), () => undefined)
    const { path, protocol, headers, body } = server.requests[0]!
    const sent = [headers["api-key"] && "key", headers.authorization && "token"].filter(Boolean)
    return { text: error?.message ?? text, path, protocol, model: body.model, sent }
  }
  const key = { AZURE_API_KEY: "azure-secret" }
  const chat = { text: "ok", protocol: "openai", model: "prod", sent: ["key"] }

  test.each([
    ["its current API", key, {}, { ...chat, path: "/openai/v1/chat/completions" }],
    [
      "a dated API",
      { ...key, AZURE_OPENAI_API_VERSION: "2024-10-21" },
      {},
      { ...chat, path: "/openai/deployments/prod/chat/completions?api-version=2024-10-21" },
    ],
    [
      "a deployment that is named for a model that responds",
      key,
      { model: "gpt-5.4" },
      { ...chat, protocol: "responses", model: "gpt-5.4", path: "/openai/v1/responses" },
    ],
    [
      "responses, where the configuration says so",
      key,
      { providers: { protocol: "responses" } },
      { ...chat, protocol: "responses", path: "/openai/v1/responses" },
    ],
    [
      "chat completions, where the configuration says so",
      key,
      { model: "gpt-5.4", providers: { protocol: "openai" } },
      { ...chat, model: "gpt-5.4", path: "/openai/v1/chat/completions" },
    ],
    [
      "a token",
      { AZURE_OPENAI_AD_TOKEN: "azure-secret" },
      {},
      { ...chat, path: "/openai/v1/chat/completions", sent: ["token"] },
    ],
    [
      "a token of one's own",
      { MY_TOKEN: "azure-secret" },
      { providers: { token: "MY_TOKEN" } },
      { ...chat, path: "/openai/v1/chat/completions", sent: ["token"] },
    ],
  ])("%s", async (_, environment, options, expected) => {
    expect(await asked(environment as Record<string, string>, options)).toEqual(expected)
  })

  test("a wrong key is refused, and not shown", async () => {
    const { text } = await asked({ AZURE_API_KEY: "wrong-secret" })
    expect(text).toMatch(/answered 401: Incorrect API key provided/)
  })

  test("it is asked for its models where it answers", async () => {
    server = await startModelServer({ script: [], apiKey: "azure-secret" })
    const source = createModelSource({
      environment: { ...key, AZURE_OPENAI_ENDPOINT: server.url.replace(/\/v1$/, "") },
      home: "/nowhere",
    })
    expect((await source.reach("azure")).status).toBe("reachable")
    expect(server.requests.map(({ path, headers }) => [path, headers["api-key"]])).toEqual([
      ["/openai/v1/models", "azure-secret"],
    ])
  })
})

test("without an address it says what is missing", async () => {
  const source = createModelSource({ environment: { AZURE_API_KEY: "azure-secret" }, home: "/nowhere" })
  await expect(source.open({ provider: "azure", model: "prod" })).rejects.toThrow(
    "azure/prod: the provider azure has no address.",
  )
})
