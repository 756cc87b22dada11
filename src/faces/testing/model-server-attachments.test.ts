import { afterAll, beforeAll, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "./model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }) })
})
afterAll(() => server.close())

const png = "iVBORw0KGgo="
const pdf = "JVBERi0xLjQK"
const url = (type: string, data: string) => `data:${type};base64,${data}`

const chat = (...content: readonly object[]) => ({
  path: "/chat/completions",
  body: { model: "m", messages: [{ role: "user", content }] },
})
const image = (address: string) => ({ type: "image_url", image_url: { url: address } })
const file = (address: string, filename = "a.pdf") => ({
  type: "file",
  file: { filename, file_data: address },
})

const messages = (...content: readonly object[]) => ({
  path: "/messages",
  body: { model: "m", max_tokens: 9, messages: [{ role: "user", content }] },
})
const block = (type: string, mediaType: string, data: string) => ({
  type,
  source: { type: "base64", media_type: mediaType, data },
})

const responses = (...content: readonly object[]) => ({
  path: "/responses",
  body: { model: "m", input: [{ role: "user", content }] },
})

const called = [
  { role: "user", content: "Go" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "add", arguments: "{}" } }],
  },
]

test.each([
  ["chat: a picture and a PDF", chat(image(url("image/png", png)), file(url("application/pdf", pdf))), 200],
  ["chat: no parts", chat(), 400],
  ["chat: another type", chat(image(url("image/bmp", png))), 400],
  ["chat: a type that its data is not", chat(image(url("image/jpeg", png))), 400],
  ["chat: no data", chat(image(url("image/png", ""))), 400],
  ["chat: a PDF as a picture", chat(image(url("application/pdf", pdf))), 400],
  ["chat: a picture as a file", chat(file(url("image/png", png))), 400],
  ["chat: a file without a name", chat(file(url("application/pdf", pdf), "")), 400],
  ["chat: a part of another kind", chat({ type: "image", image: png }), 400],
  [
    "chat: a picture in the message of a tool",
    {
      path: "/chat/completions",
      body: {
        model: "m",
        messages: [...called, { role: "tool", tool_call_id: "a", content: [image(url("image/png", png))] }],
      },
    },
    400,
  ],
  [
    "messages: a picture and a PDF",
    messages(block("image", "image/png", png), block("document", "application/pdf", pdf)),
    200,
  ],
  ["messages: another type", messages(block("image", "image/tiff", png)), 400],
  ["messages: a type that its data is not", messages(block("image", "image/gif", png)), 400],
  ["messages: no data", messages(block("image", "image/png", "")), 400],
  ["messages: a PDF as a picture", messages(block("image", "application/pdf", pdf)), 400],
  ["messages: no base64", messages(block("image", "image/png", url("image/png", png))), 400],
  ["responses: a picture", responses({ type: "input_image", image_url: url("image/png", png) }), 200],
  ["responses: no data", responses({ type: "input_image", image_url: url("image/png", "") }), 400],
  [
    "responses: a type that its data is not",
    responses({ type: "input_image", image_url: url("image/webp", png) }),
    400,
  ],
])("%s", async (_, { path, body }, status) => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "k" },
    body: JSON.stringify(body),
  })
  expect([response.status, status === 200 ? "" : await response.text()]).toEqual([
    status,
    status === 200 ? "" : expect.stringMatching(/\w/),
  ])
})
