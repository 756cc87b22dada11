import { expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { findModelScriptProblems } from "./script-problems.ts"

test("a script with every key has no problem", () => {
  expect(
    findModelScriptProblems({
      lead: [
        {
          match: "a",
          text: "",
          calls: [{ tool: "Read", input: null, arguments: "", id: "x" }],
          usage: {
            inputTokens: 0,
            outputTokens: 1,
            cachedTokens: 0,
            reasoningTokens: 0,
            cost: 0.1,
            atLeast: {},
          },
          stop: "end",
          finish: "stop",
          error: { kind: "overloaded", message: "m", retryable: true, retryAfter: 1, unknownModel: true },
          delayMs: 0,
        },
        { usage: "unreported" },
      ],
      other: [],
    }),
  ).toEqual([])
})

test.each<[string, Json, RegExp]>([
  ["a list of agents", [], /list/],
  ["a text", "Hello", /string/],
  ["null", null, /null/],
  ["an agent without a list of turns", { lead: { text: "Hi." } }, /^lead .*map/],
  ["a turn that is a text", { lead: [{}, "Hi."] }, /^lead\[1\] .*string/],
  ["a misspelt key", { lead: [{ call: [] }] }, /^lead\[0\] .*`call`.*"calls"/],
  ["calls that are no list", { lead: [{ calls: { tool: "Read" } }] }, /^lead\[0\]\.calls .*list/],
  ["a call that is a text", { lead: [{ calls: ["Read"] }] }, /^lead\[0\]\.calls\[0\] .*string/],
  ["a call without a tool", { lead: [{ calls: [{ input: {} }] }] }, /^lead\[0\]\.calls\[0\] .*`tool`/],
  ["arguments that are no text", { lead: [{ calls: [{ tool: "R", arguments: {} }] }] }, /\.arguments .*text/],
  ["an unknown end", { lead: [{ stop: "done" }] }, /^lead\[0\]\.stop .*filter/],
  [
    "an unknown kind of failure",
    { lead: [{ error: { kind: "busy" } }] },
    /^lead\[0\]\.error\.kind .*overloaded/,
  ],
  ["an error that is a text", { lead: [{ error: "busy" }] }, /^lead\[0\]\.error /],
  ["tokens below zero", { lead: [{ usage: { inputTokens: -1 } }] }, /^lead\[0\]\.usage\.inputTokens /],
  ["a wait that is a text", { lead: [{ delayMs: "5" }] }, /^lead\[0\]\.delayMs /],
])("%s is a problem with its place", (_, script, problem) => {
  expect(findModelScriptProblems(script)).toEqual([expect.stringMatching(problem)])
})

test("every problem is reported, and not only the first", () => {
  expect(findModelScriptProblems({ a: 1, b: [2, { text: 3 }] })).toHaveLength(3)
})
