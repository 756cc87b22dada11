import { expect, test } from "vitest"
import { findUnknownKeyProblems } from "./known-keys.ts"

test("each key that nobody reads is told with its place, and with the one that must have been meant", () => {
  const say = (key: string) => `\`${key}\` is no key of a loop`
  expect(findUnknownKeyProblems(["until", "mx", "__proto__"], ["until", "max"], say, ["steps", 2])).toEqual([
    {
      path: ["steps", 2, "mx"],
      about: "key",
      message: '`mx` is no key of a loop. Did you mean "max"? Known: max, until.',
    },
    {
      path: ["steps", 2, "__proto__"],
      about: "key",
      message: "`__proto__` is no key of a loop. Known: max, until.",
    },
  ])
  expect(findUnknownKeyProblems(["max"], ["until", "max"], say)).toEqual([])
})
