import { describe, expect, test } from "vitest"
import { getFirstValue } from "./headers.ts"
import {
  isCompleteObject,
  quoteJson,
  readCount,
  readFields,
  readFinishWord,
  toObjectText,
  toStringOrEmpty,
  tryParseJson,
  writeWellFormedJson,
} from "./json.ts"
import { describeMissingAttachment } from "./missing-attachment.ts"

test.each<[unknown, object]>([
  [{ a: 1 }, { a: 1 }],
  [[7], [7]],
  [null, {}],
  [undefined, {}],
  ["text", {}],
  [7, {}],
])("the fields of %j are %j", (value, fields) => expect(readFields(value)).toEqual(fields))

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ["null", null],
  ["{", undefined],
  ["", undefined],
])("the text %j is %j", (text, value) => expect(tryParseJson(text)).toEqual(value))

test.each([
  ['{"a":1}', true],
  ['{"a":1} \n', true],
  ["{}", true],
  ['{"a":1', false],
  ['{"a":"}', false],
  ["[]", false],
  ["12", false],
  ["", false],
])("%j is a complete object: %s", (text, expected) => expect(isCompleteObject(text)).toBe(expected))

test.each<[unknown, number | undefined]>([
  [0, 0],
  [7, 7],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [Number.MAX_SAFE_INTEGER + 1, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  ["7", undefined],
  [null, undefined],
])("a count of %j is %s", (value, count) => expect(readCount(value)).toBe(count))

test.each<[unknown, string | undefined]>([
  ["stop", "stop"],
  ["x".repeat(201), "x".repeat(200)],
  [7, "7"],
  [false, "false"],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
  [{}, "(not a word)"],
])("the word %j for an end is %j", (value, word) => expect(readFinishWord(value)).toBe(word))

test.each<[unknown, string]>([
  ["a", "a"],
  [7, ""],
  [undefined, ""],
])("%j as a text is %j", (value, text) => expect(toStringOrEmpty(value)).toBe(text))

describe("what a provider gets has no half characters", () => {
  test.each([
    ["a", '"a"'],
    ["\ud800", '"\ufffd"'],
    ["🙂", '"🙂"'],
  ])("in the text %j", (text, expected) => expect(quoteJson(text)).toBe(expected))

  test.each<[unknown, string]>([
    [{ a: "x" }, '{"a":"x"}'],
    [{ a: "\ud800" }, '{"a":"\ufffd"}'],
    [{ a: "\udfff!" }, '{"a":"\ufffd!"}'],
    [{ a: "\\ud800" }, '{"a":"\\\\ud800"}'],
    [{ a: "\\\ud800" }, '{"a":"\\\\\ufffd"}'],
    [{ a: "🙂" }, '{"a":"🙂"}'],
  ])("in the value %j", (value, expected) => expect(writeWellFormedJson(value)).toBe(expected))

  test.each([
    ['{ "a":1 }', '{ "a":1 }'],
    ["[1]", '{"unparsed":"[1]"}'],
    ["null", '{"unparsed":"null"}'],
    ["7", '{"unparsed":"7"}'],
    ['{"a', '{"unparsed":"{\\"a"}'],
    ["", '{"unparsed":""}'],
    ['{"a":"\ud800"}', '{"a":"\ufffd"}'],
    ['{"a":"\\ud800"}', '{"a":"\ufffd"}'],
    ['{"a":"\\uD83D\\uDE00"}', '{"a":"😀"}'],
    ['{ "a":"\\u00e9" }', '{ "a":"\\u00e9" }'],
  ])("in the input %j of a call", (text, expected) => expect(toObjectText(text)).toBe(expected))
})

test.each<[string | readonly string[] | undefined, string]>([
  ["a", "a"],
  [["a", "b"], "a"],
  [[], ""],
  [undefined, ""],
])("the first value of a header %j is %j", (value, expected) => expect(getFirstValue(value)).toBe(expected))

test.each([
  [{ mediaType: "image/png", name: "a.png" }, "a.png"],
  [{ mediaType: "image/png" }, "attachment"],
])("an attachment that is gone is told: %j", (attachment, name) => {
  expect(describeMissingAttachment(attachment as never)).toContain(name)
})
