import { expect, test } from "vitest"
import { mergeInOrder, orderBySource, precedence } from "./precedence.ts"

test.each<[keyof typeof precedence, readonly string[]]>([
  ["model", ["call", "definition", "parent", "default"]],
  ["tools", ["registered", "call", "above", "deny", "allow", "inherited", "parent", "depth"]],
  ["limits", ["parent", "call", "definition", "configuration", "default"]],
  ["variables", ["call", "locked", "parent", "definition", "workflow", "configuration", "lifecycle"]],
])("the sources of %s in their order", (setting, expected) => {
  expect(precedence[setting].map(({ source }) => source)).toEqual(expected)
  for (const { where } of precedence[setting]) expect(where.length).toBeGreaterThan(10)
})

test("the values of the first source with a value win, name by name", () => {
  const ranks = [{ source: "one" }, { source: "two" }, { source: "three" }] as const
  const ordered = orderBySource(ranks, { three: { a: 3, c: 3 }, two: undefined, one: { a: 1, b: 1 } })
  expect(ordered).toEqual([
    { source: "one", values: { a: 1, b: 1 } },
    { source: "three", values: { a: 3, c: 3 } },
  ])
  expect(mergeInOrder(ordered)).toEqual({ a: 1, b: 1, c: 3 })
  expect(mergeInOrder([])).toEqual({})
})
