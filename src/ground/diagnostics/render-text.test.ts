import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { displayWidth } from "./display-width.ts"
import { createRangeFinder } from "./position.ts"
import { renderText } from "./render-text.ts"

const file = "agents/a.md"

/** The range of the text between `«` and `»`, and the text without them. */
function marked(text: string): { source: string; range: Diagnostic["range"] } {
  const start = text.indexOf("«")
  const end = text.indexOf("»") - 1
  const source = text.replace(/[«»]/g, "")
  return { source, range: createRangeFinder(source)({ start, end }) }
}

const finding = (more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: "unknown-tool",
  severity: "error",
  message: "No such tool.",
  file,
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
  ...more,
})

/** Only the frame of one finding in a text with a marked place. */
function frame(text: string, width = 60): string {
  const { source, range } = marked(text)
  const lines = renderText([finding({ range })], { source: () => source, colour: "off", width }).split("\n")
  return lines.slice(3, -3).join("\n")
}

describe("the caret stands under exactly the value", () => {
  test.each([
    [
      "a word",
      "name: a\ntools: «Raed», Grep\nmodel: b\n",
      ["  1 │ name: a", "  2 │ tools: Raed, Grep", "    │        ^^^^", "  3 │ model: b"],
    ],
    ["the first line", "«name»: a\ntools: b", ["  1 │ name: a", "    │ ^^^^", "  2 │ tools: b"]],
    ["tabs", "\ta\t«b»", ["  1 │     a    b", "    │          ^"]],
    ["a tab itself", "a«\t»b", ["  1 │ a    b", "    │  ^^^^"]],
    ["wide letters before it", "日本: «x»", ["  1 │ 日本: x", "    │       ^"]],
    ["wide letters", "a: «日本»", ["  1 │ a: 日本", "    │    ^^^^"]],
    ["an emoji of several parts", "👩🏽‍💻 «👩‍💻» ❤️‍🔥", ["  1 │ 👩🏽‍💻 👩‍💻 ❤️‍🔥", "    │    ^^"]],
    ["half of an emoji", "a «\ud83d»\ude00 b", ["  1 │ a 😀 b", "    │   ^^"]],
    ["combining marks", "e\u0301e\u0301 «u\u0308»", ["  1 │ e\u0301e\u0301 u\u0308", "    │    ^"]],
    ["a mark without a letter", "\u0301«x»", ["  1 │ ◌\u0301x", "    │  ^"]],
    ["something that takes no room", "re«\u200b»view", ["  1 │ re\\u{200b}view", "    │   ^^^^^^^^"]],
    ["a byte order mark before it", "\ufeff«a»", ["  1 │ \\u{feff}a", "    │         ^"]],
    ["Windows lines", "a: 1\r\nb: «2»\r\nc: 3\r\n", ["  1 │ a: 1", "  2 │ b: 2", "    │    ^", "  3 │ c: 3"]],
    ["a line end of Windows", "ab«\r\n»c", ["  1 │ ab", "    │   ^", "  2 │ c"]],
    ["an empty range", "tools:«» x", ["  1 │ tools: x", "    │       ^"]],
    ["an empty line", "a\n«»\nb", ["  1 │ a", "  2 │", "    │ ^", "  3 │ b"]],
    ["the end of a line", "tools:«»\nb", ["  1 │ tools:", "    │       ^", "  2 │ b"]],
    ["the end of the file", "a\nb\n«»", ["  2 │ b", "  3 │", "    │ ^"]],
    ["an empty file", "«»", ["  1 │", "    │ ^"]],
    ["two lines", "a: «b\nc» d", ["  1 │ a: b", "    │    ^ and 1 more line", "  2 │ c d"]],
    ["many lines", "a: «b\nc\nd\ne»", ["  1 │ a: b", "    │    ^ and 3 more lines", "  2 │ c"]],
    ["a line with its end", "«a: b\n»c", ["  1 │ a: b", "    │ ^^^^", "  2 │ c"]],
    ["numbers of two digits", `${"\n".repeat(8)}«x»\ny`, ["   8 │", "   9 │ x", "     │ ^", "  10 │ y"]],
  ])("%s", (_, text, expected) => {
    expect(frame(text)).toBe(expected.join("\n"))
  })
})

describe("a long line is cut around the caret", () => {
  const dashes = (count: number) => "-".repeat(count)
  test.each([
    ["at its end", `«x»${dashes(100)}`, `x${dashes(31)}…`, "^"],
    [
      "at both ends",
      `${dashes(100)}«here»${dashes(100)}`,
      `…${dashes(14)}here${dashes(14)}…`,
      `${" ".repeat(15)}^^^^`,
    ],
    ["at its beginning", `${dashes(100)}«x»`, `…${dashes(31)}x`, `${" ".repeat(32)}^`],
    [
      "through a wide letter",
      `${"日".repeat(50)}a«x»${"日".repeat(50)}`,
      `…${"日".repeat(7)}ax${"日".repeat(8)}…`,
      `${" ".repeat(16)}^`,
    ],
    ["inside the mark", `a: «${"x".repeat(100)}» z`, `a: ${"x".repeat(29)}…`, `   ${"^".repeat(29)}`],
    [
      "inside a mark that goes on",
      `${dashes(100)}«${"x".repeat(100)}\nz»\n`,
      `…${dashes(4)}${"x".repeat(28)}…`,
      `${" ".repeat(5)}${"^".repeat(12)} and 1 more line`,
    ],
  ])("%s", (_, text, line, mark) => {
    expect(frame(text, 40).split("\n").slice(0, 2)).toEqual([`  1 │ ${line}`, `    │ ${mark}`])
  })

  test("together with its neighbours", () => {
    expect(frame(`short\n${dashes(60)}«x»\n`, 40)).toBe(
      ["  1 │ …", `  2 │ …${dashes(31)}x`, `    │ ${" ".repeat(32)}^`].join("\n"),
    )
  })

  test("without reading all of a line of many megabytes", () => {
    const before = processorTime()
    expect(frame(`${"ä".repeat(4_000_000)}«x»${"ä".repeat(4_000_000)}`, 40)).toBe(
      `  1 │ …${"ä".repeat(15)}x${"ä".repeat(16)}…\n    │ ${" ".repeat(16)}^`,
    )
    expect(processorTime() - before).toBeLessThan(15_000)
  })
})

describe("what a file says is shown, never obeyed", () => {
  test.each([
    ["colours", "\u001b[31mred«»", "  1 │ \\u{1b}[31mred"],
    ["a title of the window", "\u001b]0;x\u0007«»", "  1 │ \\u{1b}]0;x\\u{7}"],
    ["one-byte control sequences", "\u009b31m«»", "  1 │ \\u{9b}31m"],
    ["a return", "good\rbad«»", "  1 │ good\\rbad"],
    [
      "text that runs backwards",
      "\u202edrow\u202c \u2066x\u2069«»",
      "  1 │ \\u{202e}drow\\u{202c} \\u{2066}x\\u{2069}",
    ],
    ["line separators", "a\u2028b\u0085c«»", "  1 │ a\\u{2028}b\\u{85}c"],
    ["letters that nobody sees", "a\u{e0041}\u{e0042}«»", "  1 │ a\\u{e0041}\\u{e0042}"],
    ["joiners without anything to join", "a\u200db\u200c\ufe0f«»", "  1 │ a\\u{200d}b\\u{200c}\\u{fe0f}"],
    ["half of a pair", "a\udc00«»", "  1 │ a\\u{dc00}"],
    ["letters that need a joiner", "می\u200cخواهم«»", "  1 │ می\u200cخواهم"],
  ])("%s", (_, text, expected) => {
    expect(frame(text, 80).split("\n")[0]).toBe(expected)
  })

  test("in paths, codes, messages and fixes too", () => {
    const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }
    const diagnostic = finding({
      file: "a\u001b[2J\n.md",
      code: "c\u001b",
      message: "one\u001b[1m\ntwo\u202e",
      fix: { title: "t\u001b\n", edits: [{ range, text: "n\u001b\tw" }] },
    })
    expect(renderText([diagnostic], { source: () => undefined, colour: "off" })).toBe(
      [
        "a\\u{1b}[2J\\n.md:1:1 error c\\u{1b}",
        "  one\\u{1b}[1m",
        "  two\\u{202e}",
        "",
        "  fix: t\\u{1b}\\n",
        "  + n\\u{1b}\\tw",
        "",
        "1 error in 1 file (1 fixable with --fix)",
        "",
      ].join("\n"),
    )
  })
})

test("findings stand file by file, each from top to bottom, with fixes and a summary", () => {
  const { source, range } = marked("name: a\ntools: «Raed»\n")
  const top = { start: { line: 1, column: 1 }, end: { line: 1, column: 5 } }
  const diagnostics = [
    finding({ range, fix: { title: "Write Read", edits: [{ range, text: "Read" }] } }),
    finding({ file: "/elsewhere/b.md", severity: "info", message: "Why.\nWhat to do." }),
    finding({ range: top, severity: "warning", code: "name-short" }),
    finding({ file: undefined }),
  ].map((diagnostic) => (diagnostic.file === file ? { ...diagnostic, file: `/home/${file}` } : diagnostic))
  const options = { source: (name: string) => (name === `/home/${file}` ? source : undefined), base: "/home" }
  expect(renderText(diagnostics, { ...options, colour: "off", files: 14 })).toBe(
    [
      "agents/a.md:1:1 warning name-short",
      "  No such tool.",
      "",
      "  1 │ name: a",
      "    │ ^^^^",
      "  2 │ tools: Raed",
      "",
      "agents/a.md:2:8 error unknown-tool",
      "  No such tool.",
      "",
      "  1 │ name: a",
      "  2 │ tools: Raed",
      "    │        ^^^^",
      "",
      "  fix: Write Read",
      "  - Raed",
      "  + Read",
      "",
      "/elsewhere/b.md:1:1 info unknown-tool",
      "  Why.",
      "  What to do.",
      "",
      "error unknown-tool",
      "  No such tool.",
      "",
      "2 errors, 1 warning, 1 info in 2 of 14 files (1 fixable with --fix)",
      "",
    ].join("\n"),
  )
})

test("what is said of many files of a folder is said once, with how many they are", () => {
  const unknown = (name: string, message: string) =>
    finding({ file: `/home/${name}`, code: "key-unknown", severity: "info", message })
  const diagnostics = [
    ...["a/1.md", "a/2.md", "a/3.md", "a/4.md", "a/5.md"].flatMap((name) => [
      unknown(name, "No key `emoji`."),
      unknown(name, "No key `vibe`."),
    ]),
    unknown("b/1.md", "No key `emoji`."),
    unknown("b/2.md", "No key `emoji`."),
    unknown("c/1.md", "No key `emoji`."),
    finding({ file: "/home/a/1.md", code: "name-short" }),
    finding({ file: "/home/a/2.md", code: "name-short" }),
  ]
  expect(renderText(diagnostics, { source: () => undefined, colour: "off", base: "/home" })).toBe(
    [
      "a/1.md:1:1 info key-unknown",
      "  No key `emoji`.",
      "  The same in 4 more files of a: 2.md, 3.md, 4.md and 1 more.",
      "",
      "a/1.md:1:1 info key-unknown",
      "  No key `vibe`.",
      "  The same in 4 more files of a: 2.md, 3.md, 4.md and 1 more.",
      "",
      "a/1.md:1:1 error name-short",
      "  No such tool.",
      "",
      "a/2.md:1:1 error name-short",
      "  No such tool.",
      "",
      "b/1.md:1:1 info key-unknown",
      "  No key `emoji`.",
      "  The same in 1 more file of b: 2.md.",
      "",
      "c/1.md:1:1 info key-unknown",
      "  No key `emoji`.",
      "",
      "2 errors, 13 info in 8 files",
      "",
    ].join("\n"),
  )
})

test("a long fix is cut", () => {
  const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }
  const text = `${"line\r\n".repeat(9)}${"x".repeat(100)}\n`
  const fix = {
    title: "Write it",
    edits: [
      { range, text: "y".repeat(90) },
      { range, text },
    ],
  }
  expect(renderText([finding({ fix })], { source: () => undefined, colour: "off", width: 40 })).toBe(
    [
      "agents/a.md:1:1 error unknown-tool",
      "  No such tool.",
      "",
      "  fix: Write it",
      `  + ${"y".repeat(35)}…`,
      ...Array(8).fill("  + line"),
      "  + … 2 more lines",
      "",
      "1 error in 1 file (1 fixable with --fix)",
      "",
    ].join("\n"),
  )
})

test("colours are put around the parts, and change nothing else", () => {
  const { source, range } = marked("tools: «Raed»")
  const plain = renderText([finding({ range })], { source: () => source, colour: "off" })
  const coloured = renderText([finding({ range })], { source: () => source, colour: "on" })
  expect(coloured).toContain("\u001b[1;31m^^^^\u001b[0m")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  expect(coloured.replace(/\u001b\[[\d;]*m/g, "")).toBe(plain)
})

test("a place that the file does not have is named, not shown", () => {
  const range = { start: { line: 9, column: 1 }, end: { line: 9, column: 2 } }
  expect(renderText([finding({ range })], { source: () => "a\n", colour: "off" })).toBe(
    "agents/a.md:9:1 error unknown-tool\n  No such tool.\n\n1 error in 1 file\n",
  )
})

test("any text with any range in it is shown within the width, without a control character", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "\r\n",
      "\n",
      "\t",
      "\u001b[31m",
      "日本",
      "👩‍💻",
      "\u202e",
      "\u200b",
      "\ud800",
      "e\u0301",
      "-".repeat(90),
    ),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))
  fc.assert(
    fc.property(
      text,
      text,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 40, max: 120 }),
      (source, message, a, b, width) => {
        const [start, end] = [a % (source.length + 1), b % (source.length + 1)].sort((l, r) => l - r) as [
          number,
          number,
        ]
        const range = createRangeFinder(source)({ start, end })
        const fix = { title: message, edits: [{ range, text: source }] }
        const shown = renderText([finding({ range, message, fix })], {
          source: () => source,
          colour: "off",
          width,
        })
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(shown.isWellFormed()).toBe(true)
        const rows = shown.split("\n").filter((line) => /^ +\d* │/.test(line))
        expect(rows.filter((line) => /^ +│ +\^/.test(line))).not.toEqual([])
        expect(rows.filter((line) => displayWidth(line) > width)).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})
