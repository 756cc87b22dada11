import { describe, expect, test } from "vitest"
import { processorTime } from "../../../../test/processor-time.ts"
import { SseReader } from "./sse.ts"

const tricky = [
  "\ufeff: a comment first\n",
  'data: {"text":"naïve 日本 🙂"}\n\n',
  "event: ping\r\ndata:without space\r\n\r\n",
  "id: 7\rretry: 10\runknown: field\rdata: by carriage returns\r\r",
  "data: first\ndata:  second\ndata\n\n",
  "event: unused\n\n",
  ": ping\n\n",
  "data: [DONE]\n\n",
].join("")

const events = [
  ["message", '{"text":"naïve 日本 🙂"}'],
  ["ping", "without space"],
  ["message", "by carriage returns"],
  ["message", "first\n second\n"],
  ["message", "[DONE]"],
]

function read(pieces: readonly Uint8Array[]): string[][] {
  const seen: string[][] = []
  const reader = new SseReader((data, event) => seen.push([event, data]))
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return seen
}

describe("server-sent events", () => {
  const bytes = Buffer.from(tricky)

  test("69: comments, BOM, unknown fields, data without space and multi-line data are tolerated", () => {
    expect(read([bytes])).toEqual(events)
  })

  test("68: cut in two at every byte, inside UTF-8 and CRLF too, they are the same", () => {
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(events)
  })

  test.each([1, 2, 3, 5, 7])("68: in pieces of %i bytes they are the same", (size) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(read(pieces)).toEqual(events)
  })

  test.each([
    ["a whole event without its blank line", "data: x", [["message", "x"]]],
    ["a line cut inside a character", Buffer.from("data: é").subarray(0, 7), [["message", "\ufffd"]]],
    ["nothing", "", []],
    ["a byte order mark alone", "\ufeff", []],
    ["blank lines", "\n\r\n\r\r\n\n", []],
  ])("66: at the end, %s is told and not dropped", (_, text, expected) => {
    expect(read([Buffer.from(text)])).toEqual(expected)
  })

  test.each([
    ["a line of 4 MB in pieces of 64 bytes", `data: ${"x".repeat(4_000_000)}\n\n`, 64],
    [
      "a million lines that end in CR, with one LF at the end",
      `${":\r".repeat(1_000_000)}data: x\n\n`,
      3_000_000,
    ],
  ])("74: %s costs linear time", (_, text, size) => {
    const bytes = Buffer.from(text)
    const started = processorTime()
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(read(pieces)).toHaveLength(1)
    expect(processorTime() - started).toBeLessThan(2000)
  })
})
