import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { readDocument, type Syntax } from "./document.ts"

describe("a key that is written twice", () => {
  test.each<[Syntax, string, string]>([
    ["yaml", "a: 1\nb: 2\n«a»: 3\n", "block"],
    ["yaml", "x:\n  - a: 1\n    «a»: 2\n", "block in a list"],
    ["yaml", "a:\n  k: 1\nb: 1\n«a»:\n  k: 2\n", "with a block as its value"],
    ["yaml", "\"a\": 1\n«'a'»: 2\n", "in quotes"],
    ["yaml", "a b: 1\n«a b» : 2\n", "with a blank inside and one behind"],
    ["yaml", "a:b: 1\n«a:b»: 2\n", "with a colon"],
    ["yaml", "? a\n: 1\n? «a»\n: 2\n", "after a question mark"],
    ["yaml", "x: {a: 1,\n  b: 2, «a»: 3}", "flow"],
    ["yaml", 'x: {"a b": 1, «"a b"»:2}', "flow in quotes"],
    ["markdown", "---\na: 1\n«a»: 2\n---\nBody.\n", "in front matter"],
    ["json", '{"description":"d",«"description"»:"e"}', "JSON on one line"],
    ["json", '\ufeff{\n  "a": {"b": 1,\n    "c\\"": [1], «"b"»: {}}\n}', "JSON inside another"],
  ])("%s: %j is found exactly (%s)", (syntax, marked) => {
    const text = marked.replaceAll(/[«»]/g, "")
    const { problems } = readDocument(text, syntax, new Set(["a"]))
    expect(problems).toEqual([
      {
        code: "key-duplicate",
        severity: "error",
        message: expect.stringMatching(/twice.*unclear/),
        at: { type: "span", span: { start: marked.indexOf("«"), end: marked.indexOf("»") - 1 } },
      },
    ])
  })
})

describe("JSON that is no object", () => {
  test.each([
    ["[]", "a list"],
    ["null", "null"],
    ['"a"', 'the text or number "a"'],
    [`"${"a".repeat(500)}"`, `the text or number "${"a".repeat(79)}…`],
  ])("%s", (text, kind) => {
    expect(readDocument(text, "json", new Set()).problems).toEqual([
      {
        code: "map-expected",
        severity: "error",
        message: naming("Expected", `${kind}`),
        at: { type: "span", span: { start: 0, end: text.length } },
      },
    ])
  })

  test("more values than are read", () => {
    const text = JSON.stringify(Array.from({ length: 60_000 }, () => 1))
    expect(readDocument(text, "json", new Set()).problems).toEqual([
      {
        code: "json-invalid",
        severity: "error",
        message: expect.stringContaining("dozen"),
        at: { type: "span", span: { start: 0, end: 0 } },
      },
    ])
  })
})

test.each([
  ["spaces before the colon", '{"name"\n:"a","tools":["Read"],"tools":["Bash"]}', 30],
  ["deep inside", '{"a":{"b":[{"c":1,"c":2}]}}', 18],
  ["an escaped spelling", '{"tools":1,"\\u0074ools":2}', 11],
])("119: a key that JSON has twice is an error: %s", (_, text, start) => {
  const { problems, locate } = readDocument(text, "json", new Set(["name", "tools"]))
  expect(problems.map(({ code }) => code)).toEqual(["key-duplicate"])
  expect(locate(problems[0]!.at)?.start).toBe(start)
})

test.each([
  ["depth", `{"name":"a","metadata":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["size", `{"name":"a","metadata":[${"1,".repeat(60_000)}1]}`],
])("118: JSON beyond any real %s is refused", (_, text) => {
  expect(readDocument(text, "json", new Set(["name"]))).toMatchObject({
    values: undefined,
    problems: [{ code: "json-invalid" }],
  })
})
