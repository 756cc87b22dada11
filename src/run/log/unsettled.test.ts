import { expect, test } from "vitest"
import { addUnsettled, isUnsettled } from "./unsettled.ts"

const one = { calls: 1, tokens: 20, cost: 0.5 }

test("what is not settled adds up, also where there is none", () => {
  expect(addUnsettled(one, { calls: 2, tokens: 4, cost: 8 })).toEqual({ calls: 3, tokens: 24, cost: 8.5 })
  expect([addUnsettled(one, undefined), addUnsettled(undefined, one)]).toEqual([one, one])
  expect(addUnsettled(undefined, undefined)).toEqual({ calls: 0, tokens: 0, cost: 0 })
})

test.each([
  [one, true],
  [{ calls: 0, tokens: 0, cost: 0 }, true],
  [{ ...one, calls: -1 }, false],
  [{ ...one, tokens: "20" }, false],
  [{ ...one, cost: Number.NaN }, false],
  [{ ...one, cost: Number.POSITIVE_INFINITY }, false],
  [{ calls: 1, tokens: 20 }, false],
  [{ tokens: 20, cost: 1 }, false],
  [{ calls: 1, cost: 1 }, false],
  [null, false],
  [undefined, false],
  ["1", false],
])("what a letter says is taken for it only where it is: %j", (value, expected) =>
  expect(isUnsettled(value)).toBe(expected),
)
