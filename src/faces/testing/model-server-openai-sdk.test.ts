import OpenAI, { APIError } from "openai"
import type {
  Response,
  ResponseCreateParams,
  ResponseStreamEvent,
} from "openai/resources/responses/responses"
import { afterEach, describe, expect, test } from "vitest"
import { type ModelServer, type ScriptedAnswer, startModelServer } from "./model-server.ts"

/** The provider's own client reads the server's responses, so an unexpected field or event fails here. */

let server: ModelServer
afterEach(() => server.close())

async function client(...script: readonly ScriptedAnswer[]): Promise<OpenAI> {
  server = await startModelServer({ script, apiKey: "key" })
  return new OpenAI({ baseURL: server.url, apiKey: "key", maxRetries: 0 })
}

const request = {
  model: "gpt-5.4",
  input: "Go",
  store: false,
  include: ["reasoning.encrypted_content"],
} satisfies ResponseCreateParams

const answer: ScriptedAnswer = {
  reasoning: "Let me 🙂 see.",
  text: "Two words.",
  phase: "commentary",
  calls: [{ tool: "add", arguments: { a: "ü🙂" }, id: "one" }],
  tokens: { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 7 },
}

const summaryOf = ({ status, output, output_text, usage, error }: Response) => ({
  status,
  types: output.map(({ type }) => type),
  text: output_text,
  calls: output.flatMap((item) =>
    item.type === "function_call" ? [[item.call_id, item.name, item.arguments]] : [],
  ),
  sealed: output.flatMap((item) => (item.type === "reasoning" ? [typeof item.encrypted_content] : [])),
  tokens: [usage?.input_tokens, usage?.input_tokens_details.cached_tokens, usage?.output_tokens],
  error: error?.code,
})

const expected = {
  status: "completed",
  types: ["reasoning", "message", "function_call"],
  text: "Two words.",
  calls: [["one", "add", '{"a":"ü🙂"}']],
  sealed: ["string"],
  tokens: [50, 40, 20],
  error: undefined,
}

describe("the strict model server, read by the openai package", () => {
  test("an answer in JSON is what it expects", async () => {
    const openai = await client(answer)
    expect(summaryOf(await openai.responses.create(request))).toEqual(expected)
    expect(server.requests[0]).not.toHaveProperty("problem")
  })

  test.each([1, 7, 100_000])("a stream in pieces of %i bytes is the same answer", async (bytes) => {
    const openai = await client({ ...answer, fault: { type: "pieces", bytes } })
    const stream = openai.responses.stream(request)
    const events: ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    expect(summaryOf(await stream.finalResponse())).toEqual(expected)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  })

  test.each([
    ["length", { status: "incomplete", reason: "max_output_tokens" }],
    ["filter", { status: "incomplete", reason: "content_filter" }],
    ["end", { status: "completed", reason: undefined }],
  ] as const)("an answer that stops as %s is %j", async (stop, ended) => {
    const openai = await client({ text: "Partly", stop })
    const { status, incomplete_details } = await openai.responses.create(request)
    expect({ status, reason: incomplete_details?.reason }).toEqual(ended)
  })

  test("a refusal is one to it, too", async () => {
    const openai = await client({ refusal: "I will not." })
    const [item] = (await openai.responses.create(request)).output
    expect(item).toMatchObject({ type: "message", content: [{ type: "refusal", refusal: "I will not." }] })
  })

  test("what the server sent is taken back by it, in JSON", async () => {
    const openai = await client(answer, { text: "Done." })
    const { output } = await openai.responses.create(request)
    const history = output.map(({ id: _, ...item }) => item) as unknown as ResponseCreateParams["input"] &
      object[]
    const second = await openai.responses.create({
      ...request,
      input: [
        { role: "user", content: "Go" },
        ...(history as never[]),
        { type: "function_call_output", call_id: "one", output: "2" },
      ],
    })
    expect([second.output_text, server.requests.map(({ problem }) => problem)]).toEqual([
      "Done.",
      [undefined, undefined],
    ])
  })

  test.each([
    [{ ...request, input: [{ type: "item_reference", id: "rs_1" }] }, 404],
    [{ ...request, temperature: 1 }, 400],
  ] as [ResponseCreateParams, number][])("a refusal of %j is status %i", async (body, status) => {
    const openai = await client()
    const failed = await openai.responses.create({ ...body, stream: false }).catch((error) => error)
    expect([failed instanceof APIError, failed.status, failed.message]).toEqual([
      true,
      status,
      `${status} ${server.requests[0]!.problem}`,
    ])
  })
})
