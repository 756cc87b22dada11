import { expect, test } from "vitest"
import { findToolTextProblem } from "./tool-text.ts"

test.each([
  ["Bash(touch*", /its parenthesis is not closed/],
  ["Bash(echo $(date)", /its parenthesis is not closed/],
  ["Bash touch)", /there is no "\("/],
  ["Bash)touch(", /there is no "\("/],
  ["(touch)", /no name before/],
  ["Bash(touch) x", /there is text after/],
  ["Bash(a)(b)", /there is text after/],
  ["Bash()", /are empty/],
  ["Bash( )", /are empty/],
  ["Bash(:*)", /nothing before the colon/],
  ["Bash(:)", /nothing before the colon/],
  ["Bash(touch:)", /Write `Bash\(touch:\*\)`/],
  ["Bash(touch : *)", /Write `Bash\(touch:\*\)`/],
  ["Bash(touch: *)", /Write `Bash\(touch:\*\)`/],
  ["Bash(touch :*)", /Write `Bash\(touch:\*\)`/],
  ["WebFetch(domain:)", /does not end with/],
])("%s is refused", (text, told) => {
  expect(findToolTextProblem(text)).toMatch(told)
})

test.each([
  "Bash",
  "mcp__server__*",
  "Bash(*)",
  "Bash(touch:*)",
  "Bash(touch *)",
  "Bash (touch:*)",
  "Bash(echo $(date))",
  "Agent(a, b)",
  "Read(./src/**)",
  "Read(C:/x)",
  "WebFetch(domain:example.com)",
])("%s is fine", (text) => {
  expect(findToolTextProblem(text)).toBeUndefined()
})
