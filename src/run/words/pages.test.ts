import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { splitPages } from "./pages.ts"

describe("pages", () => {
  test.each<[string, string, readonly string[]]>([
    ["no text is one page", "", [""]],
    ["what fits is one page", "ab\ncdefgh", ["ab\ncdefgh"]],
    [
      "a line that does not fit any more begins the next page",
      "ab\ncd\nefghijkl\nm",
      ["ab\ncd\n", "efghijkl\nm"],
    ],
    ["a line that fills a page keeps its break", "abcdefghij\nk", ["abcdefghij\n", "k"]],
    ["a line that is longer than a page is cut", "ab\ncdefghijklmnop\nq", ["ab\n", "cdefghijkl", "mnop\nq"]],
    ["without breaks", "abcdefghijkl", ["abcdefghij", "kl"]],
    ["a character of two halves is not torn", "abcdefghi🙂j", ["abcdefghi", "🙂j"]],
    ["empty lines", "\n\n\n\n\n\n\n\n\n\n\n\n", ["\n\n\n\n\n\n\n\n\n\n\n", "\n"]],
  ])("%s", (_, text, pages) => {
    expect(splitPages(text, 10)).toEqual(pages)
  })

  test("make up the text, are not too long, and cut no line that fits", () => {
    const text = fc
      .array(fc.string({ unit: fc.constantFrom("a", "\n", "🙂", " "), maxLength: 60 }))
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (whole, length) => {
        const pages = splitPages(whole, length)
        expect(pages.join("")).toBe(whole)
        expect(pages.every((page) => page.length <= length + 1 && page.isWellFormed())).toBe(true)
        const starts = pages.map((_, index) => pages.slice(0, index).join("").length)
        for (const start of starts.slice(1)) {
          const begin = whole.lastIndexOf("\n", start - 1) + 1
          const next = whole.indexOf("\n", start)
          if (begin < start) expect((next === -1 ? whole.length : next) - begin).toBeGreaterThan(length)
        }
      }),
    )
  })
})
