import Anthropic from "@anthropic-ai/sdk"
import OpenAI, { APIError } from "openai"
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions"
import { afterEach, describe, expect, test } from "vitest"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "./model-server.ts"

/** The vendors' own clients read the answers of a server with the rules of their providers. */

let server: ModelServer
afterEach(() => server.close())

const answer: ScriptedAnswer = {
  reasoning: "Let me 🙂 see.",
  text: "Two words.",
  calls: [
    { tool: "add", arguments: { a: "ü🙂" }, id: "one" },
    { tool: "add", arguments: {}, id: "two" },
  ],
  tokens: { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 },
}

const problems = () => server.requests.map(({ problem }) => problem)

describe("chat completions, read by the openai package", () => {
  async function client(...script: readonly ScriptedAnswer[]): Promise<OpenAI> {
    server = await startModelServer({ script, apiKey: "key", provider: "openai" })
    return new OpenAI({ baseURL: server.url, apiKey: "key", maxRetries: 0 })
  }

  const request = {
    model: "gpt-5",
    messages: [{ role: "user", content: "Go" }],
    tools: [
      { type: "function", function: { name: "add", description: "Adds.", parameters: { type: "object" } } },
    ],
    max_completion_tokens: 100,
  } satisfies ChatCompletionCreateParamsNonStreaming

  const summaryOf = ({ choices: [choice], usage }: ChatCompletion) => ({
    text: choice!.message.content,
    calls: choice!.message.tool_calls?.map((call) =>
      call.type === "function" ? [call.id, call.function.name, call.function.arguments] : call,
    ),
    finish: choice!.finish_reason,
    tokens: [
      usage?.prompt_tokens,
      usage?.completion_tokens,
      usage?.prompt_tokens_details?.cached_tokens,
      usage?.completion_tokens_details?.reasoning_tokens,
    ],
  })

  const expected = {
    text: "Two words.",
    calls: [
      ["one", "add", '{"a":"ü🙂"}'],
      ["two", "add", "{}"],
    ],
    finish: "tool_calls",
    tokens: [50, 20, 40, 7],
  }

  test("an answer in JSON is what it expects, and is taken back", async () => {
    const openai = await client(answer, { text: "Done." })
    const first = await openai.chat.completions.create(request)
    expect(summaryOf(first)).toEqual(expected)
    const results = ["one", "two"].map(
      (id): ChatCompletionMessageParam => ({ role: "tool", tool_call_id: id, content: "1" }),
    )
    const second = await openai.chat.completions.create({
      ...request,
      messages: [...request.messages, first.choices[0]!.message, ...results],
    })
    expect([second.choices[0]!.message.content, problems()]).toEqual(["Done.", [undefined, undefined]])
  })

  test.each([1, 7, 100_000])("a stream in pieces of %i bytes is the same answer", async (bytes) => {
    const openai = await client({ ...answer, fault: { type: "pieces", bytes } })
    const stream = openai.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
    expect(summaryOf(await stream.finalChatCompletion())).toEqual(expected)
  })

  test.each([
    ["length", "length"],
    ["filter", "content_filter"],
    ["end", "stop"],
  ] as const)("an answer that stops as %s ends with %s", async (stop, finish) => {
    const openai = await client({ text: "Partly", stop })
    expect((await openai.chat.completions.create(request)).choices[0]!.finish_reason).toBe(finish)
  })

  test("a refusal of the model is one to it, too", async () => {
    const openai = await client({ refusal: "I will not." })
    expect((await openai.chat.completions.create(request)).choices[0]!.message.refusal).toBe("I will not.")
  })

  test("a refusal of the request has its status, code and text", async () => {
    const openai = await client()
    const { max_completion_tokens: _, ...rest } = request
    const failed = await openai.chat.completions.create({ ...rest, max_tokens: 100 }).catch((error) => error)
    expect([failed instanceof APIError, failed.status, failed.code, failed.message]).toEqual([
      true,
      400,
      "unsupported_parameter",
      "400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ])
  })
})

describe("messages, read by Anthropic's package", () => {
  async function client(...script: readonly ScriptedAnswer[]): Promise<Anthropic> {
    server = await startModelServer({ script, apiKey: "key", provider: "anthropic" })
    return new Anthropic({
      baseURL: new URL(server.url).origin,
      apiKey: "key",
      authToken: null,
      maxRetries: 0,
      logLevel: "off",
    })
  }

  const request = {
    model: "claude-sonnet-4-5",
    max_tokens: 4000,
    thinking: { type: "enabled", budget_tokens: 2000 },
    messages: [{ role: "user", content: "Go" }],
    tools: [{ name: "add", description: "Adds.", input_schema: { type: "object" } }],
  } satisfies Anthropic.MessageCreateParamsNonStreaming

  const results: Anthropic.MessageParam = {
    role: "user",
    content: ["one", "two"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "1" })),
  }

  test.each(["json", "stream"] as const)("thinking and calls come and go back, as %s", async (kind) => {
    const anthropic = await client(answer, { text: "Done." })
    const ask = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> =>
      kind === "json"
        ? anthropic.messages.create({ ...request, messages })
        : anthropic.messages.stream({ ...request, messages }).finalMessage()
    const first = await ask(request.messages)
    const second = await ask([...request.messages, { role: "assistant", content: first.content }, results])
    expect([first.content.map(({ type }) => type), second.content, problems()]).toEqual([
      ["thinking", "text", "tool_use", "tool_use"],
      [{ type: "text", text: "Done." }],
      [undefined, undefined],
    ])
  })

  test("thinking of the last reply that is left out is refused", async () => {
    const anthropic = await client(answer, { text: "Done." })
    const first = await anthropic.messages.create(request)
    const content = first.content.filter(({ type }) => type !== "thinking")
    const messages: Anthropic.MessageParam[] = [...request.messages, { role: "assistant", content }, results]
    const { thinking: _, ...rest } = request
    const failed = await anthropic.messages.create({ ...rest, messages }).catch((error) => error)
    expect([failed.status, String(failed.message)]).toEqual([
      400,
      expect.stringContaining("cannot be modified. These blocks must remain as they were"),
    ])
  })
})
