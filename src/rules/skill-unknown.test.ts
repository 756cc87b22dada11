import { expect, test } from "vitest"
import { type Case, linesOf } from "./support.ts"

test.each<[string, Case, readonly string[]]>([
  ["not known which there are", { skills: ["anything"] }, []],
  ["one that is there", { skills: ["commits"], around: { skills: new Set(["commits"]) } }, []],
  [
    "a slip",
    { skills: ["commits", "comits"], around: { skills: new Set(["commits", "reviews"]) } },
    [
      'warning skill-unknown at skills "comits": There is no skill `comits`, so the agent cannot start. Did you mean `commits`?',
    ],
  ],
  [
    "nothing like it",
    { skills: ["deploy"], around: { skills: new Set(["reviews", "commits"]) } },
    [
      'warning skill-unknown at skills "deploy": There is no skill `deploy`, so the agent cannot start. Known: `commits` and `reviews`.',
    ],
  ],
  [
    "none at all",
    { skills: ["deploy"], around: { skills: new Set() } },
    [
      'warning skill-unknown at skills "deploy": There is no skill `deploy`, so the agent cannot start. There are no skills at all.',
    ],
  ],
])("skills: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})
