import { expect, test } from "vitest"
import { splitFrontmatter } from "./frontmatter.ts"

const parts = (text: string) => {
  const split = splitFrontmatter(text)
  return split.type === "split" ? { yaml: split.yaml, body: split.body } : split
}

test.each([
  ["---\nname: a\n---\nbody\n", { yaml: "name: a\n", body: "body\n" }],
  ["\ufeff---\r\nname: a\r\n---\r\nbody", { yaml: "name: a\r\n", body: "body" }],
  ["---\nname: a\n---", { yaml: "name: a\n", body: "" }],
  ["--- \nname: a\n---\t\nbody", { yaml: "name: a\n", body: "body" }],
  ["---\nname: a\n...\nbody", { yaml: "name: a\n", body: "body" }],
  [
    "---\nnote: --- not the end\n----\nname: a\n---\nbody",
    { yaml: "note: --- not the end\n----\nname: a\n", body: "body" },
  ],
  ["---\n---\nbody", { yaml: "", body: "body" }],
  ["---\nname: a\n---\n---js\nrun()\n---\n", { yaml: "name: a\n", body: "---js\nrun()\n---\n" }],
  ["name: a\n---\n", { type: "none" }],
  ["", { type: "none" }],
  ["----\nname: a\n----\n", { type: "none" }],
  ["---js\nprocess.exit()\n---\n", { type: "language", language: "js" }],
  ["--- coffee\nx\n---\n", { type: "language", language: "coffee" }],
  ["---\nname: a\nbody", { type: "unclosed", yamlStart: 4 }],
])("112, 113, 121: %j splits as %j", (text, expected) => {
  expect(parts(text)).toEqual(expected)
})

test("offsets point into the text as written", () => {
  const text = "\ufeff---\r\nname: a\r\n---\r\nbody"
  const split = splitFrontmatter(text)
  if (split.type !== "split") throw new Error("not split")
  expect(text.slice(split.yamlStart, split.yamlStart + 4)).toBe("name")
  expect(text.slice(split.bodyStart)).toBe("body")
})

test("a file of a hundred thousand dashes is split at once", () => {
  expect(splitFrontmatter(`---\n${"--- x\n".repeat(100_000)}`).type).toBe("unclosed")
})
