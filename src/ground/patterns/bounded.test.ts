import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { compileBoundedPattern } from "./bounded.ts"
import { assemble, findsMatch } from "./machine.ts"
import { readRegExp } from "./read.ts"

function found(text: string, value: string): string {
  const reading = compileBoundedPattern(text)
  return "problem" in reading ? reading.problem : reading.pattern.find(value)
}

/** Searches with the machine alone, even where the native engine would be cheap. */
const walked = (text: string, value: string): boolean =>
  findsMatch(assemble(readRegExp(text), 100_000), [...value])

describe("the machine finds what JavaScript finds", () => {
  test.each([
    ["^[\\w.-]+@[\\w-]+(?:\\.[\\w-]+)+$", ["a.b@c.de", "a@b.c.d"], ["a@b", "@b.c", "a@b.c "]],
    ["^(?!.*\\.\\.)[a-z.]+$", ["a.b", "abc"], ["a..b", "A"]],
    ["^(?=.*\\d)(?=.*[a-z]).{4,}$", ["abc1", "1abcd"], ["abcd", "1234", "a1"]],
    ["(?<=\\$)\\d+(?!\\d|%)", ["$12", "a $3"], ["12", "$1%"]],
    ["(?<!-)b", ["ab", "b"], ["-b"]],
    ["^\\p{Lu}\\P{L}*$", ["Ä1", "É"], ["ä", "Äb"]],
    ["^\\u{1F600}[\\u0041-\\x5A]\\cJ$", ["\u{1F600}B\n"], ["\u{1F600}b\n"]],
    ["^\\uD83D\\uDE00.$", ["\u{1F600}\u{1F600}"], ["\u{1F600}"]],
    ["^[^\\]\\\\]+\\/[\\b]$", ["ab/\b"], ["]/\b", "a/b"]],
    ["^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$", ["2026-11"], ["2026-13", "26-01"]],
    ["^.$", ["a", "\u{1F600}"], ["\n", "\u2028", "ab"]],
    ["^\\s\\S$", ["\u00a0x"], ["x\u00a0"]],
    ["\\bgit\\b|^\\B$", ["run git", ""], ["digit"]],
    ["^(?:(?=a)|b)*a{2,3}?$", ["aa", "aaa", "bbaa"], ["a", "aaaa"]],
    ["[]|[^]", ["a", "\n"], [""]],
    ["^(?:)*x{0}$", [""], ["x"]],
  ])("%s", (text, yes, no) => {
    const native = new RegExp(text, "u")
    expect(yes.map((value) => [value, native.test(value), walked(text, value), found(text, value)])).toEqual(
      yes.map((value) => [value, true, true, "yes"]),
    )
    expect(no.map((value) => [value, native.test(value), walked(text, value), found(text, value)])).toEqual(
      no.map((value) => [value, false, false, "no"]),
    )
  })

  test("for patterns that are made up", () => {
    const leaf = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\w",
      "\\.",
      "^",
      "$",
      "\\b",
      "\\B",
      "\\p{L}",
    )
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .tuple(leaf, fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "+?"))
          .map(([one, repeat]) => (/^(?:[\^$]|\\[bB])$/.test(one) ? `(?:${one})${repeat}` : one + repeat)),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "{2}", "{0,2}", ""))
          .map(([inner, repeat]) => `(?:${inner})${repeat}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(${one}|${other})`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => one + other),
        fc
          .tuple(fc.constantFrom("=", "!", "<=", "<!"), tie("pattern"))
          .map(([look, inner]) => `(?${look}${inner})`),
      ),
    }))
    // After half of a surrogate pair, JavaScript behaves differently than its specification.
    const value = fc.string({ unit: fc.constantFrom("a", "b", ".", "\n", "ä"), maxLength: 8 })
    fc.assert(
      fc.property(pattern, value, (text, value) => {
        const expected = new RegExp(text, "u").test(value)
        expect([text, value, walked(text, value), found(text, value)]).toEqual([
          text,
          value,
          expected,
          expected ? "yes" : "no",
        ])
      }),
      { numRuns: rounds(3_000) },
    )
  })
})

test.each([
  ["(a)\\1", /back reference/],
  ["(?<n>a)\\k<n>", /back reference/],
  ["(", /not a valid regular expression/],
  ["a{2}{3}", /not a valid regular expression/],
  ["(((a{99}){99}){99})*", /too large/],
  ["x".repeat(50_001), /more than 50000 characters/],
  [`${"(".repeat(300)}a${")".repeat(300)}`, /too deep/],
])("%.30s is refused, and said why", (text, problem) => expect(found(text, "a")).toMatch(problem))

test("a large count is no large pattern where the native engine is sure to be quick", () => {
  expect([found("^.{1,200000}$", "a".repeat(150_000)), found("^.{1,200000}$", "a".repeat(200_001))]).toEqual([
    "yes",
    "no",
  ])
})

test("what would take too long is unknown, and nothing is left then for others of the same check", () => {
  const reading = compileBoundedPattern("(x+x+)+y") as Extract<
    ReturnType<typeof compileBoundedPattern>,
    { pattern: unknown }
  >
  expect(reading.pattern.find("x".repeat(3_000_000))).toBe("unknown")
  const allowance = { remaining: 100_000 }
  const answers = Array.from({ length: 12 }, () => reading.pattern.find("x".repeat(2_000), allowance))
  expect(answers.slice(-1)).toEqual(["unknown"])
  expect(answers[0]).toBe("no")
})
