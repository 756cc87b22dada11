import { describe, expect, test } from "vitest"
import { readScriptHeader } from "./header.ts"

describe("the comment at the top of a script", () => {
  const expected = {
    description: "Counts lines.",
    inputs: [
      { name: "path", schema: { type: "string" }, description: "The file.", required: true },
      { name: "most", schema: { type: "integer" }, default: 10, required: false },
    ],
    externals: [{ name: "read_file", parameters: [], start: expect.any(Number), end: expect.any(Number) }],
    problems: [],
  }
  test.each<[string, string]>([
    [
      "of JavaScript",
      "/**\n * Counts lines.\n * @input {string} path The file.\n * @input {integer} [most=10]\n * @external read_file\n */\nexport default 1\n",
    ],
    [
      "in single lines",
      "// Counts lines.\n// @input {string} path - The file.\n// @input {integer} [most=10]\n// @external read_file\nlet x\n// @input {string} no\n",
    ],
    [
      "of a shell script",
      "#!/bin/sh\n\n# Counts lines.\n# @input {string} path The file.\n# @input {integer} [most=10]\n# @external read_file\ncat\n",
    ],
  ])("%s declares inputs and external functions", (_, text) =>
    expect(readScriptHeader(text)).toEqual(expected),
  )

  test.each<[string, object]>([
    ["{string[]} x", { type: "array", items: { type: "string" } }],
    ['{"a" | "b"} x', { enum: ["a", "b"] }],
    ["{string | integer} x", { anyOf: [{ type: "string" }, { type: "integer" }] }],
    ["{any} x", {}],
  ])("has the type %s", (text, schema) =>
    expect(readScriptHeader(`// @input ${text}\n`).inputs).toEqual([{ name: "x", schema, required: true }]),
  )

  test.each(["{text} x", "string x", "{string}", "{string} [x=abc]", "{} x", "{__proto__} x"])(
    "that says %s is a fault",
    (text) => {
      const { inputs, problems } = readScriptHeader(`// @input ${text}\n`)
      expect([inputs, problems.map(({ code, severity }) => `${severity} ${code}`)]).toEqual([
        [],
        ["error syntax"],
      ])
    },
  )
})
