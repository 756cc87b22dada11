import { createGoogleGenerativeAI } from "@ai-sdk/google"
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { JsonMap } from "../../ground/message.ts"
import { callSignature, geminiRules } from "./model-server/gemini-rules.ts"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "./model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "key" })
})
afterAll(() => server.close())

const baseUrl = (of: ModelServer) => of.url.replace(/v1$/, "v1beta")

const post = (body: unknown, headers: Record<string, string> = {}, method = "generateContent") =>
  fetch(`${baseUrl(server)}/models/m:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": "key", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

const asking = (...contents: unknown[]) => ({ contents })
const turn = (role: string, ...parts: unknown[]) => ({ role, parts })
const user = turn("user", { text: "Go" })
const call = (id: string, more: object = {}, name = "add") => ({
  functionCall: { id, name, args: { a: 1 } },
  ...more,
})
const answer = (id: string, name = "add") => ({ functionResponse: { id, name, response: { content: "1" } } })
const tool = (name: unknown, more: object) => ({
  ...asking(user),
  tools: [{ functionDeclarations: [{ name, description: "", ...more }] }],
})
const object = { type: "object", properties: { a: { type: "number" } }, required: ["a"] }
const signed = (thoughtSignature: string) =>
  asking(user, turn("model", call("a", { thoughtSignature })), turn("user", answer("a")))

describe("the strict model server, for Gemini", () => {
  test.each([
    ["a conversation", asking(user, turn("model", { text: "Yes" }), user, user)],
    ["a system instruction", { ...asking(user), systemInstruction: { parts: [{ text: "Be." }] } }],
    [
      "calls answered in order",
      asking(
        user,
        turn("model", { text: "Hm.", thought: true }, call("a"), call("b")),
        turn("user", answer("a"), answer("b")),
      ),
    ],
    ["a signed call", signed(callSignature("add", { a: 1 }))],
    ["a call that asks not to be checked", signed("skip_thought_signature_validator")],
    ["tools with a schema", tool("add", { parametersJsonSchema: object })],
    ["settings", { ...asking(user), generationConfig: { maxOutputTokens: 1, temperature: 0 } }],
  ])("answers %s", async (_, body) => {
    const response = await post(body)
    expect([response.status, server.requests.at(-1)?.problem]).toEqual([200, undefined])
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }],
      modelVersion: "m",
    })
  })

  const refused: readonly [string, object, RegExp][] = [
    ["no contents", {}, /contents/],
    ["an unknown parameter", { ...asking(user), messages: [] }, /Unknown name "messages"/],
    [
      "an unknown setting",
      { ...asking(user), generationConfig: { max_tokens: 1 } },
      /"max_tokens" at 'generation_config'/,
    ],
    [
      "a bound that is none",
      { ...asking(user), generationConfig: { maxOutputTokens: 0 } },
      /maxOutputTokens value of 0/,
    ],
    ["an unknown role", asking(turn("assistant", { text: "x" })), /valid role/],
    ["a model that speaks first", asking(turn("model", { text: "x" }), user), /first turn/],
    ["a model that speaks last", asking(user, turn("model", { text: "x" })), /last turn/],
    [
      "a model that speaks twice",
      asking(user, turn("model", { text: "x" }), turn("model", { text: "y" }), user),
      /follow/,
    ],
    ["a turn of nothing", asking(turn("user")), /must not be empty/],
    ["a text of nothing", asking(turn("user", { text: "" })), /oneof/],
    ["a part of two kinds", asking(turn("user", { text: "x", ...answer("a") })), /oneof/],
    [
      "47: a call without its result",
      asking(user, turn("model", call("a")), user),
      /number of function response parts/,
    ],
    [
      "48: a result without its call",
      asking(user, turn("model", { text: "x" }), turn("user", answer("a"))),
      /number/,
    ],
    [
      "48: results in another order",
      asking(user, turn("model", call("a"), call("b")), turn("user", answer("b"), answer("a"))),
      /not for/,
    ],
    [
      "a call of a bad name",
      asking(user, turn("model", call("a", {}, "a b")), turn("user", answer("a", "a b"))),
      /function name/,
    ],
    [
      "a system instruction of nothing",
      { ...asking(user), systemInstruction: { parts: [{ text: "" }] } },
      /system_instruction.parts\[0\].data/,
    ],
    ["a signature that was changed", signed("AAAA"), /Thought signature is not valid/],
    ["a tool that begins with a digit", tool("2fa", {}), /start with a letter/],
    [
      "one name for two tools",
      {
        ...asking(user),
        tools: [{ functionDeclarations: [1, 2].map(() => ({ name: "a", description: "" })) }],
      },
      /Duplicate function declaration found: a/,
    ],
    [
      "a call that follows no turn of the user",
      asking(user, turn("model", { text: "x" }), turn("model", call("a")), turn("user", answer("a"))),
      /function call turn comes immediately after/,
    ],
    ["an empty list of tools", { ...asking(user), tools: [] }, /tools/],
    ["a tool with a bad name", tool("a b", {}), /function name/],
    ["a tool whose schema is no object's", tool("a", { parametersJsonSchema: { type: "string" } }), /schema/],
    ["settings for no tools", { ...asking(user), toolConfig: {} }, /tool_config/],
  ]

  test("each rule is broken below", () => {
    const broken = refused.map(
      ([, body]) => geminiRules.find((rule) => rule.refuses(body as JsonMap, new Map()) !== undefined)?.name,
    )
    expect(new Set(broken)).toEqual(new Set(geminiRules.map(({ name }) => name)))
  })

  test.each(refused)("refuses %s", async (_, body, message) => {
    const response = await post(body)
    const { error } = (await response.json()) as { error: { code: number; message: string; status: string } }
    expect([response.status, error.code, error.status]).toEqual([400, 400, "INVALID_ARGUMENT"])
    expect(error.message).toMatch(message)
    expect(server.requests.at(-1)).toMatchObject({ protocol: "gemini", problem: error.message })
  })

  test("refuses a wrong key, and a stream that is not one of events", async () => {
    expect((await post(asking(user), { "x-goog-api-key": "other" })).status).toBe(401)
    expect((await post(asking(user), {}, "streamGenerateContent")).status).toBe(400)
    expect((await post(asking(user), {}, "streamGenerateContent?alt=sse")).status).toBe(200)
  })
})

/** The AI SDK's own client reads the server's answers. */
describe("the strict model server, read by @ai-sdk/google", () => {
  let own: ModelServer
  afterEach(() => own.close())

  async function model(given: ScriptedAnswer) {
    own = await startModelServer({ script: [given], apiKey: "key" })
    return createGoogleGenerativeAI({ baseURL: baseUrl(own), apiKey: "key" })("gemini-3-pro-preview")
  }
  const options: LanguageModelV3CallOptions = {
    prompt: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
  }
  const given: ScriptedAnswer = {
    reasoning: "Let me 🙂 see.",
    text: "Two words.",
    calls: [{ tool: "add", arguments: { a: "ü🙂" }, id: "one" }],
    tokens: { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 },
  }
  const usage = {
    inputTokens: { total: 50, noCache: 10, cacheRead: 40 },
    outputTokens: { total: 20, text: 13, reasoning: 7 },
  }

  test("an answer in JSON is what it expects", async () => {
    const { content, finishReason, usage: used } = await (await model(given)).doGenerate(options)
    expect(content).toMatchObject([
      { type: "reasoning", text: "Let me 🙂 see." },
      { type: "text", text: "Two words." },
      {
        type: "tool-call",
        toolCallId: "one",
        input: '{"a":"ü🙂"}',
        providerMetadata: { google: { thoughtSignature: callSignature("add", { a: "ü🙂" }) } },
      },
    ])
    expect([finishReason.unified, used]).toMatchObject(["tool-calls", usage])
  })

  test.each([1, 7, 100_000])("a stream in pieces of %i bytes is the same answer", async (bytes) => {
    const { stream } = await (await model({ ...given, fault: { type: "pieces", bytes } })).doStream(options)
    const parts: Record<string, unknown>[] = []
    for await (const part of stream as unknown as AsyncIterable<Record<string, unknown>>) parts.push(part)
    const written = (type: string) => parts.map((part) => (part.type === type ? part.delta : "")).join("")
    expect([written("reasoning-delta"), written("text-delta")]).toEqual(["Let me 🙂 see.", "Two words."])
    expect(parts.filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "one", toolName: "add", input: '{"a":"ü🙂"}' },
    ])
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" }, usage })
  })
})
