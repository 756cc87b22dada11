import { expect, test } from "vitest"
import { datedTables, describeOldTables, findOldTables } from "./dated-tables.ts"

const tables = [
  { table: "aliases", date: "2026-01-01" },
  { table: "models of openai", date: "2026-03-01" },
]

test.each([
  ["2026-05-01", undefined],
  ["2026-05-02", "aliases (2026-01-01, 121 days ago)"],
  ["2026-07-01", "aliases (2026-01-01, 181 days ago), models of openai (2026-03-01, 122 days ago)"],
])("what is older than 120 days on %s", (day, expected) => {
  expect(describeOldTables(findOldTables(Date.parse(day), tables))).toEqual(
    expected && {
      reason: expect.stringContaining(`: ${expected}. `),
      remedy: "Update cadre: npm install cadre@latest.",
    },
  )
})

test("every table that ships has a day", () => {
  expect(datedTables.filter(({ date }) => !Number.isFinite(Date.parse(date)))).toEqual([])
})
