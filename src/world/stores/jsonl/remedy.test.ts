import { expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { describeRemedy } from "./remedy.ts"

test("a damaged log comes with what can be done about it", () => {
  const rest = ["repairs", "r`"]
  expect([
    describeRemedy("r"),
    describeRemedy("r", "named"),
    describeRemedy("r", "unnamed"),
    describeRemedy("r", "start-lost"),
  ]).toEqual([
    naming(`\`cadre resume r --repair\` `, ...rest),
    naming(`\`cadre resume r --repair\` `, ...rest),
    naming(`\`cadre resume r --repair --force\` `, ...rest),
    expect.stringMatching(/resumed.*r`/),
  ])
})
