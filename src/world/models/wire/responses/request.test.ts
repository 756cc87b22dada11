import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses"
import { afterEach, describe, expect, test } from "vitest"
import type { ModelReply, ModelRequest } from "../../../../agent/model.ts"
import { makeSignature } from "../../../../faces/testing/model-server/protocol.ts"
import {
  type ModelServer,
  type ServedRequest,
  startModelServer,
} from "../../../../faces/testing/model-server.ts"
import { addTool, requestWith } from "../../../../faces/testing/plain-request.ts"
import type { Attachment, Json, JsonMap, Message, ToolCall } from "../../../../ground/message.ts"
import { responsesModel } from "../responses.ts"
import type { ResponsesOptions } from "./options.ts"

let server: ModelServer
afterEach(() => server?.close())

async function sent(
  request: Partial<ModelRequest>,
  options: Partial<ResponsesOptions> = {},
): Promise<{ body: ServedRequest["body"]; reply: ModelReply }> {
  server = await startModelServer({ script: () => ({ text: "ok" }) })
  const model = responsesModel({ model: "m", baseUrl: server.url, ...options })
  const reply = await model.stream(requestWith(request), () => undefined)
  return { body: server.requests[0]!.body, reply }
}

const user = (text: string, attachments?: readonly Attachment[]): Message => ({
  role: "user",
  text,
  ...(attachments && { attachments }),
})
const call = (id: string): ToolCall => ({ id, wire: `w_${id}`, tool: "add", arguments: '{"a":1}' })
const result = (id: string, text: string): Message => ({
  role: "tool",
  call: id,
  wire: `w_${id}`,
  tool: "add",
  text,
})
const callItem = { type: "function_call", call_id: "w_c1", name: "add", arguments: '{"a":1}' }
const outputItem = { type: "function_call_output", call_id: "w_c1", output: "2" }
const userItem = (content: Json) => ({ type: "message", role: "user", content })
const said = (content: string, more: object = {}) => ({
  type: "message",
  role: "assistant",
  content,
  ...more,
})
const seal = makeSignature("Hm.")
const sealed: JsonMap = {
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: seal,
}
const part = (length: number, phase?: string): JsonMap => ({
  type: "message",
  length,
  ...(phase !== undefined && { phase }),
})

test("a request says who is asked for what, and that nothing is to be stored", async () => {
  const { body, reply } = await sent({ maxOutputTokens: 77 })
  expect([reply.error, server.requests[0]!.notes]).toEqual([undefined, undefined])
  // The provider's own types judge what is sent.
  const expected: ResponseCreateParamsStreaming = {
    model: "m",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    tools: [
      { type: "function", name: "add", description: "Adds.", parameters: addTool.input, strict: false },
    ],
    instructions: "You add.",
    input: [{ type: "message", role: "user", content: "Hello" }],
    prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    max_output_tokens: 77,
  }
  expect(body).toEqual(expected)
})

describe("a history", () => {
  const layout: readonly Json[] = [sealed, part(7, "commentary"), { type: "call" }]
  const answer = (provider: Json | undefined, text = "Adding."): Message => ({
    role: "assistant",
    text,
    calls: [call("c1")],
    ...(provider !== undefined && { provider }),
  })
  const plain = [said("Adding."), callItem]

  test.each<[string, (host: string) => Json | undefined, readonly object[]]>([
    [
      "from the same host and model, as it was laid out",
      (host) => ({ from: host, model: "m", responses: layout }),
      [sealed, said("Adding.", { phase: "commentary" }), callItem],
    ],
    ["from nobody who says so", () => ({ responses: layout }), plain],
    ["from another host", () => ({ from: "other", model: "m", responses: layout }), plain],
    ["from another model", (host) => ({ from: host, model: "other", responses: layout }), plain],
    ["from another protocol", (host) => ({ from: host, model: "m", anthropic: layout }), plain],
    ["without anything kept", () => undefined, plain],
    [
      "whose text was rewritten since",
      (host) => ({
        from: host,
        model: "m",
        responses: [sealed, part(9), { type: "call" }],
      }),
      [sealed, ...plain],
    ],
    [
      "with reasoning that led to nothing",
      (host) => ({ from: host, model: "m", responses: [...layout, sealed] }),
      [sealed, said("Adding.", { phase: "commentary" }), callItem],
    ],
    [
      "with garbage",
      (host) => ({ from: host, model: "m", responses: [{ type: "reasoning" }, 7, null] }),
      plain,
    ],
  ])("%s", async (_, provider, expected) => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const model = responsesModel({ model: "m", baseUrl: server.url })
    const messages = [user("Go"), answer(provider(new URL(server.url).host)), result("c1", "2")]
    const reply = await model.stream(requestWith({ messages }), () => undefined)
    expect([reply.error, server.requests[0]!.body.input]).toEqual([
      undefined,
      [userItem("Go"), ...expected, outputItem],
    ])
  })

  test("texts that were apart are apart again", async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const provider = {
      from: new URL(server.url).host,
      model: "m",
      responses: [part(6, "commentary"), part(5)],
    }
    const messages: Message[] = [
      user("Go"),
      { role: "assistant", text: "First.\n\nThen.", calls: [], provider },
      user("On"),
    ]
    await responsesModel({ model: "m", baseUrl: server.url }).stream(
      requestWith({ messages }),
      () => undefined,
    )
    expect(server.requests[0]!.body.input).toEqual([
      userItem("Go"),
      said("First.", { phase: "commentary" }),
      said("Then."),
      userItem("On"),
    ])
  })

  test("an answer of nothing is left out, and a call without a result has one", async () => {
    const messages: Message[] = [
      { role: "assistant", text: "", calls: [] },
      user("Go"),
      { role: "assistant", text: "", calls: [call("c1")] },
    ]
    const { body } = await sent({ messages })
    expect(body.input).toEqual([
      userItem("Go"),
      callItem,
      { ...outputItem, output: expect.stringMatching(/result.*recorded/) },
    ])
  })

  test("two models in one process do not mix what was written for each", async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const messages = [
      user("Go"),
      answer({ from: new URL(server.url).host, model: "m", responses: layout }),
      result("c1", "2"),
    ]
    for (const name of ["m", "other", "m"])
      await responsesModel({ model: name, baseUrl: server.url }).stream(
        requestWith({ messages }),
        () => undefined,
      )
    const types = server.requests.map(({ body }) => (body.input as JsonMap[]).map(({ type }) => type))
    const whole = ["message", "reasoning", "message", "function_call", "function_call_output"]
    expect(types).toEqual([whole, whole.filter((type) => type !== "reasoning"), whole])
  })
})

describe("parameters", () => {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false }

  test.each<[string, JsonMap, JsonMap]>([
    ["max_tokens", { max_tokens: 88 }, { max_output_tokens: 88 }],
    ["max_completion_tokens", { max_completion_tokens: 88 }, { max_output_tokens: 88 }],
    ["a bound below the least", { max_tokens: 3 }, { max_output_tokens: 16 }],
    ["reasoning_effort", { reasoning_effort: "low" }, { reasoning: { effort: "low" } }],
    [
      "reasoning, over an effort",
      { reasoning_effort: "low", reasoning: { effort: "high", summary: "auto" } },
      { reasoning: { effort: "high", summary: "auto" } },
    ],
    ["verbosity", { verbosity: "low" }, { text: { verbosity: "low" } }],
    [
      "response_format",
      { response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } } },
      { text: { format: { type: "json_schema", name: "n", schema, strict: true } } },
    ],
    [
      "a plain format",
      { response_format: { type: "json_object" } },
      { text: { format: { type: "json_object" } } },
    ],
    [
      "tool_choice",
      { tool_choice: { type: "function", function: { name: "add" } } },
      { tool_choice: { type: "function", name: "add" } },
    ],
    [
      "tools that are allowed",
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "add" } }] },
        },
      },
      { tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "add" }] } },
    ],
    ["words", { tool_choice: "required", temperature: 1 }, { tool_choice: "required", temperature: 1 }],
    ["usage, which is told anyway", { stream_options: { include_usage: true } }, {}],
    ["nothing", { temperature: null, reasoning_effort: null, tool_choice: null }, {}],
    ["store, which is always false", { store: true, background: true, previous_response_id: "x" }, {}],
    ["a key for the cache", { prompt_cache_key: "mine" }, { prompt_cache_key: "mine" }],
    [
      "more to include",
      { include: ["message.output_text.logprobs"] },
      { include: ["message.output_text.logprobs", "reasoning.encrypted_content"] },
    ],
  ])("%s, of a definition and of the client", async (_, parameters, expected) => {
    const usual = { model: "m", stream: true, store: false, include: ["reasoning.encrypted_content"] }
    for (const [request, options] of [
      [{ parameters }, {}],
      [{}, { parameters: withoutReserved(parameters) }],
    ]) {
      const { body, reply } = await sent(request!, options)
      const { tools: _, input: __, instructions: ___, prompt_cache_key, ...rest } = body
      expect(reply.error).toBeUndefined()
      const key = expected.prompt_cache_key === undefined ? {} : { prompt_cache_key }
      expect({ ...rest, ...key }).toEqual({ ...usual, ...expected })
      await server.close()
    }
  })

  const withoutReserved = ({ store: _, background: __, previous_response_id: ___, ...rest }: JsonMap) => rest

  test.each<[JsonMap, string | number | undefined, JsonMap | undefined]>([
    [{}, "high", { effort: "high" }],
    [{}, 4000, undefined],
    [{ reasoning: { summary: "auto" } }, "high", { effort: "high", summary: "auto" }],
    [{ reasoning_effort: "low" }, "high", { effort: "low" }],
    [{ reasoning: null }, "high", undefined],
  ])("with %j an effort of %s is %j", async (parameters, effort, reasoning) => {
    const { body } = await sent({ parameters, ...(effort !== undefined && { effort }) })
    expect(body.reasoning).toEqual(reasoning)
  })

  test("what a definition says of reasoning comes over what the client says of it", async () => {
    const { body } = await sent(
      { parameters: { reasoning_effort: "high", verbosity: "low" } },
      { parameters: { reasoning: { effort: "low", summary: "auto" }, text: { format: { type: "text" } } } },
    )
    expect([body.reasoning, body.text]).toEqual([
      { effort: "high", summary: "auto" },
      { format: { type: "text" }, verbosity: "low" },
    ])
  })

  test("a choice of tools is not sent where none is offered", async () => {
    const { body } = await sent({
      tools: [],
      parameters: { tool_choice: "auto", parallel_tool_calls: false },
    })
    expect([body.tools, body.tool_choice, body.parallel_tool_calls]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe("attachments", () => {
  const picture: Attachment = { blob: "1", mediaType: "image/png", size: 4, name: "a.png" }
  const paper: Attachment = { blob: "2", mediaType: "application/pdf", size: 4, name: "a.pdf" }
  const lost: Attachment = { blob: "3", mediaType: "image/jpeg", size: 4 }
  const contentOf = ({ blob }: Attachment) => ({ "1": "iVBORw0KGgo=", "2": "JVBERi0=" })[blob]
  const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" }
  const file = { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }
  const note = { type: "input_text", text: "[picture (image/jpeg) is no longer available.]" }

  test("are sent with the text they belong to, of a user and of a tool", async () => {
    const messages: Message[] = [
      user("Look", [picture, lost]),
      { role: "assistant", text: "", calls: [call("c1")] },
      { ...result("c1", ""), attachments: [paper] } as Message,
    ]
    const { body, reply } = await sent({ messages, contentOf })
    expect([reply.error, body.input]).toEqual([
      undefined,
      [
        userItem([{ type: "input_text", text: "Look" }, image, note]),
        callItem,
        { ...outputItem, output: [file] },
      ],
    ])
  })

  test("are a note where nobody has their content", async () => {
    const { body } = await sent({ messages: [user("Look", [lost])] })
    expect(body.input).toEqual([userItem([{ type: "input_text", text: "Look" }, note])])
  })
})

describe("tools", () => {
  const strict = {
    ...addTool,
    strict: true as const,
    input: { ...addTool.input, additionalProperties: false },
  }

  test.each([
    ["m", undefined, false],
    ["gpt-5.4", undefined, true],
    ["gpt-5.4", false, false],
    ["m", true, true],
  ])("of model %s, with strictTools %s, are strict: %s", async (model, strictTools, expected) => {
    const { body } = await sent(
      { tools: [strict] },
      { model, ...(strictTools !== undefined && { strictTools }) },
    )
    expect((body.tools as JsonMap[])[0]!.strict).toBe(expected)
  })
})

describe("sealed reasoning", () => {
  test.each(["gpt-4o", "gpt-4.1-mini", "gpt-5-chat-latest", "ft:gpt-4o:org"])(
    "is not asked for of %s",
    async (model) => {
      expect((await sent({}, { model })).body).not.toHaveProperty("include")
    },
  )

  const refusing = (message: string) => ({
    fault: { type: "status", status: 400, error: { type: "invalid_request_error", message } } as const,
  })

  test("that a model does not have is asked for once", async () => {
    server = await startModelServer({
      script: [refusing("Encrypted content is not supported with this model."), { text: "ok" }],
    })
    const model = responsesModel({ model: "deployment", baseUrl: server.url })
    const replies = [
      await model.stream(requestWith(), () => undefined),
      await model.stream(requestWith(), () => undefined),
    ]
    expect(replies.map(({ error, text }) => error?.retryable ?? text)).toEqual([true, "ok"])
    expect(server.requests.map(({ body }) => body.include)).toEqual([
      ["reasoning.encrypted_content"],
      undefined,
    ])
  })

  test("that the provider cannot read any more is left out, and only that", async () => {
    server = await startModelServer({ script: () => ({ text: "ok" }) })
    const host = new URL(server.url).host
    const answer = (text: string, content: string): Message => ({
      role: "assistant",
      text,
      calls: [],
      provider: {
        from: host,
        model: "m",
        responses: [
          { ...sealed, encrypted_content: content },
          { type: "message", length: text.length },
        ],
      },
    })
    const model = responsesModel({ model: "m", baseUrl: server.url })
    const stale = requestWith({ messages: [user("Go"), answer("Old.", "stale"), user("On")] })
    const fresh = requestWith({
      messages: [user("Go"), answer("New.", seal), user("On")],
    })
    const replies = []
    for (const request of [stale, stale, fresh]) replies.push(await model.stream(request, () => undefined))
    expect(replies.map(({ error, text }) => error?.retryable ?? text)).toEqual([true, "ok", "ok"])
    const kinds = server.requests.map(({ body }) => (body.input as JsonMap[]).map(({ type }) => type))
    expect(kinds).toEqual([
      ["message", "reasoning", "message", "message"],
      ["message", "message", "message"],
      ["message", "reasoning", "message", "message"],
    ])
  })
})
