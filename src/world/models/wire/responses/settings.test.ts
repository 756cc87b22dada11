import { describe, expect, test } from "vitest"
import { requestWith } from "../../../../faces/testing/plain-request.ts"
import type { Message } from "../../../../ground/message.ts"
import { createResponsesWriter } from "./request.ts"
import { SealedReasoning } from "./sealed-reasoning.ts"
import { buildResponsesSettings } from "./settings.ts"

type Parameters = Readonly<Record<string, unknown>>

const settings = (
  parameters: Parameters,
  requested?: Parameters,
  effort?: string | number,
  include: readonly string[] = [],
  stream: "sse" | "json" = "sse",
) => {
  const { plain, withTools, limit, hasCacheKey } = buildResponsesSettings(
    { model: "m", stream, parameters, include } as never,
    requested as never,
    effort as never,
  )
  const { model: _, stream: isStream, store, ...rest } = JSON.parse(`{${plain}}`)
  return {
    ...rest,
    ...(isStream !== (stream === "sse") && { stream: isStream }),
    ...(store !== false && { store }),
    ...(withTools !== "" && { withTools: JSON.parse(`{${withTools.slice(1)}}`) }),
    ...(limit !== Number.POSITIVE_INFINITY && { limit }),
    ...(hasCacheKey && { hasCacheKey }),
  }
}

describe("the settings of a request", () => {
  test.each<[string, unknown, object]>([
    ["nothing", settings({}), {}],
    ["as JSON", settings({}, undefined, undefined, [], "json"), {}],
    ["a parameter", settings({ temperature: 0 }), { temperature: 0 }],
    ["one that is removed", settings({ temperature: 0 }, { temperature: null }), {}],
    ["one that is overridden", settings({ temperature: 0 }, { temperature: 1 }), { temperature: 1 }],
    ["an effort", settings({ reasoning_effort: "low" }), { reasoning: { effort: "low" } }],
    ["the effort of a definition", settings({}, {}, "high"), { reasoning: { effort: "high" } }],
    ["not one in tokens", settings({}, {}, 500), {}],
    [
      "not one where the parameters have one",
      settings({ reasoning: { effort: "low" } }, {}, "high"),
      { reasoning: { effort: "low" } },
    ],
    ["not one where reasoning is off", settings({ reasoning: null }, {}, "high"), {}],
    ["no effort where reasoning is off", settings({ reasoning: null, reasoning_effort: "low" }), {}],
    ["an effort that is null", settings({ reasoning_effort: null }), {}],
    [
      "reasoning from both",
      settings({ reasoning: { summary: "auto" } }, { reasoning: { effort: "low" } }),
      { reasoning: { summary: "auto", effort: "low" } },
    ],
    [
      "text from both",
      settings({ verbosity: "low" }, { text: { format: 1 } }),
      { text: { verbosity: "low", format: 1 } },
    ],
    [
      "a verbosity",
      settings({ verbosity: "low", text: { format: 1 } }),
      { text: { verbosity: "low", format: 1 } },
    ],
    [
      "a schema",
      settings({ response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } } }),
      { text: { format: { type: "json_schema", name: "n", schema: {} } } },
    ],
    [
      "a format without a schema",
      settings({ response_format: { type: "json_object" } }),
      { text: { format: { type: "json_object" } } },
    ],
    [
      "the choice of a tool",
      settings({ tool_choice: { type: "function", function: { name: "f" } } }),
      { withTools: { tool_choice: { type: "function", name: "f" } } },
    ],
    [
      "a choice in a word",
      settings({ tool_choice: "auto", parallel_tool_calls: false }),
      { withTools: { tool_choice: "auto", parallel_tool_calls: false } },
    ],
    [
      "a choice of some",
      settings({
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] },
        },
      }),
      {
        withTools: {
          tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
        },
      },
    ],
    [
      "a choice of its own",
      settings({ tool_choice: { type: "mcp" } }),
      { withTools: { tool_choice: { type: "mcp" } } },
    ],
    ["usage is always told", settings({ stream_options: { include_usage: true } }), {}],
    [
      "other options of a stream",
      settings({ stream_options: { include_usage: true, x: 1 } }),
      { stream_options: { x: 1 } },
    ],
    ["a limit", settings({ max_tokens: 500 }), { limit: 500 }],
    ["the least limit", settings({ max_output_tokens: 5 }), { limit: 16 }],
    [
      "a key for the cache",
      settings({ prompt_cache_key: "k" }),
      { prompt_cache_key: "k", hasCacheKey: true },
    ],
    ["more data", settings({ include: ["x"] }, {}, undefined, ["x", "y"]), { include: ["x", "y"] }],
    ["no more data where that is off", settings({ include: null }, {}, undefined, ["x"]), {}],
  ])("%s", (_, given, expected) => expect(given).toEqual(expected))
})

describe("a request", () => {
  const writer = () =>
    createResponsesWriter({
      model: "gpt-4o",
      stream: "sse",
      parameters: {},
      host: "h",
      strict: { has: () => false } as never,
      sealed: new SealedReasoning("gpt-4o"),
    })
  const call = (id: string) => ({ id, wire: id, tool: "add", arguments: "{}" })
  const reply = (...ids: readonly string[]): Message => ({
    role: "assistant",
    text: "",
    calls: ids.map(call),
  })
  const result = (wire: string, text = wire): Message => ({
    role: "tool",
    call: wire,
    wire,
    tool: "add",
    text,
  })
  const user = (text: string): Message => ({ role: "user", text })
  const items = (...messages: readonly Message[]) =>
    JSON.parse(String(writer()(requestWith({ messages: messages as never })))).input.map(
      (item: { type: string; call_id?: string; output?: string; content?: string }) =>
        item.type === "message"
          ? item.content
          : `${item.type === "function_call" ? "call" : "result"} ${item.call_id} ${item.output ?? ""}`.trim(),
    )
  const missing = (id: string) => expect.stringMatching(new RegExp(`^result ${id} No result`))

  test.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "results behind their calls",
      items(user("go"), reply("a", "b"), result("a"), result("b")),
      ["go", "call a", "call b", "result a a", "result b b"],
    ],
    [
      "results in another order",
      items(reply("a", "b"), result("b"), result("a")),
      ["call a", "call b", "result a a", "result b b"],
    ],
    [
      "a result that is missing",
      items(reply("a", "b"), result("b")),
      ["call a", "call b", missing("a"), "result b b"],
    ],
    ["all of them", items(reply("a"), user("go")), ["call a", missing("a"), "go"]],
    ["a result of no call", items(user("go"), result("x"), user("on")), ["go", "on"]],
    [
      "results of an earlier turn",
      items(reply("a"), result("a", "1"), reply("a"), result("a", "2")),
      ["call a", "result a 1", "call a", "result a 2"],
    ],
    [
      "a result that comes too late",
      items(reply("a"), user("go"), result("a")),
      ["call a", missing("a"), "go"],
    ],
    ["nothing", items(), []],
  ])("has %s", (_, found, expected) => expect(found).toEqual(expected))

  test("has its settings anew where they changed, and else as they were", () => {
    const write = writer()
    const tools: never[] = []
    const body = (more: object) => JSON.parse(String(write(requestWith({ tools, system: "s", ...more }))))
    expect(
      [body({}).instructions, body({ system: "t" }).instructions, body({ system: "" })].map(
        (one) => one?.input ?? one,
      ),
    ).toEqual(["s", "t", expect.any(Array)])
    expect(body({ parameters: { temperature: 1 } }).temperature).toBe(1)
    expect(body({}).temperature).toBeUndefined()
    expect(body({ effort: "low" }).reasoning).toEqual({ effort: "low" })
    expect([
      body({ maxOutputTokens: 5 }).max_output_tokens,
      body({ maxOutputTokens: 50 }).max_output_tokens,
      "max_output_tokens" in body({}),
    ]).toEqual([16, 50, false])
  })
})
