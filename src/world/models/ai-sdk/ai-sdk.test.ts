import { inspect } from "node:util"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI, VERSION } from "@ai-sdk/openai"
import type { LanguageModelV2, LanguageModelV3 } from "@ai-sdk/provider"
import { afterEach, describe, expect, test } from "vitest"
import type { Model, ModelDelta, ModelReply, ModelRequest } from "../../../agent/model.ts"
import {
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import { addTool as add, requestWith } from "../../../faces/testing/plain-request.ts"
import type { Attachment, Json, Message } from "../../../ground/message.ts"
import { type AiSdkOptions, aiSdkModel } from "./adapter.ts"
import { openAiSdkModel } from "./ai-sdk.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

const apiKey = "sk-sdk-0123456789abcdef"

/** The packages write some requests in another way since version 4. `npm run ai-sdk-versions` tests every version. */
const isBeforeVersion4 = Number.parseInt(VERSION, 10) < 4

let server: ModelServer
afterEach(() => server?.close())

const families = {
  openai: (options: AiSdkOptions = {}, model = "gpt-5") =>
    aiSdkModel(createOpenAI({ baseURL: server.url, apiKey }).responses(model), options),
  google: (options: AiSdkOptions = {}, model = "gemini-3-pro-preview") =>
    aiSdkModel(
      createGoogleGenerativeAI({ baseURL: server.url.replace(/v1$/, "v1beta"), apiKey })(model),
      options,
    ),
}
type Family = keyof typeof families

async function ask(
  family: Family,
  answer: ScriptedAnswer,
  request: Partial<ModelRequest> = {},
  options: AiSdkOptions = {},
): Promise<{ reply: ModelReply; deltas: readonly ModelDelta[]; body: Record<string, unknown> }> {
  server = await startModelServer({ script: [answer], apiKey })
  const deltas: ModelDelta[] = []
  const model = families[family](options)
  const reply = await model.stream(requestWith(request), (delta) => deltas.push(delta))
  return { reply, deltas, body: server.requests[0]?.body ?? {} }
}

const carried = (reply: ModelReply, id = "c1"): Message => ({
  role: "assistant",
  text: reply.text,
  calls: reply.calls.map(({ wire, tool, arguments: text }) => ({ id, wire, tool, arguments: text })),
  ...(reply.provider !== undefined && { provider: reply.provider }),
})
const result = (wire: string, text: string): Message => ({
  role: "tool",
  call: "c1",
  wire,
  tool: "add",
  text,
})

describe("a request to OpenAI's responses", () => {
  test("is whole: nothing is stored, and what was signed comes back in its place", async () => {
    const first = await ask("openai", {
      reasoning: "Let me see.",
      redacted: "sealed",
      text: "Adding.",
      calls: [{ id: "w1", tool: "add", arguments: { a: 1 } }],
    })
    const sealed = expect.stringMatching(/^.{44}$/)
    expect(first.reply).toEqual({
      text: "Adding.",
      calls: [{ wire: "w1", tool: "add", arguments: '{"a":1}' }],
      usage: { inputTokens: 100, outputTokens: 10 },
      stop: "calls",
      model: "gpt-5",
      provider: {
        "ai-sdk": {
          provider: "openai",
          parts: [
            {
              type: "reasoning",
              text: "Let me see.",
              options: { openai: { itemId: "rs_1_0", reasoningEncryptedContent: sealed } },
            },
            {
              type: "reasoning",
              text: "",
              options: { openai: { itemId: "rs_1_1", reasoningEncryptedContent: "sealed" } },
            },
            { type: "text", length: 7, options: { openai: { itemId: "msg_1_2" } } },
            { type: "call", options: { openai: { itemId: "fc_1_3" } } },
          ],
        },
      },
    })
    await server.close()
    const messages = [
      { role: "user", text: "Hello" } as const,
      carried(first.reply),
      result("w1", "2"),
      { role: "user", text: "Once more" } as const,
    ]
    const second = await ask("openai", { text: "ok" }, { messages })
    expect([server.requests[0]?.problem, second.reply.error]).toEqual([undefined, undefined])
    expect(second.body).toEqual({
      model: "gpt-5",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      tools: [{ type: "function", name: "add", description: "Adds.", parameters: add.input, strict: false }],
      input: [
        { role: "developer", content: "You add." },
        { role: "user", content: [{ type: "input_text", text: "Hello" }] },
        {
          type: "reasoning",
          id: "rs_1_0",
          encrypted_content: sealed,
          summary: [{ type: "summary_text", text: "Let me see." }],
        },
        { type: "reasoning", id: "rs_1_1", encrypted_content: "sealed", summary: [] },
        {
          role: "assistant",
          content: isBeforeVersion4 ? [{ type: "output_text", text: "Adding." }] : "Adding.",
        },
        { type: "function_call", call_id: "w1", name: "add", arguments: '{"a":1}' },
        { type: "function_call_output", call_id: "w1", output: "2" },
        { role: "user", content: [{ type: "input_text", text: "Once more" }] },
      ],
    })
  })

  test("52: what was thought before a call that was cut is not sent alone", async () => {
    const { reply } = await ask("openai", {
      reasoning: "Hm.",
      calls: [{ id: "w1", tool: "add", arguments: '{"a":' }],
      stop: "length",
    })
    expect([reply.stop, reply.calls]).toEqual(["length", []])
    await server.close()
    const messages = [
      { role: "user", text: "Go" } as const,
      carried(reply),
      { role: "user", text: "On" } as const,
    ]
    const { body } = await ask("openai", { text: "ok" }, { messages })
    expect(server.requests[0]?.problem).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain("Hm.")
  })

  const summary = isBeforeVersion4 ? {} : { summary: "detailed" }
  test.each<[Partial<ModelRequest>, object]>([
    [{ effort: "high" }, { reasoning: { effort: "high", ...summary } }],
    [{ effort: 4000 }, {}],
    [
      { effort: "high", parameters: { reasoning_effort: "low" } },
      { reasoning: { effort: "low", ...summary } },
    ],
    [{ parameters: { parallel_tool_calls: false } }, { parallel_tool_calls: false }],
    [{ parameters: { max_output_tokens: 50 }, maxOutputTokens: 90 }, { max_output_tokens: 50 }],
    [{ parameters: { max_tokens: 50 }, maxOutputTokens: 20 }, { max_output_tokens: 20 }],
    [{ parameters: { tool_choice: "required" } }, { tool_choice: "required" }],
    [{ parameters: { service_tier: null, user: "u" } }, { user: "u" }],
  ])("with %j has %j", async (request, expected) => {
    const plain = (await ask("openai", { text: "x" })).body
    await server.close()
    const { body, reply } = await ask("openai", { text: "x" }, request)
    expect(reply.error).toBeUndefined()
    expect(body).toEqual({ ...plain, ...expected })
  })

  test("with parameters of the client has them, and those of the definition over them", async () => {
    const options = { parameters: { user: "mine", max_tokens: 30, store: null } }
    const { body } = await ask("openai", { text: "x" }, { parameters: { user: "yours" } }, options)
    expect(body).toMatchObject({ user: "yours", max_output_tokens: 30, store: false })
  })
})

describe("a request to Gemini", () => {
  const [failure, schema] = isBeforeVersion4 ? ["content", "parameters"] : ["error", "parametersJsonSchema"]

  test("is whole, with the signature of its call", async () => {
    const calls = ["w1", "w2"].map((id) => ({ id, tool: "add", arguments: { a: 1 } }))
    const first = await ask("google", { reasoning: "Let me see.", text: "Adding.", calls })
    const signature = expect.stringMatching(/^.{44}$/)
    expect(first.reply).toEqual({
      text: "Adding.",
      calls: [
        { wire: "w1", tool: "add", arguments: '{"a":1}' },
        { wire: "w2", tool: "add", arguments: '{"a":1}' },
      ],
      usage: { inputTokens: 100, outputTokens: 10 },
      stop: "calls",
      model: expect.stringMatching(/^gemini/),
      provider: {
        "ai-sdk": {
          provider: "google",
          parts: [
            { type: "reasoning", text: "Let me see." },
            { type: "text", length: 7 },
            { type: "call", options: { google: { thoughtSignature: signature } } },
            { type: "call" },
          ],
        },
      },
    })
    await server.close()
    const messages = [
      { role: "user", text: "Hello" } as const,
      carried(first.reply),
      result("w1", "2"),
      { ...result("w2", "broken"), isError: true } as Message,
    ]
    const { body } = await ask("google", { text: "ok" }, { messages })
    expect(server.requests[0]?.problem).toBeUndefined()
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "You add." }] },
      generationConfig: {},
      tools: [{ functionDeclarations: [{ name: "add", description: "Adds.", [schema]: add.input }] }],
      contents: [
        { role: "user", parts: [{ text: "Hello" }] },
        {
          role: "model",
          parts: [
            { text: "Let me see.", thought: true },
            { text: "Adding." },
            { functionCall: { id: "w1", name: "add", args: { a: 1 } }, thoughtSignature: signature },
            { functionCall: { id: "w2", name: "add", args: { a: 1 } } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "w1", name: "add", response: { name: "add", content: "2" } } },
            { functionResponse: { id: "w2", name: "add", response: { name: "add", [failure]: "broken" } } },
          ],
        },
      ],
    })
  })

  test.each<[Partial<ModelRequest>, object]>([
    [{ effort: "low" }, { thinkingConfig: { thinkingLevel: "low" } }],
    [{ effort: "max" }, { thinkingConfig: { thinkingLevel: "high" } }],
    [{ effort: 4000.5 }, { thinkingConfig: { thinkingBudget: 4000 } }],
    [{ effort: "none" }, { thinkingConfig: { thinkingBudget: 0 } }],
    [
      { effort: "low", parameters: { thinkingConfig: { thinkingBudget: 7 } } },
      { thinkingConfig: { thinkingBudget: 7 } },
    ],
    [
      { parameters: { temperature: 0.5, top_p: 0.9, topK: 3, seed: 7, stop: "END" } },
      { temperature: 0.5, topP: 0.9, topK: 3, seed: 7, stopSequences: ["END"] },
    ],
    [
      { parameters: { presence_penalty: 1, frequencyPenalty: 2 } },
      { presencePenalty: 1, frequencyPenalty: 2 },
    ],
  ])("with %j has %j", async (request, expected) => {
    const { body, reply } = await ask("google", { text: "x" }, request)
    expect(reply.error).toBeUndefined()
    expect(body.generationConfig).toEqual(expected)
  })
})

describe("a history that another provider wrote, or somebody rewrote", () => {
  const reasoning = { type: "reasoning", text: "Hm.", options: { openai: { itemId: "rs_1" } } }
  const call = { id: "c1", wire: "w1", tool: "add", arguments: "{}" }

  test("loses what only that provider reads", async () => {
    const provider = { "ai-sdk": { provider: "openai", parts: [reasoning, { type: "call" }] } }
    const message: Message = { role: "assistant", text: "", calls: [call], provider }
    const messages = [{ role: "user", text: "Go" } as const, message, result("w1", "1")]
    const { body } = await ask("google", { text: "ok" }, { messages })
    expect(server.requests[0]?.problem).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain("Hm.")
  })

  test("keeps its reasoning first where text or calls are not what they were", async () => {
    const parts: Json = [{ type: "text", length: 3 }, { type: "reasoning", text: "Hm." }, { type: "call" }]
    const provider = { "ai-sdk": { provider: "google", parts } }
    const message: Message = { role: "assistant", text: "Other", calls: [call], provider }
    const messages = [{ role: "user", text: "Go" } as const, message, result("w1", "1")]
    const { body } = await ask("google", { text: "ok" }, { messages })
    expect(body.contents).toMatchObject([
      {},
      { parts: [{ text: "Hm.", thought: true }, { text: "Other" }, { functionCall: { name: "add" } }] },
      {},
    ])
  })

  test("47: a call without a result is given one", async () => {
    const message: Message = { role: "assistant", text: "", calls: [call] }
    const { body, reply } = await ask(
      "openai",
      { text: "ok" },
      { messages: [{ role: "user", text: "Go" }, message] },
    )
    expect(reply.error).toBeUndefined()
    expect(body.input).toContainEqual({
      type: "function_call_output",
      call_id: "w1",
      output: isBeforeVersion4
        ? expect.stringMatching(/result.*recorded/)
        : expect.stringMatching(/^\{"error":"No.*result.*recorded/),
    })
  })
})

describe("what a reply costs", () => {
  const tokens = { inputTokens: 100, outputTokens: 10, cachedTokens: 40, reasoningTokens: 4 }

  test.each<[AiSdkOptions["price"], number | undefined]>([
    [undefined, undefined],
    [{ input: 3, output: 15 }, undefined],
    [{ input: 3, output: 15, cacheRead: 1 }, 60 * 3 + 40 * 1 + 10 * 15],
  ])("with a price of %j is %s", async (price, cost) => {
    for (const family of ["openai", "google"] as const) {
      const { reply } = await ask(family, { text: "x", tokens }, {}, price ? { price } : {})
      expect(reply.usage).toEqual({ ...tokens, ...(cost !== undefined && { cost }) })
      await server.close()
    }
  })
})

describe("opening a model", () => {
  const options = { id: "mine", package: "@ai-sdk/openai", provider: "openai", model: "gpt-5" }

  test("an absent package is named, with what installs it", async () => {
    await expect(
      openAiSdkModel({ ...options, package: "@ai-sdk/nowhere", provider: "nowhere" }),
    ).rejects.toMatchObject({
      code: "MODEL_UNKNOWN",
      message: expect.stringMatching(
        /^mine: models of nowhere need the package @ai-sdk\/nowhere, which.*installed.*install.*@ai-sdk\/nowhere.?$/,
      ),
    })
  })

  test.each([
    [{ package: "zod" }, /zod.*exports/],
    [{ baseUrl: "ftp://user:hunter2@host" }, /baseUrl.*https/],
    [{ idleTimeout: 0 }, /idleTimeout is 0/],
    [{ window: 0.5 }, /window is 0.5/],
  ])("with %j is refused", async (wrong, message) => {
    await expect(openAiSdkModel({ ...options, apiKey, ...wrong })).rejects.toThrow(message)
    await expect(openAiSdkModel({ ...options, apiKey, ...wrong })).rejects.not.toThrow(/hunter2/)
  })

  test("gives what the runtime wants to know about it", async () => {
    const open = (more: object) =>
      openAiSdkModel({ ...options, apiKey, baseUrl: "http://127.0.0.1:1/v1", ...more })
    const model = await open({ price: { input: 1, output: 2, cacheRead: 0.1 }, window: 1000 })
    expect(model).toMatchObject({
      id: "mine",
      asks: "gpt-5",
      price: { input: 1, output: 2 },
      window: 1000,
      rateLimitGroup: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1#[0-9a-f]{12}$/),
    })
    expect(model.redact?.(`x ${apiKey} y`)).toBe("x [redacted] y")
    expect((await open({ model: "gpt-5-mini" })).rateLimitGroup).toBe(model.rateLimitGroup)
    expect((await open({ apiKey: "another-key-0123" })).rateLimitGroup).not.toBe(model.rateLimitGroup)
  })

  test("the key is in nothing that is returned or shown, wherever it came from", async () => {
    const said = { message: `Incorrect API key: ${apiKey}`, type: "authentication_error" }
    const fault = { type: "status", status: 401, error: said } as const
    server = await startModelServer({ script: () => ({ fault }) })
    const given = await openAiSdkModel({ ...options, apiKey, baseUrl: server.url })
    process.env.OPENAI_API_KEY = apiKey
    const own = await openAiSdkModel({ ...options, baseUrl: server.url })
    for (const model of [given, own] satisfies readonly Model[]) {
      const reply = await model.stream(requestWith(), () => {})
      expect(reply.error?.message).toContain("Incorrect API key: [redacted]")
      expect(inspect([reply, model], { depth: 9, showHidden: true })).not.toContain(apiKey)
    }
    delete process.env.OPENAI_API_KEY
  })

  test("a redirect is not followed", async () => {
    const fault = { type: "status", status: 307, headers: { location: "http://elsewhere/" } } as const
    server = await startModelServer({ script: [{ fault }] })
    const model = await openAiSdkModel({ ...options, apiKey, baseUrl: server.url })
    const { error } = await model.stream(requestWith(), () => {})
    expect(error).toMatchObject({ kind: "rejected", retryable: false })
    expect(error?.message).toMatch(/redirect to http:\/\/elsewhere\//)
    expect(server.requests).toHaveLength(1)
  })

  test("74: 300 MB are given up at the usual cap, without being kept", async () => {
    server = await startModelServer({ script: [{ fault: { type: "flood", bytes: 300 * 2 ** 20 } }] })
    const model = await openAiSdkModel({ ...options, apiKey, baseUrl: server.url })
    const before = process.memoryUsage.rss()
    const { error } = await model.stream(requestWith(), () => {})
    expect(error).toEqual({
      kind: "protocol",
      message: `${new URL(server.url).host} sent more than 33554432 bytes.`,
      retryable: false,
    })
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20)
  })

  test("75: a body that is not encoded as it says is a clear error", async () => {
    const headers = { "content-encoding": "gzip" }
    const fault = { type: "raw", body: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6]), headers } as const
    server = await startModelServer({ script: [{ fault }] })
    const model = await openAiSdkModel({ ...options, apiKey, baseUrl: server.url })
    const { error } = await model.stream(requestWith(), () => {})
    expect(error).toMatchObject({ kind: "protocol" })
  })

  test("a missing key is an error in the reply", async () => {
    const model = await openAiSdkModel(options)
    const { error } = await model.stream(requestWith(), () => {})
    expect(error).toMatchObject({ kind: "rejected", retryable: false })
    expect(error?.message).toMatch(/OPENAI_API_KEY/)
  })
})

test("language models of versions 2 and 3 are taken as they are", () => {
  type Taken<Given extends AiSdkLanguageModel> = Given["modelId"]
  const taken: [Taken<LanguageModelV2>, Taken<LanguageModelV3>] = ["a", "b"]
  expect(taken).toHaveLength(2)
})

const shown: Attachment = { blob: "b", mediaType: "image/png", size: 9, name: "shown.png" }
const pictured: readonly Message[] = [
  { role: "user", text: "Look.", attachments: [shown, { ...shown, blob: "gone" }] },
  { role: "assistant", text: "", calls: [{ id: "c1", wire: "w1", tool: "add", arguments: "{}" }] },
  { role: "tool", call: "c1", wire: "w1", tool: "add", text: "Here.", attachments: [shown] },
]

test.each([
  ["v2", "AAAA"],
  ["v3", "AAAA"],
  ["v4", { type: "data", data: "AAAA" }],
])("version %s is shown pictures as it takes them, those of results after these", async (version, data) => {
  let asked: { readonly prompt: readonly unknown[] } | undefined
  const model = aiSdkModel({
    specificationVersion: version,
    provider: "p",
    modelId: "m",
    doStream: async (call) => {
      asked = call
      throw new Error("enough")
    },
  })
  const contentOf = ({ blob }: Attachment) => (blob === "gone" ? undefined : "AAAA")
  await model.stream(requestWith({ system: "", messages: pictured, contentOf }), () => {})
  const file = { type: "file", mediaType: "image/png", data, filename: "shown.png" }
  expect(asked?.prompt).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        file,
        { type: "text", text: expect.stringMatching(/^\(shown\.png.*missing.*files/) },
      ],
    },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "w1", toolName: "add", input: {} }],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "w1", toolName: "add", output: { type: "text", value: "Here." } },
      ],
    },
    {
      role: "user",
      content: [{ type: "text", text: expect.stringMatching(/Attachments.*add \(w1\).?$/) }, file],
    },
  ])
})
