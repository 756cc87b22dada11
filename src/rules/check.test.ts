import { expect, test } from "vitest"
import type { Problem } from "../formats/problem.ts"
import { atLevels } from "./levels.ts"
import { linesOf } from "./support.ts"

const none =
  "This agent is granted no tools: an empty list never means all of them. Leave `tools` out to inherit the caller's."

test.each([
  [{}, [`warning tools-none at tools: ${none}`]],
  [{ "tools-none": "off" }, []],
  [{ "tools-none": "error" }, [`error tools-none at tools: ${none}`]],
  [{ "tools-none": "info", "tool-unknown": "off" }, [`info tools-none at tools: ${none}`]],
  [{ constructor: "off" }, [`warning tools-none at tools: ${none}`]],
] as const)("the configuration %j decides how grave a finding is", (levels, expected) => {
  expect(linesOf({ tools: [], levels })).toEqual(expected)
})

test("what the reader found follows the configuration too", () => {
  const at = { type: "start" } as const
  const problems: readonly Problem[] = [
    { code: "key-unknown", severity: "info", message: "One.", at },
    { code: "yaml-repaired", severity: "warning", message: "Two.", at },
    { code: "field-type", severity: "error", message: "Three.", at },
  ]
  expect(atLevels(problems, { "key-unknown": "off", "yaml-repaired": "error" })).toEqual([
    { code: "yaml-repaired", severity: "error", message: "Two.", at },
    { code: "field-type", severity: "error", message: "Three.", at },
  ])
})
