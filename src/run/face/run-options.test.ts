import { expect, test } from "vitest"
import { requireKnownOptions } from "../../ground/options.ts"
import * as tables from "./run-options.ts"

test.each(Object.entries(tables))(
  "%s: all of them are accepted, and named to a caller who misspells one",
  (name, table) => {
    expect(
      Object.keys(table).filter((option) => (table as Record<string, string>)[option] !== "known"),
    ).toEqual([])
    expect(() =>
      requireKnownOptions(name, Object.fromEntries(Object.keys(table).map((key) => [key, 1])), table),
    ).not.toThrow()
    for (const option of Object.keys(table))
      expect(() => requireKnownOptions(name, { [`${option}x`]: 1 }, table)).toThrow(`"${option}x"`)
  },
)
