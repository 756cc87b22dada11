import { describe, expect, test } from "vitest"
import { countRepeats } from "./repeats.ts"

describe("how often the newest turns repeat", () => {
  test.each([
    ["A", 1, 1],
    ["AA", 1, 2],
    ["BAAA", 1, 3],
    ["AAAB", 1, 1],
    ["ABAB", 2, 2],
    ["BABAB", 2, 2],
    ["ABABAB", 2, 3],
    ["ABCABC", 3, 2],
    ["ABCDABCD", 4, 2],
    ["ABCDEABCDE", 1, 1],
    ["AABAAB", 3, 2],
    ["AAAA", 1, 4],
    ["ABAABA", 3, 2],
    ["XABBABB", 1, 2],
  ])("%s", (turns, period, count) => {
    const signatures = [...turns]
    expect(countRepeats(signatures.slice(0, -1), signatures.at(-1)!, 7)).toEqual({
      signatures,
      period,
      count,
      turn: 7,
    })
  })

  test("no more than the last twenty are kept, which is enough to tell five of the longest", () => {
    const before = [..."ABCDABCDABCDABCDABCD"].slice(0, -1)
    expect(countRepeats(["X", ...before], "D", 1)).toEqual({
      signatures: [...before, "D"],
      period: 4,
      count: 5,
      turn: 1,
    })
  })
})
