import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import type { ModelDelta, ModelReply } from "../../../agent/model.ts"
import { AnthropicReply } from "./anthropic/reply.ts"
import type { ProtocolReply } from "./client.ts"
import { OpenAiReply } from "./openai/reply.ts"
import { findChatRules } from "./openai/rules.ts"
import { ResponsesReply } from "./responses/reply.ts"

/** Shapes of answers that servers are known to send, one row each, read whole and cut every 7 bytes. */

const origin = { host: "h", model: "m" }
type Open = (onDelta: (delta: ModelDelta) => void) => ProtocolReply
const chat =
  (provider?: string): Open =>
  (onDelta) =>
    new OpenAiReply(onDelta, { origin, rules: findChatRules(provider, "http://h") })
const messages: Open = (onDelta) => new AnthropicReply(onDelta, { origin })
const responses: Open = (onDelta) => new ResponsesReply(origin, onDelta)

function read(open: Open, body: string, bytes: number) {
  const deltas: ModelDelta[] = []
  const reply = open((delta) => deltas.push(delta))
  const isStream = /^\W*(data|event|:)/.test(body) && !body.startsWith("{") && !body.startsWith("[")
  const reader = reply.open(isStream ? "sse" : "json", isStream ? "text/event-stream" : "application/json")
  const content = Buffer.from(body)
  for (let at = 0; at < content.length; at += bytes)
    if (reader.push(content.subarray(at, at + bytes)) !== "more") break
  const toldAs = (type: ModelDelta["type"]) =>
    deltas.map((delta) => (delta.type === type ? delta.text : "")).join("")
  return { ...reply.reply(reader.end()), thought: toldAs("reasoning"), told: toldAs("text") }
}

type Expected = Partial<ModelReply> & { readonly thought?: string }
const check = (open: Open, body: string, expected: Expected) => {
  for (const bytes of [Number.MAX_SAFE_INTEGER, 7]) expect(read(open, body, bytes)).toMatchObject(expected)
}

const events = (...values: readonly (object | string)[]): string =>
  values
    .map((value) => {
      if (typeof value === "string") return `data: ${value}\n\n`
      const name = "type" in value ? `event: ${value.type}\n` : ""
      return `${name}data: ${JSON.stringify(value)}\n\n`
    })
    .join("")
const json = (value: unknown): string => JSON.stringify(value)

const chunk = (delta: object | null, finish: string | null = null, more = {}) => ({
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
})
const message = (said: object, finish: string | null = "stop", more = {}) => ({
  choices: [{ index: 0, message: said, finish_reason: finish }],
  ...more,
})
const piece = (more: object) => ({ tool_calls: [more] })
const called = (name: string, text: string) => ({ function: { name, arguments: text } })
const hi = { text: "Hi", calls: [], stop: "end" } as const
const call = (wire: string, tool: string, text: string) => ({ wire, tool, arguments: text })

describe("chat completions", () => {
  test.each<[string, string | undefined, string, Expected]>([
    [
      "Azure's results of filters before and after the answer",
      "azure",
      events(
        { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
        chunk({ role: "assistant", content: "", refusal: null }, null, { content_filter_results: {} }),
        chunk({ content: "Hi" }, "stop"),
        { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
        "[DONE]",
      ),
      { ...hi, usage: { inputTokens: 1, outputTokens: 2 } },
    ],
    [
      "calls whose parts are mixed",
      undefined,
      events(
        chunk(piece({ index: 0, id: "a", ...called("f", "") })),
        chunk(piece({ index: 1, id: "b", ...called("g", "") })),
        chunk(piece({ index: 0, function: { arguments: '{"x":' } })),
        chunk(piece({ index: 1, function: { arguments: "{}" } })),
        chunk(piece({ index: 0, function: { arguments: "1}" } })),
        chunk({}, "tool_calls"),
        "[DONE]",
      ),
      { calls: [call("a", "f", '{"x":1}'), call("b", "g", "{}")], stop: "calls" },
    ],
    [
      "calls without an index",
      undefined,
      events(
        chunk(piece({ id: "a", ...called("f", "{}") })),
        chunk(piece({ id: "b", ...called("f", "{}") }), "tool_calls"),
        "[DONE]",
      ),
      { calls: [call("a", "f", "{}"), call("b", "f", "{}")], stop: "calls" },
    ],
    [
      "a call that is sent again when it is finished",
      undefined,
      events(
        chunk(piece({ index: 0, id: "a", ...called("f", "{}") })),
        chunk(piece({ index: 0, id: "a", ...called("f", "{}") }), "tool_calls"),
        "[DONE]",
      ),
      { calls: [call("a", "f", "{}")], stop: "calls" },
    ],
    [
      "two calls with one id",
      undefined,
      json(
        message(
          {
            content: null,
            tool_calls: [
              { id: "a", ...called("f", "{}") },
              { id: "a", ...called("g", "{}") },
            ],
          },
          "tool_calls",
        ),
      ),
      { calls: [call("a", "f", "{}"), call("a", "g", "{}")], stop: "calls" },
    ],
    [
      "arguments as an object",
      undefined,
      json(
        message({ tool_calls: [{ id: "a", function: { name: "f", arguments: { x: 1 } } }] }, "tool_calls"),
      ),
      { calls: [call("a", "f", '{"x":1}')], stop: "calls" },
    ],
    [
      "a call as it was before tools",
      undefined,
      events(
        chunk({ function_call: { name: "f", arguments: "" } }),
        chunk({ function_call: { arguments: "{}" } }, "function_call"),
        "[DONE]",
      ),
      { calls: [call("", "f", "{}")], stop: "calls" },
    ],
    [
      "a call of a tool without a schema",
      "openai",
      json(message({ tool_calls: [{ id: "a", type: "custom", custom: { name: "f" } }] }, "tool_calls")),
      { calls: [call("a", "f", "{}")], stop: "calls" },
    ],
    [
      "the message so far beside each part",
      undefined,
      events(
        chunk({ content: "H" }, null, { message: { content: "H" } }),
        chunk({ content: "i" }, "stop", { message: { content: "Hi" } }),
        "[DONE]",
      ),
      hi,
    ],
    ["a part that is null", undefined, events(chunk(null), chunk({ content: "Hi" }, "stop"), "[DONE]"), hi],
    [
      "two answers in the first place",
      undefined,
      events(
        {
          choices: [
            { index: 0, delta: { content: "Hi" }, finish_reason: "stop" },
            { index: 0, delta: { content: "Other" }, finish_reason: "stop" },
          ],
        },
        "[DONE]",
      ),
      hi,
    ],
    [
      "a place that is a text",
      undefined,
      events({ choices: [{ index: "0", delta: { content: "Hi" }, finish_reason: "stop" }] }, "[DONE]"),
      hi,
    ],
    [
      "a refusal",
      "openai",
      json(message({ content: null, refusal: "No." })),
      { text: "No.", stop: "filter" },
    ],
    [
      "a refusal in the middle of a text",
      undefined,
      events(chunk({ content: "Hi" }), chunk({ refusal: "No." }, "stop"), "[DONE]"),
      { text: "Hi\n\nNo.", stop: "filter" },
    ],
    [
      "a refusal among the parts of the content",
      "openai",
      json(message({ content: [{ type: "refusal", refusal: "No." }] })),
      { text: "No.", stop: "filter" },
    ],
    [
      "reasoning among the parts of the content, as Databricks has it",
      undefined,
      json(
        message({
          content: [
            { type: "reasoning", summary: [{ type: "summary_text", text: "Hm.", signature: "S" }] },
            { type: "text", text: "Hi" },
          ],
        }),
      ),
      { ...hi, thought: "Hm." },
    ],
    [
      "thinking among the parts of the content, as Mistral has it",
      "mistral",
      events(
        chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
        chunk({ content: "Hi" }, "stop"),
        "[DONE]",
      ),
      { ...hi, thought: "Hm." },
    ],
    [
      "references among the parts of the content",
      "mistral",
      json(
        message({
          content: [
            { type: "text", text: "H" },
            { type: "reference", reference_ids: [1] },
            { type: "text", text: "i" },
          ],
        }),
      ),
      hi,
    ],
    [
      "costs as an object, and citations",
      undefined,
      json(
        message({ content: "Hi", annotations: [{ type: "url_citation" }] }, "stop", {
          citations: ["https://a.test"],
          usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, cost: { total_cost: 0.006 } },
        }),
      ),
      { ...hi, usage: { inputTokens: 5, outputTokens: 2 } },
    ],
    [
      "an incomplete end, and a whole one behind it",
      undefined,
      events(chunk({ content: "Hi" }, "length"), chunk({}, "stop"), "[DONE]"),
      { text: "Hi", calls: [], stop: "length" },
    ],
    [
      "a whole end, and an incomplete one behind it",
      undefined,
      events(chunk({ content: "Hi" }, "stop"), chunk({}, "length"), "[DONE]"),
      { text: "Hi", calls: [], stop: "length" },
    ],
    [
      "a call and a refusal: it does not run",
      undefined,
      events(
        chunk(piece({ index: 0, id: "a", ...called("f", "{}") })),
        chunk({ refusal: "No." }, "tool_calls"),
        "[DONE]",
      ),
      { text: "No.", calls: [], stop: "filter", cutCalls: 1 },
    ],
    [
      "nothing but its end",
      undefined,
      events("[DONE]"),
      { text: "", calls: [], error: expect.objectContaining({ kind: "protocol", retryable: true }) },
    ],
    [
      "a model without a name",
      undefined,
      events({ ...chunk({ content: "Hi" }, "stop"), model: "" }, "[DONE]"),
      hi,
    ],
    [
      "usage that is null in every part",
      undefined,
      events({ ...chunk({ content: "Hi" }, "stop"), usage: null }, "[DONE]"),
      { ...hi, usage: {} },
    ],
    [
      "an error of the provider behind a gateway",
      "openrouter",
      events(chunk({ content: "Half" }), {
        error: { code: 502, message: "Provider disconnected" },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
      { text: "Half", error: expect.objectContaining({ kind: "overloaded", retryable: true }) },
    ],
    [
      "an error in place of a part, as vLLM has it",
      undefined,
      events({ object: "error", message: "maximum context length is 8 tokens", code: 400 }, "[DONE]"),
      { text: "", error: expect.objectContaining({ kind: "overflow" }) },
    ],
    [
      "an error in place of an answer",
      undefined,
      json({ detail: "The model is loading" }),
      {
        text: "",
        error: expect.objectContaining({
          message: expect.stringMatching(/^h.*error.*inside.*The model is loading.?$/),
        }),
      },
    ],
    [
      "a list with an error, as Google has it",
      "google",
      json([{ error: { code: 400, message: "API key not valid", status: "INVALID_ARGUMENT" } }]),
      {
        text: "",
        error: expect.objectContaining({
          kind: "rejected",
          message: expect.stringMatching(/^h.*error.*inside.*API key not valid.?$/),
        }),
      },
    ],
    [
      "comments, CRLF and spaces behind the end",
      "openrouter",
      `: OPENROUTER PROCESSING\r\n\r\n${events(chunk({ content: "Hi" }, "stop"), "[DONE] ").replaceAll("\n", "\r\n")}`,
      hi,
    ],
    [
      "events without a blank line between them",
      undefined,
      events(chunk({ content: "H" }), chunk({ content: "i" }, "stop"), "[DONE]").replaceAll("\n\n", "\n"),
      hi,
    ],
  ])("%s", (_, provider, body, expected) => check(chat(provider), body, expected))
})

const begin = {
  type: "message_start",
  message: { role: "assistant", model: "claude", content: [], usage: { input_tokens: 5, output_tokens: 1 } },
}
const block = (index: number, first: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block: first },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
]
const text = (index: number, said: string) =>
  block(index, { type: "text", text: "" }, { type: "text_delta", text: said })
const stop = (reason: string | null, more = {}) => [
  { type: "message_delta", delta: { stop_reason: reason, ...more }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
]

describe("a call that Groq refused is not one that may run", () => {
  const error = {
    message: "Tool call validation failed: `x` is missing",
    code: "tool_use_failed",
    failed_generation: '{"name": "f", "arguments": {"y": 1}}',
  }
  test.each([
    ["as an event of that name", `event: error\ndata: ${json({ error })}\n\n`],
    ["after text", `${events(chunk({ content: "Hi" }))}event: error\ndata: ${json({ error })}\n\n`],
    ["as an event without a name", events({ error })],
    ["in place of an answer", json({ error })],
  ])("%s", (_, body) => {
    const problem = naming("provider", "refused", `${error.message}`)
    check(chat("groq"), body, {
      calls: [{ ...call("call_refused", "f", '{"y":1}'), problem }],
      stop: "calls",
    })
  })
})

describe("messages", () => {
  test.each<[string, string, Expected]>([
    [
      "a search by the provider, with citations",
      events(
        begin,
        { type: "ping" },
        ...block(
          0,
          { type: "server_tool_use", id: "s", name: "web_search", input: {} },
          { type: "input_json_delta", partial_json: "{}" },
        ),
        ...block(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
        ...block(
          2,
          { type: "text", text: "", citations: [] },
          { type: "citations_delta", citation: {} },
          { type: "text_delta", text: "Hi" },
        ),
        ...stop("end_turn"),
      ),
      { ...hi, usage: { inputTokens: 5, outputTokens: 9 } },
    ],
    [
      "a turn that is paused",
      events(begin, ...text(0, "Hi"), ...stop("pause_turn")),
      { text: "Hi", stop: "length", finish: "pause_turn" },
    ],
    [
      "a refusal that says why",
      events(begin, ...stop("refusal", { stop_details: { type: "refusal", explanation: "No." } })),
      { text: "No.", stop: "filter" },
    ],
    [
      "a call that was cut and has no end",
      events(
        begin,
        ...text(0, "Hi"),
        { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "a", name: "f" } },
        { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a' } },
        ...stop("max_tokens"),
      ),
      { text: "Hi", calls: [], stop: "length", finish: "max_tokens", cutCalls: 1 },
    ],
    [
      "an incomplete end, and a whole one behind it",
      events(begin, ...text(0, "Hi"), stop("max_tokens")[0]!, ...stop("end_turn")),
      { text: "Hi", calls: [], stop: "length" },
    ],
    [
      "a whole end, and an incomplete one behind it",
      events(begin, ...text(0, "Hi"), stop("end_turn")[0]!, ...stop("max_tokens")),
      { text: "Hi", calls: [], stop: "length" },
    ],
    [
      "a full window",
      events(begin, ...text(0, "Hi"), ...stop("model_context_window_exceeded")),
      { text: "Hi", stop: "length" },
    ],
    ["no reason", events(begin, ...text(0, "Hi"), ...stop(null)), { text: "Hi", stop: "other" }],
    [
      "thinking that nobody can read",
      events(
        begin,
        ...block(0, { type: "redacted_thinking", data: "D" }),
        ...text(1, "Hi"),
        ...stop("end_turn"),
      ),
      {
        ...hi,
        provider: expect.objectContaining({
          anthropic: [
            { type: "redacted_thinking", data: "D" },
            { type: "text", length: 2 },
          ],
        }),
      },
    ],
    [
      "calls whose parts are mixed",
      events(
        begin,
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "a", name: "f", input: {} },
        },
        {
          type: "content_block_start",
          index: 1,
          content_block: { type: "tool_use", id: "b", name: "g", input: {} },
        },
        { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
        {
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: '{"x":1}' },
        },
        { type: "content_block_stop", index: 0 },
        { type: "content_block_stop", index: 1 },
        ...stop("tool_use"),
      ),
      { calls: [call("a", "f", '{"x":1}'), call("b", "g", "{}")], stop: "calls" },
    ],
    [
      "tools of a server, and usage that is null",
      json({
        content: [
          { type: "mcp_tool_use", id: "x", name: "y", server_name: "z", input: {} },
          { type: "mcp_tool_result", tool_use_id: "x", content: [] },
          { type: "text", text: "Hi", citations: null },
        ],
        stop_reason: "end_turn",
        usage: null,
      }),
      { ...hi, usage: {} },
    ],
    [
      "an error in the middle",
      events(begin, ...text(0, "Half"), {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
      }),
      { text: "Half", error: expect.objectContaining({ kind: "overloaded", retryable: true }) },
    ],
  ])("%s", (_, body, expected) => check(messages, body, expected))
})

const item = (said: string, more = {}) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: said, annotations: [] }],
  ...more,
})
const response = (output: readonly object[], more = {}) => ({
  object: "response",
  status: "completed",
  model: "gpt",
  output,
  ...more,
})
const ended = (type: string, given: object) => ({ type: `response.${type}`, response: given })
const incomplete = (reason?: string) => ({
  status: "incomplete",
  incomplete_details: reason === undefined ? null : { reason },
})

describe("responses", () => {
  test.each<[string, string, Expected]>([
    [
      "a search by the provider, with its events",
      events(
        { type: "response.output_item.added", output_index: 0, item: { type: "web_search_call", id: "w" } },
        { type: "response.web_search_call.searching", output_index: 0, item_id: "w" },
        { type: "response.output_item.done", output_index: 0, item: { type: "web_search_call", id: "w" } },
        { type: "response.output_item.added", output_index: 1, item: item("", { content: [] }) },
        { type: "response.output_text.delta", output_index: 1, delta: "Hi" },
        { type: "response.output_text.annotation.added", output_index: 1, annotation: {} },
        ended("completed", response([{ type: "web_search_call" }, item("Hi")])),
      ),
      hi,
    ],
    [
      "its end in an event of another name",
      events({ type: "response.finished", response: response([item("Hi")]) }),
      hi,
    ],
    [
      "an event of another name with a response that is still queued",
      events({ type: "response.other", response: { ...response([item("Hi")]), status: "queued" } }),
      { calls: [], error: expect.objectContaining({ kind: "protocol", retryable: true }) },
    ],
    [
      "an error in an event of another name",
      events({ type: "response.other", error: { code: 429, message: "Slow down" } }),
      { calls: [], error: expect.objectContaining({ kind: "rate-limit" }) },
    ],
    [
      "an error event without an error in it",
      events({ type: "error", code: "invalid_api_key", message: "No" }),
      { calls: [], error: expect.objectContaining({ kind: "rejected" }) },
    ],
    [
      "a failure without a reason",
      events(ended("failed", { ...response([]), status: "failed" })),
      { calls: [], error: expect.objectContaining({ kind: "overloaded", retryable: true }) },
    ],
    ...(
      [
        ["incomplete", "max_output_tokens", { stop: "length" }],
        ["incomplete", "content_filter", { stop: "filter" }],
        ["incomplete", "other", { stop: "other", finish: "other" }],
        ["cancelled", undefined, { stop: "other", finish: "cancelled" }],
      ] as const
    ).map(([status, reason, expected]): [string, string, Expected] => [
      `an end that is ${status} for ${reason ?? "no reason"}`,
      events(
        ended(status, {
          ...response([item("Hi")]),
          status,
          ...(reason && { incomplete_details: { reason } }),
        }),
      ),
      { text: "Hi", calls: [], ...expected },
    ]),
    [
      "items of MCP servers",
      json(response([{ type: "mcp_list_tools", tools: [] }, { type: "mcp_call", name: "x" }, item("Hi")])),
      hi,
    ],
    [
      "a refusal",
      json(response([item("", { content: [{ type: "refusal", refusal: "No." }] })])),
      { text: "No.", stop: "filter" },
    ],
    [
      "a refusal in the middle of a text",
      json(
        response([
          item("", {
            content: [
              { type: "output_text", text: "Hi" },
              { type: "refusal", refusal: "No." },
            ],
          }),
        ]),
      ),
      { text: "Hi\n\nNo.", stop: "filter" },
    ],
    [
      "an end in an event that nobody knows",
      events(
        { type: "response.output_text.delta", output_index: 0, delta: "Half" },
        { type: "response.paused", response: response([item("Half")], { status: "paused" }) },
      ),
      { text: "Half", stop: "other", finish: "paused" },
    ],
    [
      "an end in an event of another name",
      events(
        { type: "response.created", response: response([], { status: "in_progress" }) },
        { type: "response.done", response: response([item("Hi")]) },
      ),
      hi,
    ],
    [
      "thinking that used up all tokens",
      json(
        response(
          [{ type: "reasoning", summary: [], encrypted_content: "E" }],
          incomplete("max_output_tokens"),
        ),
      ),
      { text: "", stop: "length" },
    ],
    [
      "a filter",
      json(response([item("Half")], incomplete("content_filter"))),
      { text: "Half", stop: "filter" },
    ],
    [
      "a reason that nobody knows",
      json(response([item("Half")], incomplete("max_tool_calls"))),
      { text: "Half", stop: "other", finish: "max_tool_calls" },
    ],
    [
      "no reason",
      json(response([item("Half")], incomplete())),
      { text: "Half", stop: "other", finish: "incomplete" },
    ],
    ["no status", json({ output: [item("Half")] }), { text: "Half", stop: "other" }],
    [
      "an end that only its event names",
      events(
        ended("incomplete", { output: [item("Half")], incomplete_details: { reason: "max_output_tokens" } }),
      ),
      { text: "Half", stop: "length" },
    ],
    [
      "an end whose event says less than its status",
      events(ended("incomplete", response([item("Half")]))),
      { text: "Half", stop: "other", finish: "incomplete" },
    ],
    [
      "an end from outside",
      events(ended("cancelled", { output: [item("Half")] })),
      { text: "Half", stop: "other", finish: "cancelled" },
    ],
    [
      "parts of items that never begin",
      events(
        { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Hm." },
        { type: "response.output_text.delta", output_index: 1, delta: "Hi" },
        ended("completed", { status: "completed", usage: null }),
      ),
      { ...hi, thought: "Hm.", usage: {} },
    ],
    ["a content that is a text", json(response([item("", { content: "Hi" })])), hi],
    [
      "reasoning that is in the total alone",
      json(
        response([item("Hi")], {
          usage: {
            input_tokens: 12,
            output_tokens: 1,
            total_tokens: 241,
            output_tokens_details: { reasoning_tokens: 228 },
          },
        }),
      ),
      { ...hi, usage: { inputTokens: 12, outputTokens: 229, reasoningTokens: 228 } },
    ],
    [
      "a failure that asks to wait",
      json(
        response([], {
          status: "failed",
          error: { code: "rate_limit_exceeded", message: "Rate limit reached. Please try again in 1.5s." },
        }),
      ),
      { text: "", error: expect.objectContaining({ kind: "rate-limit", retryAfter: 1500 }) },
    ],
    [
      "an error in the middle",
      events(
        { type: "response.output_item.added", output_index: 0, item: item("", { content: [] }) },
        { type: "response.output_text.delta", output_index: 0, delta: "Half" },
        { type: "error", code: "server_error", message: "boom", sequence_number: 4 },
      ),
      { text: "Half", error: expect.objectContaining({ kind: "overloaded", retryable: true }) },
    ],
  ])("%s", (_, body, expected) => check(responses, body, expected))
})

describe("answers whose type is told wrongly", () => {
  const answer = message({ content: "Hi" }, "stop", { usage: { prompt_tokens: 1, completion_tokens: 2 } })
  const stream = events(chunk({ content: "Hi" }), chunk({}, "stop"), "[DONE]")
  const refused = json({ error: { message: "No such model: x", type: "invalid_request_error", code: 400 } })
  const error = {
    kind: "rejected" as const,
    retryable: false,
    message: expect.stringContaining("No such model: x"),
  }
  test.each<["json" | "sse", string, string, Expected]>([
    ["sse", "an object", json(answer), { ...hi, usage: { inputTokens: 1, outputTokens: 2 } }],
    ["sse", "an object after blank lines", `\n\n${json(answer)}`, hi],
    ["sse", "an error", refused, { error }],
    ["json", "a stream", stream, hi],
    ["json", "a stream that begins with a comment", `: hello\n\n${stream}`, hi],
    [
      "json",
      "a stream that was cut",
      events(chunk({ content: "Hi" })),
      { text: "Hi", error: { kind: "protocol" } as never },
    ],
    ["json", "a page", "<p>", { error: { kind: "protocol" } as never }],
  ])("called %s: %s", (kind, _, body, expected) => {
    for (const bytes of [Number.MAX_SAFE_INTEGER, 7]) {
      const reply = chat("deepseek")(() => {})
      const reader = reply.open(kind, "")
      const content = Buffer.from(body)
      for (let at = 0; at < content.length; at += bytes)
        if (reader.push(content.subarray(at, at + bytes)) !== "more") break
      expect(reply.reply(reader.end())).toMatchObject(expected)
    }
  })
})
