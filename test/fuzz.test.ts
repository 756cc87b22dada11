import { expect, test } from "vitest"
import { fuzz } from "../scripts/fuzz.ts"

test("132: mutated files never throw, hang, change prototypes, point outside the text or lose anything in silence", () => {
  const { faults, agents } = fuzz(600, 132)
  expect(faults).toEqual([])
  expect(agents).toBeGreaterThan(1_000)
}, 60_000)
