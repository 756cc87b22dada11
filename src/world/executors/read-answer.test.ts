import { expect, test } from "vitest"
import type { ExecutorSettings } from "../../agent/executor.ts"
import { readAnswer } from "./read-answer.ts"
import { readExecutorUsage } from "./read-usage.ts"

const printed = (value: unknown) => ({ head: JSON.stringify(value), tail: "", omitted: 0 })
const json = { command: ["x"], result: "json" } as const satisfies ExecutorSettings

test.each<[string, Partial<ExecutorSettings>, unknown, object]>([
  ["a text", { text: "result" }, { result: "done" }, { text: "done" }],
  ["an object", { text: "result" }, { result: { a: 1 } }, { text: '{"a":1}' }],
  ["false is an answer", { text: "result" }, { result: false }, { text: "false" }],
  ["0 is an answer", {}, 0, { text: "0" }],
  [
    "null is none",
    { text: "result" },
    { result: null },
    { problem: expect.stringMatching(/`result`.* is null/) },
  ],
  ["null alone is none", {}, null, { problem: expect.stringContaining("is null") }],
])("%s", (_, settings, value, answer) => {
  expect(readAnswer({ ...json, ...settings }, printed(value), "text")).toEqual(answer)
})

test.each<[string, unknown, object]>([
  ["told", { in: 3, out: 0, usd: 0.5 }, { inputTokens: 3, outputTokens: 0, cost: 0.5 }],
  ["negative", { in: -3, out: 4, usd: -1 }, { outputTokens: 4 }],
  ["texts", { in: "3", out: "4", usd: "0.5" }, {}],
  ["nothing", { in: null, out: [], usd: {} }, {}],
  ["no number", { in: 1e300, out: true }, {}],
  ["missing", {}, {}],
])("usage that is %s: what is no amount is unknown, and never 0", (_, value, usage) => {
  const ways = { usage: { input: "in", output: "out", cost: "usd" } }
  expect(readExecutorUsage(ways, printed(value) as never)).toEqual(usage)
})
