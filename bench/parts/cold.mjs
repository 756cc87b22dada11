// From the start of a process to one agent, next to starting Node alone. The best of ten, because a start can only be
// held up.

import { fileURLToPath } from "node:url"
import { timeNode } from "../lib/time-node.mjs"

const place = (file) => fileURLToPath(new URL(file, import.meta.url))
const rounds = 10

export async function cold({ tell }) {
  const floors = []
  const ours = []
  const env = { ...process.env, NODE_ENV: "production" }
  for (let round = 1; round <= rounds; round++) {
    floors.push(timeNode(["-e", "0"], { env }))
    ours.push(timeNode([place("../lib/cold.mjs"), place("../adapter.mjs")], { env }))
    tell(`cold, round ${round} of ${rounds}: ${(ours.at(-1) / floors.at(-1)).toFixed(2)}`)
  }
  const value = Math.min(...ours) / Math.min(...floors)
  return [["cold start, x node -e 0", { value, range: "" }, 1.8]]
}
