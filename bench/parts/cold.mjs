// From the start of a process to one agent, next to starting Node alone: the median of ten pairs.

import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"
import { timeNode } from "../lib/time-node.mjs"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const rounds = 10

export async function cold({ tell }) {
  const ratios = []
  const env = { ...process.env, NODE_ENV: "production" }
  for (let round = 1; round <= rounds; round++) {
    const floor = timeNode(["-e", "0"], { env })
    ratios.push(timeNode([place("../lib/cold.mjs"), place("../adapter.mjs")], { env }) / floor)
    tell(`cold, round ${round} of ${rounds}: ${ratios.at(-1).toFixed(2)}`)
  }
  return [["cold start, x node -e 0", summary(ratios), 1.8]]
}
