import { expect, test } from "vitest"
import { describeRemedy } from "./remedy.ts"

test("a damaged log comes with what can be done about it", () => {
  const rest = "repairs it and keeps a copy of the damaged log. `cadre log r` shows the readable events."
  expect([
    describeRemedy("r"),
    describeRemedy("r", "named"),
    describeRemedy("r", "unnamed"),
    describeRemedy("r", "start-lost"),
  ]).toEqual([
    `\`cadre resume r --repair\` ${rest}`,
    `\`cadre resume r --repair\` ${rest}`,
    `\`cadre resume r --repair --force\` ${rest}`,
    "The run cannot be resumed. `cadre log r` shows the readable events.",
  ])
})
