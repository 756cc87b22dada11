import { createOpenAI, VERSION } from "@ai-sdk/openai"
import type { APICallError, LanguageModelV3CallOptions } from "@ai-sdk/provider"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { makeSignature } from "./model-server/protocol.ts"
import { responsesRules } from "./model-server/responses-rules.ts"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "./model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "key" })
})
afterAll(() => server.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

const asking = (...input: unknown[]) => ({ model: "m", input })
const user = { role: "user", content: "Go" }
const said = { role: "assistant", content: [{ type: "output_text", text: "Yes", annotations: [] }] }
const called = (call_id: unknown, name: unknown = "add") => ({
  type: "function_call",
  call_id,
  name,
  arguments: "{}",
})
const output = (call_id: string, more: object = {}) => ({
  type: "function_call_output",
  call_id,
  output: "1",
  ...more,
})
const reasoning = (more: object = {}) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: makeSignature("Hm."),
  ...more,
})
const tool = (name: unknown, parameters: unknown, more: object = {}) => ({
  ...asking(user),
  tools: [{ type: "function", name, description: "", parameters, strict: false, ...more }],
})
const pdf = "data:application/pdf;base64,JVBERi0="
const object = { type: "object", properties: { a: { type: "number" } }, required: ["a"] }

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  ["no JSON", "{", /not a JSON object/],
  ["no model", { input: "Go" }, /model/],
  ["no input", { model: "m" }, /input/],
  ["an empty input", asking(), /input/],
  ["an unknown parameter", { ...asking(user), seed: 5 }, /Unknown parameter: 'seed'/],
  ["a parameter of the older protocol", { ...asking(user), max_tokens: 5 }, /moved to 'max_output_tokens'/],
  ["messages of the older protocol", { model: "m", messages: [user] }, /moved to 'input'/],
  [
    "a temperature for a model that reasons",
    { ...asking(user), model: "gpt-5.4", temperature: 1 },
    /'temperature' is not supported/,
  ],
  [
    "sealed reasoning of a model that has none",
    { ...asking(user), model: "gpt-4o", include: ["reasoning.encrypted_content"] },
    /Encrypted content is not supported/,
  ],
  [
    "an effort of a model that has none",
    { ...asking(user), model: "gpt-4o", reasoning: { effort: "low" } },
    /'reasoning.effort' is not supported/,
  ],
  [
    "a format without a name",
    { ...asking(user), text: { format: { type: "json_schema", schema: {} } } },
    /'text.format.name'/,
  ],
  [
    "a key of the cache that is too long",
    { ...asking(user), prompt_cache_key: "k".repeat(65) },
    /maximum length 64/,
  ],
  [
    "what was said before, by its id",
    { ...asking(user), previous_response_id: "resp_1" },
    /'resp_1' not found/,
  ],
  [
    "a tool that is strict because it does not say",
    tool("add", object, { strict: undefined }),
    /Invalid schema for function 'add'/,
  ],
  [
    "a choice of another tool",
    { ...tool("add", object), tool_choice: { type: "function", name: "other" } },
    /'other' not found/,
  ],
  [
    "a picture that is none",
    asking({ role: "user", content: [{ type: "input_image", image_url: "a.png" }] }),
    /image_url/,
  ],
  [
    "a file without a name",
    asking({ role: "user", content: [{ type: "input_file", file_data: pdf }] }),
    /filename/,
  ],
  ["reasoning without a summary", asking(user, { ...reasoning(), summary: undefined }, said), /summary/],
  ["an unknown phase", asking(user, { ...said, phase: "last" }), /phase/],
  ["a reply too short", { ...asking(user), max_output_tokens: 15 }, />= 16, but got 15/],
  ["an unknown effort", { ...asking(user), reasoning: { effort: "eager" } }, /'eager'/],
  ["an unknown thing to include", { ...asking(user), include: ["everything"] }, /include/],
  ["a temperature that is none", { ...asking(user), temperature: "hot" }, /temperature/],
  ["a store that is none", { ...asking(user), store: "yes" }, /store/],
  ["instructions that are no text", { ...asking(user), instructions: [] }, /instructions/],
  ["an unknown role", asking({ role: "tool", content: "x" }), /role/],
  ["an unknown item", asking({ type: "news" }), /type/],
  ["an unknown key of a message", asking({ ...user, tool_calls: [] }), /input\[0\]\.tool_calls/],
  ["what a user says, as output", asking({ ...said, role: "user" }), /input_text/],
  [
    "what the model said, as input",
    asking({ role: "assistant", content: [{ type: "input_text" }] }),
    /output_text/,
  ],
  ["47: a call without its result", asking(user, called("a")), /No tool output found for function call a/],
  ["48: a result without its call", asking(user, output("a")), /No tool call found .* call_id a/],
  ["48: a result before its call", asking(user, output("a"), called("a")), /No tool call found/],
  ["48: a second result", asking(user, called("a"), output("a"), output("a")), /No tool call found/],
  ["46: an id twice", asking(user, called("a"), output("a"), called("a"), output("a")), /two calls/],
  ["46: an empty id", asking(user, called("")), /call_id/],
  ["46: an endless id", asking(user, called("x".repeat(65))), /call_id/],
  ["a call of a bad name", asking(user, called("a", "a b"), output("a")), /name/],
  ["a result that is no text", asking(user, called("a"), output("a", { output: 7 })), /output/],
  [
    "reasoning that was changed",
    asking(user, reasoning({ encrypted_content: "x" }), said),
    /could not be verified/,
  ],
  [
    "reasoning that is not sealed",
    asking(user, reasoning({ encrypted_content: undefined }), said),
    /verified/,
  ],
  ["reasoning at the end", asking(user, reasoning()), /without its required following item/],
  ["reasoning before a user's message", asking(user, reasoning(), user), /required following item/],
  ["an empty list of tools", { ...asking(user), tools: [] }, /tools/],
  ["a choice of no tools", { ...asking(user), tool_choice: "auto" }, /tool_choice/],
  ["a tool with a bad name", tool("a b", object), /name/],
  [
    "a tool twice",
    { ...tool("a", object), tools: [...tool("a", object).tools, ...tool("a", object).tools] },
    /twice/,
  ],
  ["a tool without a schema", tool("add", undefined), /schema/],
  ["a tool in the older form", tool("add", object, { function: {} }), /tools\[0\]\.function/],
  ["a lone surrogate", '{"model":"m","input":"\\ud83d"}', /surrogate/],
]

const notFound: readonly (readonly [string, object])[] = [
  ["a reference", asking(user, { type: "item_reference", id: "rs_1" })],
  ["the id of a message", { ...asking(user, { ...said, id: "msg_1" }), store: false }],
  ["the id of a call", { ...asking(user, { ...called("a"), id: "fc_1" }, output("a")), store: false }],
]

describe("the strict model server, for OpenAI's responses", () => {
  test.each([
    ["a text", { model: "m", input: "Go", instructions: "Be." }],
    ["a conversation", asking({ role: "developer", content: "Be." }, user, said, user)],
    ["calls answered in any order", asking(user, called("a"), called("b"), output("b"), output("a"))],
    ["reasoning before a call", asking(user, reasoning(), called("a"), output("a"))],
    ["reasoning before a message", asking(user, reasoning(), reasoning(), said, user)],
    [
      "reasoning nobody may read",
      asking(user, reasoning({ summary: [], encrypted_content: "x" }), said, user),
    ],
    ["tools with a schema", tool("add", object)],
    [
      "pictures and files, of a user and of a tool",
      asking(
        {
          role: "user",
          content: [{ type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" }],
        },
        called("a"),
        output("a", { output: [{ type: "input_file", filename: "a.pdf", file_data: pdf }] }),
      ),
    ],
    [
      "a temperature, where nothing is reasoned",
      { ...asking(user), model: "gpt-5.4", temperature: 1, reasoning: { effort: "none" } },
    ],
    ["settings", { ...asking(user), max_output_tokens: 16, temperature: 0, reasoning: { effort: "high" } }],
  ])("answers %s", async (_, body) => {
    const response = await post(body)
    expect([response.status, server.requests.at(-1)?.problem]).toEqual([200, undefined])
    expect(await response.json()).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "ok" }] }],
    })
  })

  test.each(refused)("refuses %s", async (_, body, message) => {
    const response = await post(body)
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    expect([response.status, error.type]).toEqual([400, "invalid_request_error"])
    expect(error.message).toMatch(message)
    expect(server.requests.at(-1)).toMatchObject({ protocol: "responses", problem: error.message })
  })

  test.each(notFound)("does not find %s, because nothing was stored", async (_, body) => {
    const response = await post(body)
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([
      404,
      expect.stringMatching(/^Item with id '\w+_1' not found\. Items are not persisted/),
    ])
  })

  test.each([
    [{ ...asking(user), store: false }, undefined],
    [{ ...asking(user), store: true }, [expect.stringContaining("`store` is not false")]],
    [asking(user), [expect.stringContaining("`store` is not false")]],
  ])("notes of %j that %j", async (body, notes) => {
    expect((await post(body)).status).toBe(200)
    expect(server.requests.at(-1)?.notes).toEqual(notes)
  })

  test("has a sentence, a place and a day for each of its rules", () => {
    for (const { name, says, source, read, status } of responsesRules)
      expect([name, says.length > 10, source.length > 10, /^\d{4}-\d\d-\d\d$/.test(read), status]).toEqual([
        name,
        true,
        true,
        true,
        expect.toSatisfy((value) => value === 400 || value === 404),
      ])
  })

  test("breaks each of its rules above", () => {
    // In the form in which they arrive: without undefined values.
    const bodies = [...refused, ...notFound].map(([, body]) => JSON.parse(JSON.stringify(body)))
    const broken = bodies
      .filter((body) => typeof body === "object")
      .map((body) => responsesRules.find((rule) => rule.refuses(body, new Map()) !== undefined)?.name)
    expect(responsesRules.map(({ name }) => name).filter((name) => !broken.includes(name))).toEqual([])
  })

  test("refuses a wrong key", async () => {
    expect((await post(asking(user), { authorization: "Bearer other" })).status).toBe(401)
  })
})

/** The AI SDK's own client reads the server's answers. */
describe("the strict model server, read by @ai-sdk/openai", () => {
  let own: ModelServer
  afterEach(() => own.close())

  async function model(answer: ScriptedAnswer) {
    own = await startModelServer({ script: [answer], apiKey: "key" })
    return createOpenAI({ baseURL: own.url, apiKey: "key" }).responses("gpt-5")
  }

  const options: LanguageModelV3CallOptions = {
    prompt: [{ role: "user", content: [{ type: "text", text: "Go" }] }],
    providerOptions: { openai: { store: false } },
  }
  const answer: ScriptedAnswer = {
    reasoning: "Let me 🙂 see.",
    text: "Two words.",
    calls: [
      { tool: "add", arguments: { a: "ü🙂" }, id: "one" },
      { tool: "add", arguments: {}, id: "two" },
    ],
    tokens: { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 },
  }
  const usage = {
    inputTokens: { total: 50, noCache: 10, cacheRead: 40 },
    outputTokens: { total: 20, text: 13, reasoning: 7 },
  }

  test("an answer in JSON is what it expects", async () => {
    const { content, finishReason, usage: used, response } = await (await model(answer)).doGenerate(options)
    expect(content).toMatchObject([
      { type: "reasoning", text: "Let me 🙂 see." },
      { type: "text", text: "Two words." },
      { type: "tool-call", toolCallId: "one", toolName: "add", input: '{"a":"ü🙂"}' },
      { type: "tool-call", toolCallId: "two", toolName: "add", input: "{}" },
    ])
    expect([finishReason.unified, response?.modelId]).toEqual(["tool-calls", "gpt-5"])
    expect(used).toMatchObject(usage)
  })

  async function partsOf(given: ScriptedAnswer): Promise<readonly Record<string, unknown>[]> {
    const { stream } = await (await model(given)).doStream(options)
    const parts: Record<string, unknown>[] = []
    for await (const part of stream as unknown as AsyncIterable<Record<string, unknown>>) parts.push(part)
    return parts
  }

  test.each([1, 7, 100_000])("a stream in pieces of %i bytes is the same answer", async (bytes) => {
    const parts = await partsOf({ ...answer, fault: { type: "pieces", bytes } })
    const written = (type: string) => parts.map((part) => (part.type === type ? part.delta : "")).join("")
    expect([written("reasoning-delta"), written("text-delta"), written("tool-input-delta")]).toEqual([
      "Let me 🙂 see.",
      "Two words.",
      '{"a":"ü🙂"}{}',
    ])
    expect(parts.filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "one", toolName: "add", input: '{"a":"ü🙂"}' },
      { toolCallId: "two", toolName: "add", input: "{}" },
    ])
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" }, usage })
  })

  test.each([
    ["length", "length"],
    ["filter", "content-filter"],
    ["other", "other"],
  ] as const)("an answer that stops as %s is one to it, too", async (stop, unified) => {
    const parts = await partsOf({ text: "Partly", stop })
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified } })
  })

  test.each([
    [
      "an error in mid-stream",
      { text: "x", fault: { type: "error-event", error: { type: "overloaded_error", message: "Busy" } } },
      /Busy/,
    ],
    ["a response that failed", { text: "x", finish: "failed" }, /The model failed to answer/],
    ["70: garbage in mid-stream", { text: "x", fault: { type: "garbage" } }, /JSON/],
  ] as const)("71: %s is an error to it, too", async (_, given, message) => {
    const parts = await partsOf(given)
    const [error] = parts.filter(({ type }) => type === "error")
    expect(String((error?.error as Error | undefined)?.message)).toMatch(message)
  })

  test("67: a stream without its end is interrupted", async () => {
    const parts = await partsOf({ text: "x", fault: { type: "no-terminal" } })
    expect(parts.at(-1)).toMatchObject({
      type: "finish",
      finishReason: { unified: Number.parseInt(VERSION, 10) < 4 ? "other" : "interrupted" },
    })
  })

  test.each([401, 429, 503])("status %i is the error it names", async (status) => {
    const error = { type: "scripted_error", message: "Said so" }
    const asked = (await model({ fault: { type: "status", status, error } })).doGenerate(options)
    await expect(asked).rejects.toMatchObject({
      statusCode: status,
      message: "Said so",
    } satisfies Partial<APICallError>)
  })
})
