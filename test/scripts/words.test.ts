import { describe, expect, test } from "vitest"
import { countHabits, type Habit } from "../../scripts/words/habits.ts"
import { textsInCode, textsInPage } from "../../scripts/words/texts.ts"

const none = { headless: 0, nobody: 0, longSentence: 0, longParagraph: 0 }
const words = (count: number) => `A ${"word ".repeat(count - 2)}ends.`

describe("habits in a paragraph", () => {
  test.each<[string, Partial<Record<Habit, number>>]>([
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
