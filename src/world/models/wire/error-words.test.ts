import { describe, expect, test } from "vitest"
import { describeAnswerError, describeErrorObject, toPlainWord } from "./error-words.ts"

const said = (message: string, words = "  ", more: object = {}) => ({ message, words, ...more })

describe("what an error object says", () => {
  test.each<[string, unknown, object]>([
    ["a text", "no", said("no", "")],
    ["nothing", undefined, said("")],
    ["a message", { message: "no", type: "t", code: 7, status: "s" }, said("no", "t 7 s")],
    ["a detail", { message: null, detail: "no" }, said("no")],
    ["an error in it", { error: "no" }, said("no")],
    ["a message that is no text", { message: { a: 1 } }, said('{"a":1}')],
    [
      "what somebody else said, in JSON",
      { message: "failed", metadata: { provider_name: "P", raw: '{"error":{"message":"why","code":5}}' } },
      said("failed (P): why", "    5 "),
    ],
    [
      "what somebody else said, in plain text",
      { message: "failed", metadata: { raw: "why" } },
      said("failed: why", "   "),
    ],
    [
      "what somebody else said, as a value",
      { message: "failed", metadata: { raw: { message: "why" } } },
      said("failed: why", "     "),
    ],
    ["nobody else, who said null", { message: "failed", metadata: { raw: null } }, said("failed")],
    ["nobody else, who said nothing", { message: "failed", metadata: { raw: "" } }, said("failed")],
    ["nobody else, who is not there", { message: "failed", metadata: {} }, said("failed")],
    [
      "how long to wait",
      { message: "no", details: [{}, { retryDelay: "1.5s" }] },
      said("no", "  ", { wait: 1_500 }),
    ],
    ["no time to wait", { message: "no", details: [{ retryDelay: "0s" }] }, said("no")],
    [
      "a quota of a day",
      { message: "no", details: [{ violations: [{ quotaId: "RequestsPerDay" }] }] },
      said("no", "  ", { quota: "day" }),
    ],
    [
      "a quota of a minute",
      { message: "no", details: [{ violations: [{ quotaId: "RequestsPerMinute" }] }] },
      said("no"),
    ],
  ])("%s", (_, error, expected) => expect(describeErrorObject(error)).toEqual(expected))

  test.each([
    ["x", "x"],
    [7, "7"],
    [undefined, ""],
    [{ toString: () => "x" }, ""],
  ])("a word is text or a number: %j", (value, expected) => expect(toPlainWord(value)).toBe(expected))
})

describe("what the body of a failure says", () => {
  const json = { "content-type": "application/json" }
  const html = { "content-type": "text/html" }
  test.each<[string, string, object, string]>([
    ["an error", '{"error":{"message":"no"}}', json, "no"],
    ["an error in a list", '[{"error":{"message":"no"}}]', json, "no"],
    ["an error without a cover", '{"message":"no"}', json, "no"],
    ["plain text", " no \n", json, "no"],
    ["nothing", " ", json, "no reason given (9 bytes of application/json)"],
    [
      "a page",
      "<html><title> Blocked </title></html>",
      html,
      'a page with the title "Blocked" (9 bytes of text/html)',
    ],
    ["a page without a title", "<html></html>", html, "no reason given (9 bytes of text/html)"],
    ["nothing of an unknown kind", "", {}, "no reason given (9 bytes of unnamed content)"],
  ])("%s", (_, text, headers, message) =>
    expect(describeAnswerError(text, headers as never, 9).message).toBe(message),
  )
})
