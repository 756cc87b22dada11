import fc from "fast-check"
import { expect, test } from "vitest"
import { Output } from "./output.ts"

test("the beginning and the end are kept, whatever the pieces", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      (pieces, head, tail) => {
        const output = new Output({ head, tail })
        for (const piece of pieces) output.add(Buffer.from(piece))
        const whole = pieces.join("")
        expect(output.bytes).toBe(whole.length)
        const kept = output.text
        if (whole.length <= head + tail) expect(kept).toEqual({ head: whole, tail: "" })
        else {
          expect(kept).toEqual({ head: whole.slice(0, head), tail: whole.slice(-tail) })
          expect(output.omitted).toBe(whole.length - head - tail)
        }
      },
    ),
  )
})

test.each([
  ["that grows in small pieces", 50_000, 7],
  ["that grows in large pieces", 50_000, 20_000],
  ["in one piece", 50_000, 50_000],
  ["of more bytes than are kept", 250_000, 9_999],
])("an output %s keeps its bytes in their order", (_, length, piece) => {
  const whole = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 25))).join("")
  const output = new Output({ head: 40_000, tail: 60_000 })
  for (let start = 0; start < length; start += piece)
    output.add(Buffer.from(whole.slice(start, start + piece)))
  expect({ ...output.text, omitted: output.omitted, bytes: output.bytes }).toEqual(
    length <= 100_000
      ? { head: whole, tail: "", omitted: 0, bytes: length }
      : {
          head: whole.slice(0, 40_000),
          tail: whole.slice(-60_000),
          omitted: length - 100_000,
          bytes: length,
        },
  )
})

test("invalid bytes and NUL become the replacement character, in both parts", () => {
  const output = new Output({ head: 3, tail: 3 })
  output.add(Buffer.from([97, 0, 255, 98, 98, 0, 255, 99]))
  expect(output.text).toEqual({ head: "a\ufffd\ufffd", tail: "\ufffd\ufffdc" })
})
