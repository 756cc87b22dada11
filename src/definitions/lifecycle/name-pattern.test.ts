import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import { rounds } from "../../../test/rounds.ts"
import { isFoundIn, matchesName, parseNamePattern } from "./name-pattern.ts"

function found(text: string, name: string): boolean | string {
  const parsed = parseNamePattern(text)
  return "problem" in parsed ? `${parsed.offset}: ${parsed.problem}` : matchesName(parsed.pattern, name)
}

describe("a matcher", () => {
  test.each([
    ["mcp__.*", ["mcp__memory__create", "mcp__"], ["Bash", "mcp_x"]],
    ["mcp__.*__write.*", ["mcp__files__write_file"], ["mcp__files__read"]],
    ["^Notebook(Edit|Read)$", ["NotebookEdit", "NotebookRead"], ["NotebookEdits", "MyNotebookRead"]],
    ["(?:Multi)?Edit", ["Edit", "MultiEdit", "EditAll"], ["Write"]],
    ["^[A-Z][a-z]+$", ["Bash"], ["bash", "WebFetch", "B"]],
    ["^[^a-z_]{2,3}$", ["AB", "ABC"], ["A", "ABCD", "Ab"]],
    ["^\\w+\\.\\d\\s?$", ["a.1", "tool.2 "], ["a.b", ".1"]],
    ["\\bgit\\b", ["run git now", "git"], ["digit", "gitter"]],
    ["^a{2}$", ["aa"], ["a", "aaa"]],
    ["^a{2,}$", ["aa", "aaaa"], ["a"]],
    ["^(a|)b$", ["ab", "b"], ["aab"]],
    ["", ["", "anything"], []],
    ["^$", [""], ["x"]],
    ["^[a\\]-]+$", ["a-]"], ["b"]],
    ["^a+?b*?$", ["ab", "aabb", "a"], ["b"]],
  ])("%s", (text, yes, no) => {
    expect(yes.map((name) => [name, found(text, name)])).toEqual(yes.map((name) => [name, true]))
    expect(no.map((name) => [name, found(text, name)])).toEqual(no.map((name) => [name, false]))
  })

  test.each([
    ["(?=x)", /^1: lookahead/],
    ["(?<name>x)", /^1: lookahead/],
    ["(a)\\1", /^4: "\\1" is not supported/],
    ["\\p{L}", /"\\p" is not supported/],
    ["(a", /there is no "\)"/],
    ["a)", /^1: there is no "\("/],
    ["*a", /^0: there is nothing before this "\*"/],
    ["[a", /it ends too soon/],
    ["[z-a]", /must end after it begins/],
    ["a**", /repeats a repeat/],
    ["a{3,2}", /below the minimum/],
    ["x\\", /it ends too soon/],
    ["x".repeat(501), /more than 500 characters/],
    ["(((a{99}){99}){99})", /too large/],
    ["(".repeat(60), /too deep/],
  ])("%.30s is refused, with the place", (text, problem) => expect(found(text, "a")).toMatch(problem))
})

test("196: no pattern makes it slow that makes others stall", () => {
  const name = `${"a".repeat(900)}!`
  for (const text of [
    "(a+)+$",
    "(a|a)*$",
    "(a*)*b",
    "(.*a){20}$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a?){200}b",
    "((((){999}){999}){999}){999}",
  ]) {
    const began = processorTime()
    found(text, name)
    expect([text, processorTime() - began < 1_000]).toEqual([text, true])
  }
})

test("what it can read, it finds where JavaScript does", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "\\w",
    "(a|b)",
    "(?:ab)",
    "\\.",
    "^",
    "$",
    "\\b",
    "(|a)",
  )
  const repeat = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "+?")
  const text = fc.array(fc.tuple(atom, repeat), { maxLength: 6 }).map((parts) => parts.flat().join(""))
  const name = fc.string({ unit: fc.constantFrom("a", "b", ".", "_", " "), maxLength: 12 })
  fc.assert(
    fc.property(text, name, (text, name) => {
      const answer = found(text, name)
      if (typeof answer === "string") return
      expect([text, name, answer]).toEqual([text, name, new RegExp(text).test(name)])
    }),
    { numRuns: rounds(5_000) },
  )
})

describe("as Python's re reads it", () => {
  // The answer of python3 for each: `bool(re.search(pattern, text))`.
  test.each([
    ["t{,3}ouch", "touch x", true],
    ["a{,}b", "b", true],
    ["[]t]ouch", "touch x", true],
    ["[^]t]ouch", "touch x", false],
    ["x{0,1000}touch", "touch x", true],
    ["\\w+é", "touch é é", false],
    ["\\w+é", "caféé", true],
    ["\\bé", "é", true],
    ["é\\b", "éa", false],
    ["\\d", "\u0663", true],
    ["\\s", "\u001c", true],
    ["\\s", "\ufeff", false],
    ["a{", "a{", true],
    ["a{1,2", "a{1,2", true],
    ["{}", "{}", true],
  ])("%j in %j: %s", (text, subject, isFound) => {
    const parsed = parseNamePattern(text, "python")
    expect("pattern" in parsed && isFoundIn(parsed.pattern, subject)).toBe(isFound ? "yes" : "no")
  })

  test.each(["a{2}{3}", "{3}a", "a{2}*", "[\\w-a]", "x{0,100000}y"])("%j is refused", (text) => {
    expect(parseNamePattern(text, "python")).toHaveProperty("problem")
  })

  test.each(["t{,3}ouch", "[]t]ouch", "[^]t]"])(
    "%j, which JavaScript reads otherwise, is no matcher",
    (text) => {
      expect(parseNamePattern(text)).toHaveProperty("problem")
    },
  )
})
