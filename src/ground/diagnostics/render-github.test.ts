import { expect, test } from "vitest"
import type { Diagnostic } from "./diagnostic.ts"
import { renderGithub } from "./render-github.ts"

const finding: Diagnostic = {
  code: "unknown-tool",
  severity: "error",
  message: "No such tool.",
  file: "/repo/agents/a.md",
  range: { start: { line: 2, column: 8 }, end: { line: 2, column: 12 } },
}

test.each<[string, Partial<Diagnostic>, string]>([
  [
    "a range on one line",
    {},
    "::error file=agents/a.md,line=2,col=8,endLine=2,endColumn=12,title=unknown-tool::No such tool.\n",
  ],
  [
    "a range over several lines has no columns",
    { severity: "warning", range: { start: { line: 2, column: 8 }, end: { line: 4, column: 1 } } },
    "::warning file=agents/a.md,line=2,endLine=4,title=unknown-tool::No such tool.\n",
  ],
  ["no file", { severity: "info", file: undefined }, "::notice title=unknown-tool::No such tool.\n"],
  [
    "everything that means something to GitHub",
    { file: "/repo/a:b,c%.md", code: "a,b:c", message: "100%: a, b\r\n::error::c\nd" },
    "::error file=a%3Ab%2Cc%25.md,line=2,col=8,endLine=2,endColumn=12,title=a%2Cb%3Ac::100%25: a, b%0A::error::c%0Ad\n",
  ],
  [
    "what a terminal would obey",
    { message: "a\u001b[31m\rb\u202e", file: "a\n.md" },
    "::error file=a\\n.md,line=2,col=8,endLine=2,endColumn=12,title=unknown-tool::a\\u{1b}[31m\\rb\\u{202e}\n",
  ],
])("%s", (_, more, expected) => {
  expect(renderGithub([{ ...finding, ...more }], { base: "/repo" })).toBe(expected)
})

test("nothing for no findings, and one line for each", () => {
  expect(renderGithub([])).toBe("")
  expect(renderGithub([finding, finding]).split("\n")).toHaveLength(3)
})
