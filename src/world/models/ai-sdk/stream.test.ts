import { getEventListeners } from "node:events"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../../test/rounds.ts"
import type { ModelRequest } from "../../../agent/model.ts"
import { requestWith } from "../../../faces/testing/plain-request.ts"
import { sumTokens } from "../../../ground/usage.ts"
import { aiSdkModel } from "./adapter.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import { AiSdkReply } from "./stream.ts"

/** A language model with scripted replies, in one version of the specification. */
const saying = (specificationVersion: string, ...parts: readonly object[]): AiSdkLanguageModel => ({
  specificationVersion,
  provider: "other.chat",
  modelId: "m",
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    }),
  }),
})
const heard = (model: AiSdkLanguageModel, request: Partial<ModelRequest> = {}) =>
  aiSdkModel(model).stream(requestWith(request), () => {})
const text = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "x" },
  { type: "text-end", id: "0" },
]
const counted = {
  inputTokens: 7,
  outputTokens: 3,
  totalTokens: 14,
  reasoningTokens: 4,
  cachedInputTokens: 5,
}

describe("a model that ends its stream in its own way", () => {
  test("version 2 is understood", async () => {
    const finish = { type: "finish", finishReason: "stop", usage: counted }
    expect(await heard(saying("v2", ...text, finish))).toEqual({
      text: "x",
      calls: [],
      usage: { inputTokens: 7, outputTokens: 7, cachedTokens: 5, reasoningTokens: 4 },
      stop: "end",
    })
  })

  const unsaid = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }
  test.each<[string, object[]]>([
    ["without a finish", []],
    ["as unknown, in version 2", [{ type: "finish", finishReason: "unknown", usage: unsaid }]],
    [
      "as other, in version 3",
      [
        {
          type: "finish",
          finishReason: { unified: "other", raw: undefined },
          usage: { inputTokens: {}, outputTokens: {} },
        },
      ],
    ],
    [
      "as interrupted, in version 4",
      [{ type: "finish", finishReason: { unified: "interrupted" }, usage: { inputTokens: {} } }],
    ],
  ])("67: %s is no success", async (_, finish) => {
    const call = { type: "tool-call", toolCallId: "w", toolName: "add", input: "{}" }
    expect(await heard(saying("v4", ...text, call, ...finish))).toEqual({
      text: "x",
      calls: [],
      usage: {},
      stop: "other",
      error: {
        kind: "protocol",
        message: "The stream from other.chat ended without its terminal event.",
        retryable: true,
      },
    })
  })

  test("41: a finished call whose input never parsed is told as it was written", async () => {
    const parts = [
      { type: "tool-input-start", id: "w", toolName: "add" },
      { type: "tool-input-delta", id: "w", delta: '{"a":' },
      { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: counted },
    ]
    expect(await heard(saying("v3", ...parts))).toMatchObject({
      stop: "calls",
      calls: [{ wire: "w", tool: "add", arguments: '{"a":' }],
    })
  })

  test("what the provider ran itself is no call", async () => {
    const ran = { toolCallId: "w", toolName: "search", input: "{}", providerExecuted: true }
    const parts = [
      { type: "tool-input-start", id: "w", toolName: "search", providerExecuted: true },
      { type: "tool-call", ...ran },
      { type: "tool-result", toolCallId: "w", toolName: "search", result: {} },
      ...text,
      { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: counted },
    ]
    expect(await heard(saying("v4", ...parts))).toMatchObject({ text: "x", calls: [], stop: "end" })
  })

  test("an error at its end is worth another try", async () => {
    const finish = { type: "finish", finishReason: { unified: "error", raw: "MALFORMED" }, usage: counted }
    expect((await heard(saying("v4", ...text, finish))).error).toEqual({
      kind: "overloaded",
      message: expect.stringMatching(/^other\.chat.*ended.*error.*\(MALFORMED\).?$/),
      retryable: true,
    })
  })

  test.each<[unknown, string, boolean]>([
    [new Error("No."), "rejected", false],
    [
      Object.assign(new TypeError("terminated"), {
        cause: Object.assign(new Error(), { code: "ECONNRESET" }),
      }),
      "network",
      true,
    ],
    [Object.assign(new Error("Bad"), { code: "Z_DATA_ERROR" }), "protocol", false],
    [{ type: "error", message: "Slow", code: "rate_limit_exceeded" }, "rate-limit", true],
    [{ error: { message: "Busy", type: "overloaded_error" } }, "overloaded", true],
    ["words alone", "overloaded", true],
    [undefined, "overloaded", true],
  ])("71: %o in its stream is %s", async (error, kind, retryable) => {
    expect(await heard(saying("v4", ...text, { type: "error", error }))).toMatchObject({
      text: "x",
      calls: [],
      stop: "other",
      error: { kind, retryable },
    })
  })

  test("a reason that cannot be shown is an error, thrown or sent", async () => {
    const endless: Record<string, unknown> = {}
    endless.self = endless
    const throwing: AiSdkLanguageModel = { ...saying("v4"), doStream: () => Promise.reject(endless) }
    for (const model of [throwing, saying("v4", { type: "error", error: endless })])
      expect((await heard(model)).error).toEqual({
        kind: "protocol",
        message: expect.stringMatching(/^other\.chat.*reason.*shown/),
        retryable: true,
      })
  })

  test("a listener that throws ends the request, as data", async () => {
    const reply = await aiSdkModel(saying("v4", ...text)).stream(requestWith(), () => {
      throw new Error("mine")
    })
    expect(reply.error).toEqual({
      kind: "protocol",
      message: expect.stringMatching(/processed.*mine.?$/),
      retryable: false,
    })
  })

  test("72: after the end no timer is left, and no listener on the signal", async () => {
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const before = timers()
    const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: counted }
    for (let turn = 0; turn < 20; turn++) await heard(saying("v4", ...text, finish), { signal })
    expect([getEventListeners(signal, "abort").length, timers() - before]).toEqual([0, 0])
  })

  test("an effort is passed on in the words of its version", async () => {
    const seen: unknown[] = []
    for (const version of ["v2", "v4"]) {
      const model: AiSdkLanguageModel = {
        ...saying(version),
        doStream: (call) => {
          seen.push(call)
          return saying(version).doStream(call)
        },
      }
      await heard(model, { effort: "high" })
    }
    expect(seen).toMatchObject([
      { providerOptions: { other: { reasoningEffort: "high" } } },
      { reasoning: "high" },
    ])
  })
})

describe("parts of any shape", () => {
  const types = [
    ...["text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end"],
    ...["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call", "tool-result"],
    ...["response-metadata", "finish", "error", "stream-start", "raw", "news"],
  ]
  const loose = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, "", "x", "{}", "stop", "length", "tool-calls", 0, 7, true),
    fc.dictionary(
      fc.constantFrom("unified", "raw", "total", "cacheRead", "openai", "message", "code", "toString"),
      fc.constantFrom<unknown>(null, "x", 7, -1, "stop", "error", { a: undefined, b: 1n }, []),
      { maxKeys: 3 },
    ),
  )
  const part = fc.record({
    type: fc.constantFrom(...types),
    id: fc.constantFrom<unknown>("0", "1", undefined, 7),
    toolCallId: fc.constantFrom<unknown>("0", "1", undefined),
    ...Object.fromEntries(
      ["delta", "toolName", "input", "providerMetadata", "finishReason", "usage", "error", "modelId"].map(
        (name) => [name, loose],
      ),
    ),
  })

  test("are a reply or an error, and only JSON is kept", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, loose), { maxLength: 8 }), async (parts) => {
        const reply = await heard(saying("v4", ...(parts as object[])))
        const { calls, stop, error, ...rest } = reply
        expect(typeof rest.text).toBe("string")
        for (const call of calls)
          expect(Object.values(call).map((value) => typeof value)).toEqual(["string", "string", "string"])
        expect(sumTokens(rest.usage) ?? 0).toBeGreaterThanOrEqual(0)
        expect(JSON.parse(JSON.stringify(rest))).toEqual(rest)
        if (error) expect([calls, stop]).toEqual([[], "other"])
      }),
      { numRuns: rounds(1000) },
    )
  })

  test("a reply that was never begun is an error", () => {
    const reply = new AiSdkReply({ host: "host", provider: "other", onDelta: () => {}, price: undefined })
    expect(reply.reply(reply.check())).toMatchObject({ text: "", calls: [], error: { kind: "protocol" } })
  })
})
