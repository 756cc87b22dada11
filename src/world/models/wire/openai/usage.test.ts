import { describe, expect, test } from "vitest"
import { readFailedCall } from "./failed-call.ts"
import { countOutputTokens, readChatUsage } from "./usage.ts"

describe("what a server says that a reply used", () => {
  test.each<[unknown, object]>([
    [undefined, {}],
    [{}, {}],
    [{ prompt_tokens: 5 }, { inputTokens: 5 }],
    [{ completion_tokens: 5 }, { outputTokens: 5 }],
    [{ prompt_tokens: -1, completion_tokens: "5" }, {}],
    [
      { prompt_tokens: 5, total_tokens: 7 },
      { inputTokens: 5, outputTokens: 2 },
    ],
    [{ prompt_tokens_details: { cached_tokens: 3 }, prompt_cache_hit_tokens: 4 }, { cachedTokens: 3 }],
    [{ prompt_cache_hit_tokens: 4, num_cached_tokens: 5 }, { cachedTokens: 4 }],
    [{ num_cached_tokens: 5, cached_tokens: 6 }, { cachedTokens: 5 }],
    [{ cached_tokens: 6 }, { cachedTokens: 6 }],
    [{ prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 6 }, { cachedTokens: 0 }],
    [{ completion_tokens_details: { reasoning_tokens: 2 }, reasoning_tokens: 3 }, { reasoningTokens: 2 }],
    [{ reasoning_tokens: 3 }, { reasoningTokens: 3 }],
    [
      { prompt_tokens: 5, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 9 } },
      { inputTokens: 5, outputTokens: 13, reasoningTokens: 9 },
    ],
  ])("%j is %j", (report, usage) => expect(readChatUsage(report)).toStrictEqual(usage))

  test.each<
    [number | undefined, number | undefined, number | undefined, number | undefined, number | undefined]
  >([
    [undefined, undefined, undefined, undefined, undefined],
    [undefined, 4, 9, undefined, 4],
    [5, 4, undefined, undefined, 4],
    [5, 4, 9, undefined, 4],
    [5, 4, 12, undefined, 7],
    [5, 4, 8, undefined, 4],
    [5, undefined, 8, undefined, 3],
    [5, undefined, 4, undefined, 0],
    [5, 4, undefined, 4, 4],
    [5, 4, undefined, 5, 9],
    [5, undefined, undefined, 5, undefined],
    [5, 4, 12, 8, 15],
  ])(
    "input %s, output %s, total %s and reasoning %s are %s tokens of output",
    (input, output, total, reasoning, all) => {
      expect(countOutputTokens(input, output, total, reasoning)).toBe(all)
    },
  )
})

describe("a call that the provider refused", () => {
  const error = (generation: unknown, more: object = {}) => ({
    code: "tool_use_failed",
    message: "x is missing",
    failed_generation: generation,
    ...more,
  })
  test.each<[unknown, object | undefined]>([
    [error('{"name":"f","arguments":{"a":1}}'), { name: "f", arguments: '{"a":1}' }],
    [error(' {"name":"f","arguments":"{\\"a\\":1}"} '), { name: "f", arguments: '{"a":1}' }],
    [error('{"name":"f","parameters":{"a":1}}'), { name: "f", arguments: '{"a":1}' }],
    [error('{"name":"f"}'), { name: "f", arguments: "{}" }],
    [error('[{"name":"f"},{"name":"g"}]'), { name: "f", arguments: "{}" }],
    [error('<tool_call>{"name":"f"}</tool_call>'), { name: "f", arguments: "{}" }],
    [error('\n<tool_call>{"name":"f"}</tool_call>\n'), { name: "f", arguments: "{}" }],
    [error('<function=f.g-h>{"a":1}</function>'), { name: "f.g-h", arguments: '{"a":1}' }],
    [error('<function=f{"a":1}'), { name: "f", arguments: '{"a":1}' }],
    [error("I would rather not"), undefined],
    [error('{"name":""}'), undefined],
    [error(7), undefined],
    [error('{"name":"f"}', { code: "other" }), undefined],
    [undefined, undefined],
  ])("%j", (given, expected) => {
    const call = readFailedCall(given)
    expect(call && { name: call.name, arguments: call.arguments }).toEqual(expected)
    if (call) expect(call.problem).toMatch(/x is missing$/)
  })

  test("without words of its own ends with ours", () => {
    expect(readFailedCall(error('{"name":"f"}', { message: undefined }))?.problem).toMatch(/\.$/)
  })
})
