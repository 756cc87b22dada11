import { expect, test } from "vitest"
import { compareLines } from "./line-changes.ts"

const shown = (before: string, after: string) =>
  compareLines(before, after)?.map(({ type, text }) => `${type === "added" ? "+" : "-"}${text}`)

test.each([
  ["a\nb\nc", "a\nb\nc", []],
  ["a\nb\nc", "a\nx\nc", ["-b", "+x"]],
  ["a\nc", "a\nb\nc", ["+b"]],
  ["a\nb\nc", "a\nc", ["-b"]],
  ["", "a", ["-", "+a"]],
  ["a\nb\nc\nd", "b\nx\nd\ne", ["-a", "-c", "+x", "+e"]],
  ["a\na", "a\na\na", ["+a"]],
  ["a\nb\nc", "d\na\ne", ["+d", "-b", "-c", "+e"]],
  ["a\nb", "c\nd\na", ["+c", "+d", "-b"]],
  ["a\nb\nc", "c", ["-a", "-b"]],
  ["c", "a\nb\nc", ["+a", "+b"]],
  ["a\nb\nx\nb\nc", "a\nb\ny\nb\nc", ["-x", "+y"]],
  ["x\na\nb", "y\na\nb", ["-x", "+y"]],
  ["a\nb\na", "b\na\nb", ["-a", "+b"]],
  ["p\nq\nr\ns", "q\ns\nz", ["-p", "-r", "+z"]],
  ["1\na\n2\nb", "a\n3\nb\n4", ["-1", "-2", "+3", "+4"]],
])("%j to %j", (before, after, changes) => {
  expect(shown(before, after)).toEqual(changes)
})

test("what is too long to compare is not compared", () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, line) => `${word} ${line}`).join("\n")
  expect(compareLines(lines("a"), lines("b"))).toBeUndefined()
  expect(shown(`${lines("a")}\nx`, `${lines("a")}\ny`)).toEqual(["-x", "+y"])
})
