import { expect, test } from "vitest"
import { fuzz } from "../../scripts/fuzz.ts"
import { whenFuzz } from "../../scripts/when-fuzz.ts"

test("132: mutated files never throw, hang, change prototypes, point outside the text or lose anything in silence", () => {
  const { faults, agents } = fuzz(600, 132)
  expect(faults).toEqual([])
  expect(agents).toBeGreaterThan(1_000)
})

test("195, 196: made-up conditions are answered soon, the same way twice, and rightly where the answer is known", () => {
  const { faults, read, answers } = whenFuzz(2_000, 195)
  expect(faults).toEqual([])
  expect([read, answers.true, answers.false, answers.failed].every((count) => count > 100)).toBe(true)
})
