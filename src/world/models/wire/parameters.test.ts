import { describe, expect, test } from "vitest"
import { reservedAnthropicParameters as ofAnthropic } from "./anthropic/names.ts"
import { chatLimitParameters as limitsOfChat, reservedChatParameters as ofChat } from "./openai/names.ts"
import { mergeParameters, readTokens } from "./parameters.ts"
import {
  responsesLimitParameters as limitsOfResponses,
  minOutputTokens,
  reservedResponsesParameters as ofResponses,
} from "./responses/names.ts"

describe("parameters", () => {
  const names = { reserved: ["model"], limits: ["max_tokens", "max_completion_tokens"] }
  test.each<[object, object, object]>([
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, { model: "x" }, { a: 1 }],
    [{ model: "own" }, { model: "x" }, { model: "own" }],
    [{ max_tokens: 5 }, { max_completion_tokens: 7 }, { max_completion_tokens: 7 }],
    [{ max_tokens: 5 }, { a: 1 }, { max_tokens: 5, a: 1 }],
  ])("%j, and over them %j", (own, given, expected) => {
    expect(mergeParameters(own as never, given as never, names)).toEqual(expected)
  })

  test.each([
    [1, true],
    [4096, true],
    [0, false],
    [-1, false],
    [1.5, false],
    ["5", false],
    [null, false],
  ])("%j is a number of tokens: %s", (value, isOne) => {
    if (isOne) expect(readTokens("max_tokens", value)).toBe(value)
    else expect(() => readTokens("max_tokens", value)).toThrow(/^the parameter max_tokens is .*whole number/)
  })

  test("are the runtime's own to set, in each protocol: what a definition could break a run with", () => {
    for (const own of [ofAnthropic, ofChat, ofResponses])
      expect(["model", "messages", "tools", "stream"].filter((name) => !own.includes(name))).toEqual([])
    expect(["system", "cache_control"].filter((name) => !ofAnthropic.includes(name))).toEqual([])
    const stored = ["input", "instructions", "store", "previous_response_id", "conversation", "background"]
    expect(stored.filter((name) => !ofResponses.includes(name))).toEqual([])
    expect([limitsOfChat, limitsOfResponses, minOutputTokens]).toEqual([
      ["max_tokens", "max_completion_tokens"],
      ["max_output_tokens", "max_completion_tokens", "max_tokens"],
      16,
    ])
  })
})
