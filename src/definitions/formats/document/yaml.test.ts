import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../../test/rounds.ts"
import { createRangeFinder } from "../../../ground/diagnostics/position.ts"
import { locateYaml, readYaml } from "./yaml.ts"

describe("readYaml", () => {
  test.each([
    ["a: 1", { a: 1 }],
    ["a: yes\nb: off\nc: 2026-01-01\nd: 0x10\ne: ~", { a: "yes", b: "off", c: "2026-01-01", d: 16, e: null }],
    ["", null],
    ["- x\n- [y, z]", ["x", ["y", "z"]]],
    ["a: &x 1\nb: *x", { a: 1, b: 1 }],
  ])("%j reads as %j", (text, value) => {
    expect(readYaml(text)).toEqual({ type: "value", value })
  })

  test.each([
    ["119: a duplicate key", "tools: Read\ntools: Bash", /duplicated mapping key/, 12],
    ["117: a tag that names code", 'a: !!js/function "x"', /unknown tag/, undefined],
    ["117: any other tag", "a: !custom x", /unknown tag/, undefined],
    ["an unquoted colon", "description: Use when: now", /bad indentation/, 21],
    ["an alias without a name", "tools: *", /alias/, undefined],
    ["two documents", "a: 1\n---\nb: 2", /single document/, undefined],
    ["a tab as indentation", "a:\n\tb: 1", /tab/, undefined],
    ["not a number", "a: .nan", /NaN is not a finite number/, undefined],
    ["118: depth 100,000", "[".repeat(100_000), /./, undefined],
  ])("%s is a message with a place, never a throw", (_, text, message, offset) => {
    const result = readYaml(text)
    expect(result).toMatchObject({ type: "invalid", message: expect.stringMatching(message) })
    if (offset !== undefined) expect(result).toMatchObject({ offset })
  })

  test("114: nine levels of nine aliases are refused at once", () => {
    const levels = Array.from({ length: 9 }, (_, level) =>
      level === 0
        ? "a0: &a0 [x, x, x, x, x, x, x, x, x]"
        : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`,
    )
    expect(readYaml(levels.join("\n"))).toMatchObject({
      type: "invalid",
      message: expect.stringMatching(/too many values/),
    })
  })

  test("116: keys such as __proto__ are data and change nothing else", () => {
    const result = readYaml("__proto__: {polluted: true}\nconstructor: x")
    expect(result).toMatchObject({ type: "value" })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test("132: any text gives a value or a message", () => {
    const piece = fc.constantFrom(
      "a",
      ": ",
      "\n",
      "  ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "'",
      '"',
      "&x ",
      "*x",
      "|",
      ">",
      "#",
      "!",
      "%",
      "\t",
      "\u0000",
      "é",
      "---\n",
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(["value", "invalid"]).toContain(readYaml(pieces.join("")).type)
      }),
      { numRuns: rounds(3_000) },
    )
  })
})

describe("locateYaml", () => {
  const text =
    'name: reviewer\ntools:\n  - Read\n  - "Gre p"\nmodel:\n  provider: x # why\nnote: |\n  two\n  lines\n'
  const at = (path: (string | number)[], place: "key" | "value" = "value") => {
    const span = locateYaml(text)(path, place)
    return span && text.slice(span.start, span.end)
  }

  test("finds every key and value as it is written", () => {
    expect({
      name: at(["name"]),
      key: at(["name"], "key"),
      item: at(["tools", 1]),
      nested: at(["model", "provider"]),
      nestedKey: at(["model", "provider"], "key"),
      list: at(["tools"]),
      missing: at(["nothing"]),
      beyond: at(["tools", 9]),
    }).toEqual({
      name: "reviewer",
      key: "name",
      item: '"Gre p"',
      nested: "x",
      nestedKey: "provider",
      list: '- Read\n  - "Gre p"',
      missing: undefined,
      beyond: undefined,
    })
  })

  test("offsets become lines and columns counted from 1", () => {
    const range = createRangeFinder(text)
    expect(range(locateYaml(text)(["tools", 1], "value")!)).toEqual({
      start: { line: 4, column: 5 },
      end: { line: 4, column: 12 },
    })
    expect(createRangeFinder("")({ start: 0, end: 0 })).toEqual({
      start: { line: 1, column: 1 },
      end: { line: 1, column: 1 },
    })
  })
})
