import { describe, expect, test } from "vitest"
import { assertedMessages } from "../../scripts/words/asserted.ts"
import { countHabits } from "../../scripts/words/habits.ts"
import { textsInCode, textsInPage } from "../../scripts/words/texts.ts"

const none = { headless: 0, nobody: 0, longSentence: 0, longParagraph: 0 }
const words = (count: number) => `A ${"word ".repeat(count - 2)}ends.`

describe("habits in a paragraph", () => {
  test.each<[string, Partial<typeof none>]>([
    ["The run ends when its last call ends.", {}],
    ["What a run needs. It is kept.", { headless: 1 }],
    ["Whoever waits for a person.", { headless: 1, nobody: 1 }],
    ["Where servers come from.", { headless: 1 }],
    ["Where no server is named, the list is empty.", {}],
    ["What is measured?", {}],
    ["When it ends, nobody and somebody look.", { nobody: 2 }],
    ["Nothing is headless. What follows does not count.", {}],
    [words(25), {}],
    [words(26), { longSentence: 1 }],
    [`${words(26)} ${words(26)}`, { longSentence: 2 }],
    [`The code \`${words(40)}\` is one word.`, {}],
    [`See [the page](https://example.com/a.b?c=d) or e.g. \`a.b. C\`.`, {}],
    [Array(4).fill(words(23)).join(" "), { longParagraph: 1 }],
  ])("%s", (paragraph, expected) => {
    expect(countHabits(paragraph)).toEqual({ ...none, ...expected })
  })
})

test("comments are read as paragraphs, and of strings those that are sentences", () => {
  const code = [
    'import a from "./What is a path.ts"',
    "// The first line,",
    "// and its second.",
    "",
    "// Another comment.",
    "/**",
    " * What it does.",
    " *",
    " * - the first item",
    " * - the second one",
    " */",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is read
    "export const said = () => `No tool is named ${a} in this file.` // behind it",
    "// biome-ignore lint: no words",
    'const key = "a key"',
  ].join("\n")
  expect(textsInCode("src/a.ts", code)).toEqual(
    [
      [2, "The first line, and its second."],
      [5, "Another comment."],
      [7, "What it does."],
      [9, "the first item"],
      [10, "the second one"],
      [12, "No tool is named X in this file."],
      [12, "behind it"],
    ].map(([line, text]) => ({
      kind: line === 12 && text !== "behind it" ? "message" : "comment",
      file: "src/a.ts",
      line,
      text,
    })),
  )
})

test("strings of tests are not read", () => {
  expect(textsInCode("src/a.test.ts", 'const text = "What a sentence this is."')).toEqual([])
})

test("of a page, code is left out, and cells and items are read by themselves", () => {
  const page = [
    "# Title",
    "",
    "Two lines",
    "of text.",
    "- one",
    "```sh",
    "cadre run",
    "```",
    "| a b | c |",
    "|--|--|",
  ]
  expect(textsInPage("docs/a.md", page.join("\n"))).toEqual(
    [
      [1, "Title"],
      [3, "Two lines of text."],
      [5, "one"],
      [9, "a b"],
      [9, "c"],
    ].map(([line, text]) => ({ kind: "page", file: "docs/a.md", line, text })),
  )
})

test("a page that a script wrote is not read", () => {
  expect(textsInPage("docs/a.md", "<!-- Written by scripts/docs.ts -->\n\nWhat it says.")).toEqual([])
})

describe("a message of src in a test", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is read
  const message = "`No tool is named ${name} in this project, so nothing may call it. Add it first.`"
  const source = { file: "src/a.ts", code: `export const said = (name: string) => ${message}` }
  const linesIn = (code: string, sources = [source]) =>
    assertedMessages(sources, [{ file: "src/a.test.ts", code }]).map(({ file, line }) => `${file}:${line}`)

  test.each([
    ["whole", 'expect(said("x")).toBe("No tool is named x in this project, so nothing may call it.")'],
    ["six words of it", 'expect(said("x")).toContain("so nothing may call it. Add")'],
    ["without its punctuation and capitals", 'expect(a).toBe("SO NOTHING\\n may call, it: add")'],
    [
      "in a regular expression with escapes",
      "expect(a).toMatch(/x in this project, so nothing may call it\\./)",
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is read
    ["between inserted values", "expect(a).toBe(`${b} in this project, so nothing may call it${c}`)"],
    ["in a row of a table", 'test.each([["a row", "In this project, so nothing may."]])("%s", () => {})'],
    ["as a title is none", 'test("in this project, so nothing may call it", () => {})', []],
    ["as a title of a row is none", 'test.each([["so nothing may call it add", 1]])("%s", () => {})', []],
    ["of five words is none", 'expect(a).toContain("so nothing may call it")', []],
    ["with only inserted names is none", 'expect(a).toBe("No tool is named x")', []],
    ["across an inserted value is none", 'expect(a).toBe("No tool is named name in this")', []],
    ["in a comment is none", "// in this project, so nothing may call it\nexpect(a).toBe(1)", []],
    [
      "on a screen is none",
      `expect(a).toBe("${"\\n".repeat(7)}In this project, so nothing may call it.")`,
      [],
    ],
  ])("%s", (_, code, places: readonly string[] = ["src/a.test.ts:1"]) => {
    expect(linesIn(code)).toEqual(places)
  })

  test.each([
    ["a contract", { file: "src/b.ts", code: 'const said = "Name must be 1-64 characters long"' }],
    ["a provider's own sentence", { ...source, file: "src/faces/testing/model-server/a.ts" }],
  ])("may be %s", (_, exempt) => {
    const code =
      'expect([a, b]).toEqual(["Name must be 1-64 characters long", "so nothing may call it. Add"])'
    expect(linesIn(code, [exempt])).toEqual([])
  })
})
