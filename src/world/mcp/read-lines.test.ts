import fc from "fast-check"
import { expect, test } from "vitest"
import { findAnsweredId, LineReader, type ServerLineText } from "./read-lines.ts"

const pieces = (bytes: Buffer, cuts: readonly number[]): readonly Buffer[] => {
  const places = [
    0,
    ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other),
    bytes.length,
  ]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

test("messages are the same however they are cut into pieces", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (values, cuts) => {
        const reader = new LineReader(1_000_000)
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""))
        const lines = pieces(bytes, cuts).flatMap((piece) => reader.read(piece))
        expect(lines).toEqual(
          values.map((value) => ({ type: "message", value: JSON.parse(JSON.stringify(value)) })),
        )
      },
    ),
  )
})

test.each<[string, string, readonly ServerLineText[]]>([
  ["empty lines are nothing", "\n \r\n\n", []],
  ["what is no JSON is noise", "Server started\n", [{ type: "noise", text: "Server started" }]],
  ["the end of a line may be CRLF", '{"a":1}\r\n', [{ type: "message", value: { a: 1 } }]],
  ["a line without its end is none yet", '{"a":1}', []],
  [
    "a line that is too long leaves its ends",
    `${"x".repeat(2_000)}\n1\n`,
    [
      { type: "too-long", bytes: 2_000, head: "x".repeat(256), tail: "x".repeat(256) },
      { type: "message", value: 1 },
    ],
  ],
  ["one that does not end is told of", "x".repeat(9_000), [{ type: "endless", bytes: 9_000 }]],
])("%s", (_, text, expected) => {
  expect(new LineReader(1_000).read(Buffer.from(text))).toEqual(expected)
})

test("the ends of a line that is too long are the same however it is cut into pieces", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_001, max: 7_000 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (length, cuts) => {
        const text = Array.from({ length }, (_, index) => String(index % 10)).join("")
        const reader = new LineReader(1_000)
        expect(pieces(Buffer.from(`${text}\n`), cuts).flatMap((piece) => reader.read(piece))).toEqual([
          { type: "too-long", bytes: length, head: text.slice(0, 256), tail: text.slice(-256) },
        ])
      },
    ),
  )
})

test.each<[string, string, string, string | undefined]>([
  ["first", '{"jsonrpc":"2.0","id":7,"result":{"id":1', "}}", "7"],
  ["first, without the version", '{ "id" : "a-7" , "result":', "}}", "a-7"],
  ["last", '{"result":{"id":1,', ',"jsonrpc":"2.0","id":7}', "7"],
  ["last, before the version", '{"result":{"id":1,', ',"id":7,"jsonrpc":"2.0"}', "7"],
  ["in what is nested, which is another's", '{"result":{"id":1,', '"x","id":7}}', undefined],
  ["nowhere", '{"method":"x","params":{"id":3,', "}}", undefined],
])("the id of a message stands %s", (_, head, tail, expected) => {
  expect(findAnsweredId({ head, tail })).toBe(expected)
})
