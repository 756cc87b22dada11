import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { comparePython } from "../../scripts/when-python.ts"

const isThere = spawnSync("python3", ["-c", "import ast"]).status === 0
if (!isThere) console.warn("SKIPPED: there is no python3, so conditions are not compared with Python itself.")

test.skipIf(!isThere)("made-up conditions come to what Python makes of them, or to nothing in both", () => {
  const { same, differences } = comparePython(4_000, 20_261_116)
  expect(differences).toEqual([])
  expect(same).toMatchObject({ values: expect.any(Number), limited: expect.any(Number) })
  expect([same.values > 2_000, same.failures > 500, same.unreadable > 200, same.limited < 200]).toEqual([
    true,
    true,
    true,
    true,
  ])
})
