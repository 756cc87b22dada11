import fc from "fast-check"
import { expect, test } from "vitest"
import { Row } from "./row.ts"

test("a row that was put together piece by piece is one that was made at once, and shares nothing that changes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer(), { maxLength: 70 }), { maxLength: 6 }),
      fc.nat(),
      (pieces, at) => {
        const all = pieces.flat()
        const row = pieces.reduce((row, piece) => row.append(piece), Row.of<number>([]))
        expect([row.length, row.toArray(), [...row]]).toEqual([all.length, all, all])
        expect(all.map((_, index) => row.at(index))).toEqual(all)
        if (all.length === 0) return
        const place = at % all.length
        expect(row.with(place, -1).append([7]).toArray()).toEqual([...all.with(place, -1), 7])
        expect(row.toArray()).toEqual(all)
      },
    ),
  )
})
