import { expect, test } from "vitest"
import { createPainter } from "../diagnostics/paint.ts"
import { countLines, type DiffHunk, findHunks } from "./find-hunks.ts"
import { showChanges, writeHunkHeader } from "./show-changes.ts"

const plain = createPainter("off")
const linesOf = (hunks: readonly DiffHunk[]) =>
  hunks.flatMap((hunk) => [writeHunkHeader(hunk), ...hunk.lines])
const noNewline = "\\ No newline at end of file"

test.each<[name: string, before: string, after: string, lines: readonly string[]]>([
  ["the same text", "a\n", "a\n", []],
  ["a new text", "", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]],
  ["a removed text without a final newline", "a", "", ["@@ -1 +0,0 @@", "-a", noNewline]],
  ["a final newline", "a", "a\n", ["@@ -1 +1 @@", "-a", noNewline, "+a"]],
  ["line endings", "a\r\nb\n", "a\nb\n", ["@@ -1,2 +1,2 @@", "-a\r", "+a", " b"]],
  ["a lone carriage return", "a\rb\n", "a\rc\n", ["@@ -1 +1 @@", "-a\rb", "+a\rc"]],
])("%s", async (_, before, after, lines) => {
  expect(linesOf(await findHunks(before, after))).toEqual(lines)
})

test("texts that differ everywhere are replaced as a whole", async () => {
  const text = (mark: string) => Array.from({ length: 5_000 }, (_, index) => `${mark}${index}\n`).join("")
  const hunks = await findHunks(text("a"), text("b"))
  expect([hunks.length, countLines(hunks)]).toEqual([1, { added: 5_000, removed: 5_000 }])
})

test("a person sees no control character, no tab and no line wider than the screen", async () => {
  expect(
    await showChanges("a\tb\n\u001b[31mx\n", `a\tc\n${"y".repeat(100)}\n`, { paint: plain, columns: 20 }),
  ).toEqual(["@@ -1,2 +1,2 @@", "-a    b", "-\\u{1b}[31mx", "+a    c", `+${"y".repeat(18)}…`])
})

test("a person sees colours, and the number of lines that are left out", async () => {
  expect(
    await showChanges("a\nb\n", "a\nc\nd\n", { paint: (style, text) => `${style}:${text}`, mostLines: 3 }),
  ).toEqual(["cyan:@@ -1,2 +1,3 @@", " a", "faint:… and 3 more lines"])
})
