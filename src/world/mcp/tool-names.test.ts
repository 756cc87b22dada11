import fc from "fast-check"
import { expect, test } from "vitest"
import { nameServerTools } from "./tool-names.ts"

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    "are put together",
    "github",
    ["list_issues", "get-me"],
    ["mcp__github__list_issues", "mcp__github__get-me"],
  ],
  [
    "have nothing in them that a provider refuses",
    "x",
    ["issues.list", "a b", "é"],
    ["mcp__x__issues_list", "mcp__x__a_b", "mcp__x___"],
  ],
  [
    "differ where cleaning would make them equal",
    "x",
    ["a_b", "a.b"],
    ["mcp__x__a_b", "mcp__x__a_b_bcf28bca"],
  ],
  ["of a server whose own name is changed end in a hash", "a.b", ["c"], ["mcp__a_b__c_3d1ea9b8"]],
  [
    "are cut where they are too long",
    "x",
    [`${"y".repeat(80)}1`, `${"y".repeat(80)}2`],
    [`mcp__x__${"y".repeat(47)}_5a5a0f11`, `mcp__x__${"y".repeat(47)}_2b1bd7d2`],
  ],
])("names %s", (_, server, tools, expected) => {
  const named = nameServerTools(server, tools)
  const shape = (name: string) => name.replace(/_[0-9a-f]{8}$/, "_HASH")
  expect(named.map(({ name }) => shape(name))).toEqual(expected.map(shape))
  expect(named.map(({ original }) => original)).toEqual(tools.map((tool) => `mcp__${server}__${tool}`))
})

test("names are valid, unique and the same in whatever order the tools come", () => {
  const name = fc.string({ minLength: 1, maxLength: 90 })
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (tools) => {
      const byTool = new Map(nameServerTools("srv", tools).map(({ name, original }) => [original, name]))
      const again = nameServerTools("srv", [...tools].reverse())
      expect(new Set(byTool.values()).size).toBe(tools.length)
      for (const { name, original } of again) {
        expect(name).toMatch(/^mcp__srv__[A-Za-z0-9_-]{0,54}$/)
        expect(byTool.get(original)).toBe(name)
      }
    }),
  )
})
