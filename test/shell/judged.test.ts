import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { reasonsOf, touchedBy } from "./kit.ts"

/**
 * Commands, each with the line behind it: whether it is clear, and what it touches. `./` is the working folder. The lines
 * were read one by one.
 */
const text = fs.readFileSync(path.join(import.meta.dirname, "judged.txt"), "utf8")
const rows = [...text.matchAll(/^(\S.*)\n {4}(.*)$/gm)].map(
  ([, command, expected]) => [command!, expected!] as const,
)

test("every line of the list is read", () => {
  expect(2 * rows.length).toBe(text.trimEnd().split("\n").length)
})

test.each(rows)("%s", async (command, expected) => {
  const [unclear, dangerous, touched] = [
    await reasonsOf(command, "unclear"),
    await reasonsOf(command, "dangerous"),
    await touchedBy(command),
  ]
  const verdict = [...(dangerous.length > 0 ? ["dangerous"] : []), ...(unclear.length > 0 ? ["unclear"] : [])]
  const shown = [verdict.join(", ") || "clear", ...touched].join(" | ")
  expect(shown.replaceAll("/no/workspace/", "./")).toBe(expected)
})
