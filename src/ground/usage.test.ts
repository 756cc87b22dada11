import { expect, test } from "vitest"
import type { TokenUsage } from "./message.ts"
import { addUsage, computeUsageCost, getKnownUsage, noUsage, sumTokens } from "./usage.ts"

const read = { inputTokens: 10, outputTokens: 5 }

test.each<[string, TokenUsage, TokenUsage, TokenUsage]>([
  [
    "two that are known",
    { ...read, cost: 1 },
    { ...read, cost: 2 },
    { inputTokens: 20, outputTokens: 10, cost: 3 },
  ],
  ["what was refused, and what has a price", noUsage, { ...read, cost: 2 }, { ...read, cost: 2 }],
  ["two without a price", read, read, { inputTokens: 20, outputTokens: 10 }],
  [
    "one without a price",
    { ...read, cost: 1 },
    read,
    { inputTokens: 20, outputTokens: 10, atLeast: { inputTokens: 20, outputTokens: 10, cost: 1 } },
  ],
  ["one that nobody told", { ...read, cost: 1 }, {}, { atLeast: { ...read, cost: 1 } }],
  ["two that nobody told", {}, {}, {}],
  ["what was refused, and what nobody told", noUsage, {}, {}],
  [
    "half of one",
    read,
    { inputTokens: 3 },
    { inputTokens: 13, atLeast: { inputTokens: 13, outputTokens: 5 } },
  ],
  [
    "a total of which a part is unknown, and one more",
    { atLeast: { ...read, cost: 1 } },
    { ...read, cost: 2 },
    { atLeast: { inputTokens: 20, outputTokens: 10, cost: 3 } },
  ],
  [
    "what came from caches and was thought, where all say so",
    { ...read, cachedTokens: 1, reasoningTokens: 0 },
    { ...read, cachedTokens: 2, reasoningTokens: 3 },
    { inputTokens: 20, outputTokens: 10, cachedTokens: 3, reasoningTokens: 3 },
  ],
  [
    "what came from caches and was thought, where only one says so",
    { ...read, cachedTokens: 1 },
    { ...read, reasoningTokens: 2 },
    {
      inputTokens: 20,
      outputTokens: 10,
      atLeast: { inputTokens: 20, outputTokens: 10, cachedTokens: 1, reasoningTokens: 2 },
    },
  ],
  [
    "what was thought, and what used nothing",
    { ...read, reasoningTokens: 2 },
    noUsage,
    { ...read, reasoningTokens: 2 },
  ],
  [
    "what was thought, and what nobody told",
    { ...read, reasoningTokens: 2 },
    {},
    { atLeast: { ...read, reasoningTokens: 2 } },
  ],
  [
    "a total of which what was thought is known in part, and one more",
    { ...read, atLeast: { ...read, reasoningTokens: 2 } },
    { ...read, reasoningTokens: 3, cost: 1 },
    {
      inputTokens: 20,
      outputTokens: 10,
      atLeast: { inputTokens: 20, outputTokens: 10, reasoningTokens: 5, cost: 1 },
    },
  ],
])("the sum of %s", (_, one, other, expected) => {
  expect(addUsage(one, other)).toEqual(expected)
  expect(addUsage(other, one)).toEqual(expected)
})

test.each<[TokenUsage, number | undefined, number | undefined, number]>([
  [{ ...read, cost: 1 }, 15, 1, 1],
  [read, 15, undefined, 0],
  [noUsage, 0, 0, 0],
  [{}, undefined, undefined, 0],
  [{ inputTokens: 3, atLeast: { inputTokens: 3, outputTokens: 9, cost: 2 } }, undefined, undefined, 2],
])("of %j", (usage, tokens, cost, known) => {
  expect([sumTokens(usage), computeUsageCost(usage), getKnownUsage(usage).cost]).toEqual([
    tokens,
    cost,
    known,
  ])
})
