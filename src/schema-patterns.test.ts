import { expect, test } from "vitest"
import { CadreError } from "./errors.ts"
import { patternProblem, readablePatterns } from "./schema-patterns.ts"
import { defineTool } from "./tool.ts"

test.each<[string, string | undefined, string, string]>([
  ["^[a-z]+$", "^[a-z]+$", "abc", "ABC"],
  ["^\\w+\\@\\w+$", "^\\w+@\\w+$", "a@b", "a-b"],
  ["^[\\w\\-\\_\\.]+$", "^[\\w\\-_\\.]+$", "a-b_c.d", "a b"],
  ["^\\-?\\d{1,3}$", "^-?\\d{1,3}$", "-12", "1234"],
  ['^\\"x\\"$', '^"x"$', '"x"', "x"],
  ["^{x}$", "^\\{x\\}$", "{x}", "x"],
  ["^a]$", "^a\\]$", "a]", "a"],
  ["^\\p{Lu}", "^\\p{Lu}", "Ä", "ä"],
])("the pattern %s is read as %s", async (pattern, expected, right, wrong) => {
  const input = { type: "object", properties: { at: { type: "string", pattern } } } as const
  expect(readablePatterns(input).properties.at.pattern).toBe(expected)
  const { validate } = defineTool({ name: "t", description: "t", input, effect: "read", execute: () => "" })
  expect(await validate({ at: right })).toEqual({ value: { at: right } })
  expect(await validate({ at: wrong })).toEqual({ problem: expect.stringContaining("at:") })
})

test.each(["(", "[b-a]", "a**", "(?<n"])(
  "%s is no pattern, and is refused where it is defined",
  (pattern) => {
    const input = { type: "object", patternProperties: { [pattern]: { type: "string" } } }
    expect(patternProblem(input)).toEqual({ pattern, at: `/patternProperties/${pattern}` })
    const define = () => defineTool({ name: "t", description: "t", input, effect: "read", execute: () => "" })
    expect(define).toThrow(CadreError)
    expect(define).toThrow(/no regular expression.*patternProperties/)
  },
)

test("what is only data is no pattern", () => {
  expect(patternProblem({ const: { pattern: "(" }, properties: { pattern: { type: "string" } } })).toBe(
    undefined,
  )
})
