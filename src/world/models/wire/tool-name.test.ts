import { expect, test } from "vitest"
import { shortName, usableName } from "./tool-name.ts"

test.each([
  ["add", "add"],
  ["", "unknown"],
  ["find files", "find_files"],
  ["2fa", "_2fa"],
  ["-x", "_-x"],
  ["é2", "_2"],
])("a call of %j is sent back under a name that every provider accepts", (name, sent) =>
  expect(usableName(name)).toBe(sent),
)

test("a name is cut where OpenAI and Gemini refuse longer ones", () =>
  expect([usableName("9".repeat(200)).length, shortName("9".repeat(200))]).toEqual([
    128,
    `_${"9".repeat(63)}`,
  ]))
