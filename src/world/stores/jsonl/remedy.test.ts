import { expect, test } from "vitest"
import { remedy } from "./remedy.ts"

test("a damaged log comes with what can be done about it", () => {
  const rest =
    "mends what can be mended and keeps the log as it is now beside it; `cadre log r` shows what can be read."
  expect([remedy("r"), remedy("r", "named"), remedy("r", "unnamed"), remedy("r", "start-lost")]).toEqual([
    `\`cadre resume r --repair\` ${rest}`,
    `\`cadre resume r --repair\` ${rest}`,
    `\`cadre resume r --repair --force\` ${rest}`,
    "It cannot be resumed; `cadre log r` shows what is left of it.",
  ])
})
