import { expect, test } from "vitest"
import { compareTitles, joinTitles } from "../../scripts/test-titles/compare.ts"
import { titlesIn } from "../../scripts/test-titles/titles-in.ts"

test("titles are read with their groups, rows and assertions", () => {
  const text = `
describe("a group", () => {
  beforeEach(() => { expect(1).toBe(1) })
  test("one", async () => { expect(1).toBe(1); await expect(f()).rejects.toThrow() })
  test.skipIf(isRoot).each([[1], [2], [3]])("row %i", (n) => expect(n).toBe(n))
  describe.each(["x", "y"])("in %s", () => {
    it(name, () => { for (const a of b) expectSound(a) })
  })
})
`
  expect(titlesIn(text)).toEqual([
    ["a group > one", { tests: 1, assertions: 2 }],
    ["a group > row %i", { tests: 3, assertions: 1 }],
    ["a group > in %s > name", { tests: 2, assertions: 1 }],
  ])
})

test("what is gone, new and less is told, whatever file it is in", () => {
  const before = joinTitles([
    [["kept", { tests: 1, assertions: 2 }]],
    [
      ["gone", { tests: 1, assertions: 1 }],
      ["less", { tests: 4, assertions: 3 }],
    ],
  ])
  const now = joinTitles([
    [
      ["kept", { tests: 1, assertions: 1 }],
      ["less", { tests: 3, assertions: 2 }],
    ],
    [
      ["kept", { tests: 1, assertions: 1 }],
      ["new", { tests: 1, assertions: 1 }],
    ],
  ])
  expect(compareTitles(before, now)).toEqual([
    "before: 3 titles, 6 tests that are written out, 6 assertions",
    "now:    3 titles, 6 tests that are written out, 5 assertions",
    ...["", "gone: 1", "  gone"],
    ...["", "fewer rows: 1", "  less: 4, now 3"],
    ...["", "fewer assertions: 1", "  less: 3, now 2"],
    ...["", "new: 1", "  new"],
  ])
})
