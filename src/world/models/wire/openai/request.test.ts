import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import { afterEach, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "../../../../faces/testing/model-server.ts"
import { addTool, requestWith } from "../../../../faces/testing/plain-request.ts"
import type { Message, ToolCall } from "../../../../ground/message.ts"
import { openaiModel } from "../openai.ts"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
const pdf = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64")

let server: ModelServer
afterEach(() => server.close())

const call = (id: string): ToolCall => ({ id, wire: id, tool: "add", arguments: '{"a":1}' })
const result = (id: string, text: string): Message => ({
  role: "tool",
  call: id,
  wire: id,
  tool: "add",
  text,
})

test("a request is what the provider's own types describe", async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }), provider: "azure" })
  const model = openaiModel({ model: "gpt-5", provider: "azure", baseUrl: server.url, strictTools: true })
  const image = { blob: "a", mediaType: "image/png" as const, size: 4, name: "a.png" }
  const long = "x".repeat(50)
  const submit = {
    ...addTool,
    input: { ...addTool.input, additionalProperties: false },
    strict: true as const,
  }
  const messages: readonly Message[] = [
    {
      role: "user",
      text: "Look\ud83d",
      attachments: [image, { ...image, mediaType: "application/pdf", name: "b.pdf" }],
    },
    {
      role: "assistant",
      text: "",
      calls: [call("one"), call(long)],
      provider: { chat: { reasoning_content: "Hm." } },
    },
    result("one", "2"),
    result(long, ""),
    { role: "assistant", text: "Two.", calls: [] },
    { role: "user", text: "And now?" },
  ]
  const reply = await model.stream(
    requestWith({
      messages,
      tools: [addTool, { ...submit, name: "submit" }],
      contentOf: ({ mediaType }) => (mediaType === "application/pdf" ? pdf : png),
      effort: "low",
      parameters: { max_tokens: 100, tool_choice: "auto", parallel_tool_calls: true },
    }),
    () => undefined,
  )
  const shortened = "call_77cf12060d47183ea8c40345e7389e7e"
  const expected: ChatCompletionCreateParamsStreaming = {
    model: "gpt-5",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "low",
    tool_choice: "auto",
    parallel_tool_calls: true,
    tools: [
      { type: "function", function: { name: "add", description: "Adds.", parameters: { ...addTool.input } } },
      {
        type: "function",
        function: { name: "submit", description: "Adds.", parameters: { ...submit.input }, strict: true },
      },
    ],
    messages: [
      { role: "system", content: "You add." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look\ufffd" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "file", file: { filename: "b.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "one", type: "function", function: { name: "add", arguments: '{"a":1}' } },
          { id: shortened, type: "function", function: { name: "add", arguments: '{"a":1}' } },
        ],
      },
      { role: "tool", tool_call_id: "one", content: "2" },
      { role: "tool", tool_call_id: shortened, content: "" },
      { role: "assistant", content: "Two." },
      { role: "user", content: "And now?" },
    ],
    max_completion_tokens: 100,
  }
  expect([reply.error, server.requests[0]!.body]).toEqual([undefined, expected])
})
