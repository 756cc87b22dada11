import { expect, test } from "vitest"
import type { Result } from "../../scripts/mutate/find-faults.ts"
import { report } from "../../scripts/mutate/report.ts"

test("faults that were not run count in the share as not found", () => {
  const came = (...all: readonly Result["came"][]) =>
    all.map((one, line) => ({
      area: "run",
      file: "a.ts",
      line,
      kind: "k",
      before: "b",
      after: "c",
      came: one,
    }))
  const results = came("found", "hung", "not found", "not run") as unknown as readonly Result[]
  expect(report(results, 1).split("\n").slice(0, 6)).toEqual([
    "Seed 1, 4 faults drawn, 1 of them not run.",
    "",
    "| area | faults | found | not found | not run | share |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    "| run | 4 | 2 | 1 | 1 | 50.0 % |",
    "| all | 4 | 2 | 1 | 1 | 50.0 % |",
  ])
})
