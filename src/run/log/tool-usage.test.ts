import { expect, test } from "vitest"
import { chargeForUsage, readToolUsage } from "./tool-usage.ts"

test.each<[string, unknown, unknown]>([
  ["nothing", {}, {}],
  ["tokens", { m: { inputTokens: 1, outputTokens: 2 } }, { m: { inputTokens: 1, outputTokens: 2 } }],
  [
    "all that there is of it, and nothing that is none of it",
    { m: { inputTokens: 9, outputTokens: 8, cachedTokens: 7, reasoningTokens: 6, cost: 0.5, note: "x" } },
    { m: { inputTokens: 9, outputTokens: 8, cachedTokens: 7, reasoningTokens: 6, cost: 0.5 } },
  ],
  ["no map", "much", undefined],
  ["null", { m: null }, undefined],
  ["no usage", { m: "much" }, undefined],
  ["nothing at all", null, undefined],
  ["half of it", { m: { inputTokens: 1 } }, { m: { inputTokens: 1 } }],
  ["less than nothing", { m: { inputTokens: -1, outputTokens: 0 } }, undefined],
  ["no end of it", { m: { inputTokens: 0, outputTokens: 0, cost: Number.POSITIVE_INFINITY } }, undefined],
  [
    "one of two wrong",
    { m: { inputTokens: 1, outputTokens: 1 }, n: { inputTokens: "1", outputTokens: 1 } },
    undefined,
  ],
])("usage that a tool tells of: %s", (_, given, expected) => {
  expect(readToolUsage(given)).toEqual(expected)
})

test("what a call took by itself is charged when it ends, and nothing where it took nothing", () => {
  const result = { status: "ok", text: "" } as const
  const usage = {
    m: { inputTokens: 1, outputTokens: 2, cost: 0.25 },
    n: { inputTokens: 10, outputTokens: 20 },
  }
  expect(chargeForUsage({ ...result, usage })).toEqual({ settle: { tokens: 33, cost: 0.25 } })
  expect(chargeForUsage(result)).toEqual({})
})
