import { expect, test } from "vitest"
import { knownNames } from "./errors.ts"

test.each<[string, readonly string[], string]>([
  ["a", [], "None are known."],
  [
    "reviewr",
    ["tester", "reviewer", "reviewers"],
    'Did you mean "reviewer"? Known: reviewer, reviewers, tester.',
  ],
  ["rev", ["tester", "reviewer"], 'Did you mean "reviewer"? Known: reviewer, tester.'],
  ["modle", ["mode", "model"], 'Did you mean "model"? Known: mode, model.'],
  ["zzz", ["tester", "reviewer"], "Known: reviewer, tester."],
])("%s among %j", (wrong, known, message) => {
  expect(knownNames(wrong, known)).toBe(message)
})

test("the known names may be any number", () => {
  const known = Array.from({ length: 300_000 }, (_, index) => `name-${index}`)
  expect(knownNames("nam-299999", known)).toMatch(/^Did you mean "name-299999"\? .* and 299950 more\.$/)
})
