import fc from "fast-check"
import { expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { createSecrets } from "../../world/models/secrets.ts"
import { LiveText } from "./live-text.ts"

function shownOf(keys: readonly string[], chunks: readonly string[]): readonly string[] {
  const secrets = createSecrets()
  for (const key of keys) secrets.add(key)
  const shown: string[] = []
  const live = new LiveText(secrets, (text) => shown.push(text))
  for (const chunk of chunks) live.add(chunk)
  live.end()
  return shown
}

test.each([
  ["whole", ["The key is sk-12345678."], ["The key is [redacted]."]],
  ["in two parts", ["The key is sk-123", "45678, so"], ["The key is ", "[redacted], so"]],
  ["letter by letter", [..."sk-12345678!"], ["[redacted]", "!"]],
  ["only begun", ["It starts with sk-1", "23 and goes on"], ["It starts with ", "sk-123 and goes on"]],
  ["at the end, cut off", ["sk-1234"], ["sk-1234"]],
  ["not at all", ["Hel", "lo"], ["Hel", "lo"]],
])("a key that is %s", (_, chunks, shown) => {
  expect(shownOf(["sk-12345678"], chunks)).toEqual(shown)
})

test("however a text comes in, what is shown is what the whole would show", () => {
  const keys = ["abababab", "abababababc", "babababa", "cabababab"]
  const letter = fc.constantFrom("a", "b", "c", "ab", "abab", "x")
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 60 }), (chunks) => {
      const shown = shownOf(keys, chunks).join("")
      for (const key of keys) expect(shown).not.toContain(key)
      expect(shown.replaceAll("[redacted]", "").length).toBeLessThanOrEqual(chunks.join("").length)
    }),
    { numRuns: rounds(2_000) },
  )
})
