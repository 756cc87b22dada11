import { expect, test } from "vitest"
import { defineTool } from "../../agent/tool.ts"
import { CadreError } from "../errors.ts"
import { findPatternProblem } from "./patterns.ts"

test.each([
  ["^[a-z]+$", "abc", "ABC"],
  ["^\\w+\\@\\w+$", "a@b", "a-b"],
  ["^[\\w\\-\\_\\.]+$", "a-b_c.d", "a b"],
  ["^\\-?\\d{1,3}$", "-12", "1234"],
  ['^\\"x\\"$', '"x"', "x"],
  ["^{x}$", "{x}", "x"],
  ["^a]$", "a]", "a"],
  ["^\\p{Lu}", "Ä", "ä"],
  ["^(?!con$)[a-z]+$", "cons", "con"],
])("the pattern %s finds %s and not %s", async (pattern, right, wrong) => {
  const input = { type: "object", properties: { at: { type: "string", pattern } } } as const
  const { validate } = defineTool({ name: "t", description: "t", input, effect: "read", execute: () => "" })
  expect(await validate({ at: right })).toEqual({ value: { at: right } })
  expect(await validate({ at: wrong })).toEqual({ problem: expect.stringContaining("at:") })
})

test.each([
  ["(", "not a valid regular expression"],
  ["[b-a]", "not a valid regular expression"],
  ["a**", "not a valid regular expression"],
  ["(?<n", "not a valid regular expression"],
  ["(a)\\1", "back reference"],
])("%s cannot be followed, and is refused where it is defined", (pattern, why) => {
  const input = { type: "object", patternProperties: { [pattern]: { type: "string" } } }
  expect(findPatternProblem(input)).toEqual({
    pattern,
    at: `/patternProperties/${pattern}`,
    problem: expect.stringContaining(why),
  })
  const define = () => defineTool({ name: "t", description: "t", input, effect: "read", execute: () => "" })
  expect(define).toThrow(CadreError)
  expect(define).toThrow(/patternProperties.*cannot be followed/)
})

test("what is only data is no pattern", () => {
  expect(findPatternProblem({ const: { pattern: "(" }, properties: { pattern: { type: "string" } } })).toBe(
    undefined,
  )
})
