import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "./model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "key" })
})
afterAll(() => server.close())

interface Answer {
  choices: { message: { content: string } }[]
}
interface Refusal {
  error: { type: string; message: string }
}

const post = (body: unknown, headers: Record<string, string> = {}, path = "/chat/completions") =>
  fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

const user = { role: "user", content: "Go" }
const called = (...ids: unknown[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "add", arguments: "{}" } })),
})
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "1" })
const chat = (...messages: unknown[]) => ({ model: "m", messages })
const tool = (name: unknown, parameters: unknown) => ({
  ...chat(user),
  tools: [{ type: "function", function: { name, description: "", parameters } }],
})

describe("the strict model server", () => {
  test.each([
    [
      "a plain conversation",
      chat({ role: "system", content: "Be." }, user, { role: "assistant", content: "Yes" }, user),
    ],
    ["calls answered in any order", chat(user, called("a", "b"), result("b"), result("a"), user)],
    [
      "tools with a schema",
      tool("add", { type: "object", properties: { a: { type: "number" } }, required: ["a"] }),
    ],
    [
      "an escaped surrogate pair",
      '{"model":"m","messages":[{"role":"user","content":"\\ud83d\\ude42 \\\\ud83d"}]}',
    ],
  ])("answers %s", async (_, body) => {
    const response = await post(body)
    expect([response.status, ((await response.json()) as Answer).choices[0]?.message.content]).toEqual([
      200,
      "ok",
    ])
  })

  test.each([
    ["no JSON", "{", /not a JSON object/],
    ["a list", [], /not a JSON object/],
    ["no model", { messages: [user] }, /model/],
    ["no messages", chat(), /messages/],
    ["an unknown role", chat({ role: "robot", content: "" }), /role/],
    ["content that is no text", chat({ role: "user", content: 7 }), /content/],
    ["47: a call without its result", chat(user, called("a")), /no response.*a/],
    [
      "47: a call without its result before the next message",
      chat(user, called("a", "b"), result("a"), user),
      /Missing: b/,
    ],
    ["48: a result without its call", chat(user, result("a")), /preceding tool call/],
    [
      "48: a second result for a call",
      chat(user, called("a"), result("a"), result("a")),
      /preceding tool call/,
    ],
    ["46: an id twice in one message", chat(user, called("a", "a"), result("a")), /two calls/],
    [
      "46: an id twice in the conversation",
      chat(user, called("a"), result("a"), called("a"), result("a")),
      /two calls/,
    ],
    ["46: an empty id", chat(user, called("")), /id/],
    ["an id that is no text", chat(user, called(7)), /id/],
    ["an empty list of calls", chat(user, called()), /non-empty/],
    ["an empty list of tools", { ...chat(user), tools: [] }, /tools/],
    ["a tool with a bad name", tool("a b", { type: "object" }), /name/],
    ["a tool without a schema", tool("add", undefined), /schema/],
    ["a tool whose schema is no object's", tool("add", { type: "string" }), /schema/],
    ["a property that is no schema", tool("add", { type: "object", properties: { a: 7 } }), /properties.a/],
    ["a required property that is none", tool("add", { type: "object", required: ["a"] }), /"a"/],
    ["a lone surrogate", '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}', /surrogate/],
  ])("refuses %s", async (_, body, message) => {
    const response = await post(body)
    const { error } = (await response.json()) as Refusal
    expect([response.status, error.type]).toEqual([400, "invalid_request_error"])
    expect(error.message).toMatch(message)
    expect(server.requests.at(-1)?.problem).toBe(error.message)
  })

  test("refuses a wrong key, path, method and content type", async () => {
    const responses = [
      await post(chat(user), { authorization: "Bearer other" }),
      await post(chat(user), {}, "/completions"),
      await fetch(`${server.url}/chat/completions`),
      await post(chat(user), { "content-type": "text/plain" }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([401, 404, 405, 400])
  })

  test("refuses what a list of answers does not hold", async () => {
    const short = await startModelServer({ script: [{ text: "one" }] })
    const ask = () =>
      fetch(`${short.url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(chat(user)),
      })
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 400])
    await short.close()
  })
})
