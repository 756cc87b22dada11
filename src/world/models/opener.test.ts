import fs from "node:fs"
import http from "node:http"
import type { AddressInfo } from "node:net"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Model, ModelUse } from "../../agent/model.ts"
import { requestWith } from "../../faces/testing/plain-request.ts"
import { createModelSource, type ModelSourceOptions } from "./source.ts"

/** A server that answers every protocol and records the requests. */
let url = ""
let asked: { path: string; headers: http.IncomingHttpHeaders; body: Record<string, unknown> }[] = []
let status = 200
const server = http.createServer(async (request, response) => {
  let text = ""
  for await (const chunk of request) text += chunk
  asked.push({ path: request.url!, headers: request.headers, body: text === "" ? {} : JSON.parse(text) })
  response.writeHead(status, { "content-type": "application/json" })
  const usage = { prompt_tokens: 200_000, completion_tokens: 10, input_tokens: 200_000, output_tokens: 10 }
  response.end(
    request.url!.endsWith("/messages")
      ? JSON.stringify({
          type: "message",
          role: "assistant",
          model: "m",
          content: [{ type: "text", text: "ok" }],
          stop_reason: "end_turn",
          usage,
        })
      : JSON.stringify({
          choices: [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
          usage,
        }),
  )
})
let folder = ""
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-opener-")))
})
afterAll(() => {
  server.close()
  fs.rmSync(folder, { recursive: true })
})
beforeEach(() => {
  asked = []
  status = 200
})

const environment = () => ({
  OPENAI_API_KEY: "openai-secret",
  OPENAI_BASE_URL: `${url}/v1`,
  ANTHROPIC_AUTH_TOKEN: "anthropic-token",
  ANTHROPIC_BASE_URL: url,
  OLLAMA_HOST: url,
  TEAM: "blue-team-secret",
})

const opened = (use: ModelUse, options: ModelSourceOptions = {}): Promise<Model> =>
  createModelSource({ environment: environment(), home: folder, userFolder: folder, ...options }).open(use)

async function ask(model: Model) {
  const reply = await model.stream(requestWith(), () => undefined)
  const [{ path: place, headers, body }] = asked as [(typeof asked)[0]]
  const { authorization, "x-api-key": key, "x-team": team } = headers
  return {
    text: reply.text,
    path: place,
    model: body.model,
    ...(authorization && { authorization }),
    ...(key && { key }),
    ...(team && { team }),
  }
}

describe("who is asked, and with which key", () => {
  test.each<[string, ModelUse, ModelSourceOptions, object]>([
    [
      "the provider's own server",
      { provider: "openai", model: "m" },
      {},
      { text: "ok", path: "/v1/chat/completions", model: "m", authorization: "Bearer openai-secret" },
    ],
    [
      "a bearer token",
      { provider: "anthropic", model: "m" },
      {},
      { text: "ok", path: "/v1/messages", model: "m", authorization: "Bearer anthropic-token" },
    ],
    [
      "nobody's key",
      { provider: "ollama", model: "m" },
      {},
      { text: "ok", path: "/v1/chat/completions", model: "m" },
    ],
    [
      "headers of a provider",
      { provider: "acme", model: "m" },
      {
        providers: {
          acme: { baseUrl: "URL/x", key: "OPENAI_API_KEY", headerVariables: { "x-team": "TEAM" } },
        },
      },
      {
        text: "ok",
        path: "/x/chat/completions",
        model: "m",
        authorization: "Bearer openai-secret",
        team: "blue-team-secret",
      },
    ],
    [
      "settings of the program",
      { name: "set" },
      {
        models: {
          set: {
            provider: "anthropic",
            model: "sonnet",
            baseUrl: "URL",
            apiKey: "given-secret",
            headers: { "x-team": "red" },
          },
        },
      },
      { text: "ok", path: "/v1/messages", model: "claude-sonnet-5-5", key: "given-secret", team: "red" },
    ],
    [
      "a provider that only the program knows",
      { name: "set" },
      { models: { set: { model: "m", baseUrl: "URL" } } },
      { text: "ok", path: "/chat/completions", model: "m" },
    ],
  ])("%s", async (_, use, options, expected) => {
    const here = JSON.parse(JSON.stringify(options).replaceAll("URL", url)) as ModelSourceOptions
    expect(await ask(await opened(use, here))).toEqual(expected)
  })

  test("an endpoint that only a file names gets neither key nor headers", async () => {
    // The server's own name is no loopback address to the source, though it is one to the resolver.
    const endpoint = url.replace("127.0.0.1", "0.0.0.0")
    const providers = {
      openai: { baseUrl: "https://api.openai.com/v1", headerVariables: { "x-team": "TEAM" } },
    }
    const model = await opened({ provider: "openai", model: "m", endpoint } as ModelUse, { providers })
    expect(await ask(model)).toEqual({ text: "ok", path: "/chat/completions", model: "m" })
    const listed = { openai: { ...providers.openai, endpoints: [endpoint] } }
    asked = []
    const trusted = await opened({ provider: "openai", model: "m", endpoint } as ModelUse, {
      providers: listed,
    })
    expect(await ask(trusted)).toEqual({
      text: "ok",
      path: "/chat/completions",
      model: "m",
      authorization: "Bearer openai-secret",
      team: "blue-team-secret",
    })
  })

  test("a package of the AI SDK does not send the environment's key there either", async () => {
    const before = process.env.OPENAI_API_KEY
    process.env.OPENAI_API_KEY = "openai-secret"
    try {
      const endpoint = url.replace("127.0.0.1", "0.0.0.0")
      const model = await opened({ provider: "packaged", model: "m", endpoint } as ModelUse, {
        environment: { OPENAI_API_KEY: "openai-secret" },
        providers: { packaged: { package: "@ai-sdk/openai", key: "OPENAI_API_KEY" } },
      })
      await ask(model)
      expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer none"])
    } finally {
      if (before === undefined) delete process.env.OPENAI_API_KEY
      else process.env.OPENAI_API_KEY = before
    }
  })

  test("a package that finds credentials by itself is not opened there", async () => {
    const use = { provider: "cloud", model: "m", endpoint: "https://evil.example" } as ModelUse
    await expect(
      opened(use, { providers: { cloud: { package: "@ai-sdk/amazon-bedrock" } } }),
    ).rejects.toThrow(/^cloud\/m.*@ai-sdk\/amazon-bedrock.*credentials.*https:\/\/evil\.example/)
  })
})

describe("what a model is opened with", () => {
  const facts = async (use: ModelUse, options?: ModelSourceOptions) => {
    const { id, price, window } = await opened(use, options)
    return { id, price, window }
  }

  test.each<[string, ModelUse, ModelSourceOptions, object]>([
    [
      "the table's price and window",
      { provider: "anthropic", model: "claude-sonnet-4-5-20250929" },
      {},
      { id: "anthropic/claude-sonnet-4-5-20250929", price: { input: 3e-6, output: 15e-6 }, window: 200_000 },
    ],
    [
      "no price where none is known",
      { provider: "ollama", model: "qwen3" },
      {},
      { id: "ollama/qwen3", price: undefined, window: undefined },
    ],
    [
      "a preset's own",
      { provider: "ollama", model: "qwen3" },
      {
        presets: {
          broken: { model: "sonet", window: 5 },
          q: { provider: "ollama", model: "qwen3", price: { input: 1, output: 2 }, window: 99 },
        },
      },
      { id: "ollama/qwen3", price: { input: 1e-6, output: 2e-6 }, window: 99 },
    ],
    [
      "settings of the program",
      { name: "own" },
      { models: { own: { provider: "ollama", model: "qwen3", price: { input: 3, output: 4 }, window: 7 } } },
      { id: "ollama/qwen3", price: { input: 3e-6, output: 4e-6 }, window: 7 },
    ],
  ])("%s", async (_, use, options, expected) => {
    expect(await facts(use, options)).toEqual(expected)
  })

  test("long prompts cost what long prompts cost", async () => {
    const cost = async (use: ModelUse) => {
      asked = []
      const model = await opened(use)
      const reply = await model.stream(requestWith(), () => undefined)
      return reply.usage.cost
    }
    // 200,000 tokens in, 10 out: above 100,000 of them Haiku 5.5 costs five times as much.
    expect(await cost({ provider: "anthropic", model: "claude-haiku-5-5" })).toBeCloseTo(
      0.2 * 0.5 + 10 * 2.5e-6,
      9,
    )
    expect(await cost({ provider: "anthropic", model: "claude-sonnet-5-5" })).toBeCloseTo(
      0.2 * 2 + 10 * 10e-6,
      9,
    )
  })

  test("the same use is the same model, another is not, and a failure is tried again", async () => {
    const given: NodeJS.ProcessEnv = {}
    const models = createModelSource({ environment: given, home: folder, userFolder: folder })
    const [one, same, other] = await Promise.all([
      models.open({ provider: "ollama", model: "a" }),
      models.open({ provider: "ollama", model: "a", parameters: { x: 1 }, effort: "high" }),
      models.open({ provider: "ollama", model: "a", endpoint: url } as ModelUse),
    ])
    expect([one === same, one === other]).toEqual([true, false])
    await expect(models.open({ provider: "openai", model: "a" })).rejects.toThrow("There is no key")
    given.OPENAI_API_KEY = "openai-secret"
    expect((await models.open({ provider: "openai", model: "a" })).id).toBe("openai/a")
  })
})

describe("whether a provider answers", () => {
  const reach = (provider: string, options: ModelSourceOptions = {}) =>
    createModelSource({ environment: environment(), home: folder, userFolder: folder, ...options }).reach(
      provider,
    )

  test("the list of models is asked for, with the key", async () => {
    expect([await reach("openai"), await reach("anthropic"), await reach("ollama")]).toEqual([
      { status: "reachable", detail: `${url}/v1 answered 200.` },
      { status: "reachable", detail: `${url} answered 200.` },
      { status: "reachable", detail: `${url}/v1 answered 200.` },
    ])
    expect(asked.map(({ path: place, headers }) => [place, headers.authorization])).toEqual([
      ["/v1/models", "Bearer openai-secret"],
      ["/v1/models", "Bearer anthropic-token"],
      ["/v1/models", undefined],
    ])
  })

  test("what goes wrong is the answer", async () => {
    status = 401
    expect([
      await reach("openai"),
      await reach("openai", { environment: {} }),
      await reach("opnai"),
      await reach("google"),
      await reach("vllm", { environment: { VLLM_BASE_URL: "http://127.0.0.1:1" } }),
      await reach("vllm", { environment: { VLLM_BASE_URL: "what" } }),
    ]).toEqual([
      { status: "refused", detail: `${url}/v1 answered 401: it refuses the key.` },
      { status: "no-key", detail: expect.stringContaining("Set OPENAI_API_KEY") },
      { status: "unknown", detail: expect.stringContaining('Did you mean "openai"?') },
      { status: "unsupported", detail: expect.any(String) },
      { status: "unreachable", detail: expect.stringContaining("http://127.0.0.1:1 does not answer") },
      {
        status: "unknown",
        detail: expect.stringMatching(/^vllm\/models.*vllm \(VLLM_BASE_URL\).*http.*https/),
      },
    ])
  })

  test("whoever asked can give up", async () => {
    const models = createModelSource({ environment: environment(), home: folder })
    expect((await models.reach("openai", AbortSignal.abort())).status).toBe("unreachable")
  })
})
