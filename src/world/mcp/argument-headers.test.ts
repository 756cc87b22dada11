import { describe, expect, test } from "vitest"
import type { Json, JsonMap } from "../../ground/message.ts"
import { findArgumentHeaders, makeArgumentHeaders } from "./argument-headers.ts"

const marked = (mark: Json, type: Json = "string"): JsonMap => ({ type, "x-mcp-header": mark })
const schemaOf = (properties: JsonMap, more: JsonMap = {}): JsonMap => ({
  type: "object",
  properties,
  ...more,
})

test("arguments that a schema marks are headers, at any depth", () => {
  const schema = schemaOf({
    a: marked("A"),
    b: { type: "string" },
    c: schemaOf({ d: marked("D", "boolean") }),
  })
  expect(findArgumentHeaders(schema)).toEqual({
    headers: [
      { header: "Mcp-Param-A", path: ["a"] },
      { header: "Mcp-Param-D", path: ["c", "d"] },
    ],
  })
})

describe("a tool cannot be used whose mark is", () => {
  test.each<[string, JsonMap, RegExp]>([
    ["empty", schemaOf({ a: marked("") }), /name of a header/],
    ["no text", schemaOf({ a: marked(1) }), /name of a header/],
    ["a name with a space", schemaOf({ a: marked("a b") }), /name of a header/],
    ["a name with a line break", schemaOf({ a: marked("a\r\nb") }), /name of a header/],
    ["on a list", schemaOf({ a: marked("A", "array") }), /integer or a boolean/],
    ["on a fraction", schemaOf({ a: marked("A", "number") }), /integer or a boolean/],
    ["used twice", schemaOf({ a: marked("A"), b: marked("a") }), /another argument/],
    ["on the whole", { ...schemaOf({}), ...marked("A", "object") }, /plain argument/],
    ["in a list", schemaOf({ a: { type: "array", items: marked("A") } }), /plain argument/],
    ["in a choice", schemaOf({}, { anyOf: [schemaOf({ a: marked("A") })] }), /plain argument/],
  ])("%s", (_, schema, why) => {
    expect(findArgumentHeaders(schema)).toEqual({ why: expect.stringMatching(why) })
  })
})

test("a schema that is nested too deeply is no fault of ours", () => {
  const deep = Array.from({ length: 20_000 }).reduce<JsonMap>((schema) => ({ not: schema }), marked("A"))
  expect(findArgumentHeaders(deep)).toEqual({ why: expect.stringMatching(/too deeply/) })
})

test("a word that only looks like a mark is none", () => {
  expect(findArgumentHeaders(schemaOf({ a: { enum: [{ "x-mcp-header": "" }] } }))).toEqual({ headers: [] })
  expect(findArgumentHeaders(schemaOf({ "x-mcp-header": { type: "string" } }))).toEqual({ headers: [] })
})

test.each<[string, Json | undefined, string | undefined]>([
  ["text as it is", "eu-west 1", "eu-west 1"],
  ["an empty text", "", ""],
  ["a number", 42, "42"],
  ["a truth value", false, "false"],
  ["text beyond ASCII in base64", "größe", "=?base64?Z3LDtsOfZQ==?="],
  ["text with a line break in base64", "a\nb", "=?base64?YQpi?="],
  ["text with a space at its end in base64", "a ", "=?base64?YSA=?="],
  ["text that looks like base64 in base64", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
  ["no missing value", undefined, undefined],
  ["no null", null, undefined],
  ["no list", ["a"], undefined],
])("a header has %s", (_, value, expected) => {
  const input: JsonMap = value === undefined ? {} : { a: value }
  expect(makeArgumentHeaders([{ header: "Mcp-Param-A", path: ["a"] }], input)).toEqual(
    expected === undefined ? {} : { "Mcp-Param-A": expected },
  )
})
