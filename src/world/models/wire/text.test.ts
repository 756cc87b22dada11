import { describe, expect, test } from "vitest"
import { collectHeaderSecrets, joinRefusal, presentError, redactSecrets } from "./text.ts"

describe("the secrets in headers", () => {
  test.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ Authorization: "Bearer abcdefgh" }, ["Bearer abcdefgh", "abcdefgh"]],
    [{ "x-api-key": "abcdefgh" }, ["abcdefgh"]],
    [{ "x-token": 'abc"defgh' }, ['abc\\"defgh', 'abc"defgh']],
    [
      { "client-secret": "abcdef", cookie: "ghijkl", "x-credential": "mnopqrs" },
      ["mnopqrs", "abcdef", "ghijkl"],
    ],
    [{ "x-api-key": "abcde" }, []],
    [{ "x-api-key": "abcdef", "other-key": "abcdef" }, ["abcdef"]],
    [{ accept: "application/json", host: "example.com" }, []],
  ])("%j: %j, the longest first", (headers, expected) =>
    expect(collectHeaderSecrets(headers)).toEqual(expected),
  )
})

test.each<[string, readonly string[], string]>([
  ["a key abc here, abc", ["abc"], "a key [redacted] here, [redacted]"],
  ["abcdef abc", ["abcdef", "abc"], "[redacted] [redacted]"],
  ["abc", ["abc"], "[redacted]"],
  ["ab", ["abc"], "ab"],
  ["nothing", [], "nothing"],
])("%j without %j: %j", (text, secrets, expected) => expect(redactSecrets(text, secrets)).toBe(expected))

test.each([
  ["", "", ""],
  ["text", "", "text"],
  ["", "no", "no"],
  ["text", "no", "text\n\nno"],
])("a text %j and a refusal %j: %j", (text, refusal, expected) =>
  expect(joinRefusal(text, refusal)).toBe(expected),
)

test.each([
  ["at the limit", "x".repeat(1000), "x".repeat(1000)],
  ["too long", "x".repeat(1001), `${"x".repeat(1000)}…`],
  ["a secret at the limit", `${"x".repeat(998)}secret`, `${"x".repeat(998)}[r…`],
  ["half a character", "a\ud83d", "a\ufffd"],
])("a message: %s", (_, message, expected) => {
  const error = { kind: "rejected", message, retryable: false } as const
  expect(presentError(error, ["secret"])).toEqual({ ...error, message: expected })
})
