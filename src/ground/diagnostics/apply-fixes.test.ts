import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { applyFixes } from "./apply-fixes.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { createOffsetFinder, createRangeFinder } from "./position.ts"

type Edit = readonly [start: number, end: number, text: string]

/** A finding whose fix has these edits, given by offsets in a text. */
const fixing = (source: string, ...edits: readonly Edit[]): Diagnostic => ({
  code: "c",
  severity: "error",
  message: JSON.stringify(edits),
  range: createRangeFinder(source)({ start: 0, end: 0 }),
  fix: {
    title: "t",
    edits: edits.map(([start, end, text]) => ({ range: createRangeFinder(source)({ start, end }), text })),
  },
})

describe("fixes of one file", () => {
  test.each<[string, string, readonly (readonly Edit[])[], string, readonly number[]]>([
    ["nothing to do", "abc", [], "abc", []],
    ["one", "abc", [[[1, 2, "X"]]], "aXc", []],
    ["several, in any order", "abcdef", [[[4, 5, "Y"]], [[1, 2, "X"]]], "aXcdYf", []],
    [
      "several edits in one",
      "abcdef",
      [
        [
          [0, 1, ""],
          [5, 6, "Z"],
        ],
      ],
      "bcdeZ",
      [],
    ],
    ["neighbours", "abcd", [[[0, 2, "X"]], [[2, 4, "Y"]]], "XY", []],
    ["an insertion before what is replaced", "abcd", [[[1, 3, "X"]], [[1, 1, "+"]]], "a+Xd", []],
    ["an insertion after what is replaced", "abcd", [[[3, 3, "+"]], [[1, 3, "X"]]], "aX+d", []],
    ["an insertion inside what is replaced", "abcd", [[[1, 3, "X"]], [[2, 2, "+"]]], "aXd", [1]],
    ["two insertions at one place", "abc", [[[1, 1, "X"]], [[1, 1, "Y"]]], "aXbc", [1]],
    ["the same twice", "abc", [[[1, 1, "X"]], [[1, 1, "X"]]], "aXbc", []],
    ["the first come wins", "abcdef", [[[2, 4, "X"]], [[0, 3, "Y"]], [[3, 6, "Z"]]], "abXef", [1, 2]],
    [
      "all of a fix or nothing",
      "abcdef",
      [
        [[2, 4, "X"]],
        [
          [0, 1, "Y"],
          [3, 5, "Z"],
        ],
        [[0, 1, "W"]],
      ],
      "WbXef",
      [1],
    ],
    [
      "edits that meet in one fix",
      "abcdef",
      [
        [
          [0, 3, "X"],
          [2, 4, "Y"],
        ],
      ],
      "abcdef",
      [0],
    ],
    ["Windows lines", "a\r\nb\r\nc", [[[3, 4, "B\nB"]], [[6, 7, "C"]]], "a\r\nB\r\nB\r\nC", []],
    ["mixed lines", "a\r\nb\nc", [[[3, 4, "B\nB"]]], "a\r\nB\nB\nc", []],
    ["the end of the file", "a\n", [[[2, 2, "b\n"]]], "a\nb\n", []],
    ["an empty file", "", [[[0, 0, "b"]]], "b", []],
  ])("%s", (_, source, fixes, text, skipped) => {
    const diagnostics = fixes.map((edits) => fixing(source, ...edits))
    expect(applyFixes(source, diagnostics)).toEqual({
      text,
      applied: diagnostics.filter((_, index) => !skipped.includes(index)),
      skipped: diagnostics.filter((_, index) => skipped.includes(index)),
    })
  })

  test.each([
    { start: { line: 3, column: 1 }, end: { line: 3, column: 1 } },
    { start: { line: 1, column: 3 }, end: { line: 1, column: 4 } },
    { start: { line: 1, column: 0 }, end: { line: 1, column: 1 } },
    { start: { line: 2, column: 1 }, end: { line: 1, column: 1 } },
  ])("a place that the text does not have is skipped: %j", (range) => {
    const diagnostic = { ...fixing(""), fix: { title: "t", edits: [{ range, text: "X" }] } }
    expect(applyFixes("a\nb", [diagnostic])).toEqual({ text: "a\nb", applied: [], skipped: [diagnostic] })
  })

  test("a finding without a fix is in neither list", () => {
    const { fix: _, ...plain } = fixing("a")
    expect(applyFixes("a", [plain])).toEqual({ text: "a", applied: [], skipped: [] })
  })
})

const text = fc
  .array(fc.constantFrom("a", "é", "😀", "\r\n", "\n", "\r", "\ud800"))
  .map((parts) => parts.join(""))

test("positions and offsets are two names for one place", () => {
  fc.assert(
    fc.property(text, fc.nat(), (source, at) => {
      const offset = at % (source.length + 1)
      expect(
        createOffsetFinder(source)(createRangeFinder(source)({ start: offset, end: offset }).start),
      ).toBe(offset)
    }),
  )
})

test("an edit that a fix names twice is one", () => {
  const twice = fixing("a", [0, 1, ""], [0, 1, ""], [0, 0, "X"])
  expect(applyFixes("a", [twice])).toEqual({ text: "X", applied: [twice], skipped: [] })
})

test("whatever is applied can be seen in the text, and every fix is accounted for", () => {
  const edit = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("", "X", "YY"))
  fc.assert(
    fc.property(
      text,
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      (source, fixes) => {
        const place = (at: number) => at % (source.length + 1)
        const diagnostics = fixes.map((edits) =>
          fixing(
            source,
            ...edits.map(
              ([a, b, added]): Edit => [Math.min(place(a), place(b)), Math.max(place(a), place(b)), added],
            ),
          ),
        )
        const result = applyFixes(source, diagnostics)
        expect(result.applied.length + result.skipped.length).toBe(diagnostics.length)
        expect(applyFixes(source, result.applied).text).toBe(result.text)
        expect(applyFixes(source, [...result.applied].reverse()).text).toBe(result.text)
      },
    ),
  )
})
