import { expect, test } from "vitest"
import { appendSentence, listKnownNames } from "./errors.ts"

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
  expect(listKnownNames(wrong, known)).toBe(message)
})

test("the known names may be any number", () => {
  const known = Array.from({ length: 300_000 }, (_, index) => `name-${index}`)
  expect(listKnownNames("nam-299999", known)).toMatch(/^Did you mean "name-299999"\? .* and 299950 more\.$/)
})

test.each([
  ["prompt is too long", "prompt is too long. Shorten it."],
  ["prompt is too long.\n", "prompt is too long. Shorten it."],
  ['it said "no."', 'it said "no." Shorten it.'],
  ["why?", "why? Shorten it."],
])("a sentence after %j begins as one", (said, expected) => {
  expect(appendSentence(said, "Shorten it.")).toBe(expected)
})
