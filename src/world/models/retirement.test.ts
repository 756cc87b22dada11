import { expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { describeRetirement, findRetirement } from "./retirement.ts"

const on = (day: string) => Date.parse(day)
const claude =
  "platform.claude.com/docs/en/about-claude/model-deprecations, as of 2026-08-22 (read 2026-11-16)"

test.each([
  ["claude-opus-4-20250514", "2026-04-15", undefined],
  [
    "claude-opus-4-20250514",
    "2026-04-16",
    naming(
      "anthropic/claude-opus-4-20250514",
      "retired",
      "2026-06-15",
      `Its provider recommends claude-opus-4-8 instead. Source: ${claude}`,
    ),
  ],
  [
    "claude-opus-4-20250514",
    "2026-06-15",
    `anthropic/claude-opus-4-20250514 was retired on 2026-06-15, so its provider refuses requests. Its provider recommends claude-opus-4-8 instead. Source: ${claude}.`,
  ],
  ["claude-opus-5-5", "2026-06-15", undefined],
  ["claude-99", "2026-06-15", undefined],
])("anthropic's %s on %s", (model, day, expected) => {
  const found = findRetirement("anthropic", model, on(day))
  expect(found && describeRetirement(found)).toEqual(expected)
})

test.each([
  ["o1-mini", "2026-01-01", "o4-mini"],
  ["o1-mini", "2026-11-16", "gpt-5.6-terra"],
  ["chatgpt-4o-latest", "2026-11-16", "gpt-5.6-sol"],
  ["codex-mini-latest", "2026-11-16", undefined],
])("the successor of openai's %s on %s is the first that is still served", (model, day, expected) => {
  expect(findRetirement("openai", model, on(day))?.successor).toBe(expected)
})
