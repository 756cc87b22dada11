// What a turn costs the core itself late in a run, next to early in a run.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"

export async function core({ tell }) {
  tell("core: five pairs of 200 and 10,000 turns")
  const worker = fork(fileURLToPath(new URL("../lib/core-worker.mjs", import.meta.url)))
  let ratios = []
  worker.on("message", (message) => {
    ratios = message
  })
  await once(worker, "close")
  return [["core per turn at 10,000 turns, x at 200", summary(ratios), 1.3]]
}
