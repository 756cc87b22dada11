import { expect, test } from "vitest"
import { toShortName, toUsableName } from "./tool-name.ts"

test.each([
  ["add", "add"],
  ["", "unknown"],
  ["find files", "find_files"],
  ["2fa", "_2fa"],
  ["-x", "_-x"],
  ["é2", "_2"],
])("a call of %j is sent back under a name that every provider accepts", (name, sent) =>
  expect(toUsableName(name)).toBe(sent),
)

test("a name is cut where OpenAI and Gemini refuse longer ones", () =>
  expect([toUsableName("9".repeat(200)).length, toShortName("9".repeat(200))]).toEqual([
    128,
    `_${"9".repeat(63)}`,
  ]))
