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
