// Reads and reloads 10,000 definition files, next to what reading and looking at the files alone takes.
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeDefinitions } from "../lib/definition-files.mjs"
import { summary } from "../lib/statistics.mjs"

const count = 10_000

export async function definitions({ rounds, tell }) {
  const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
  try {
    writeDefinitions(folder, count)
    // A file that changed a moment ago is read again, because a second change could hide in the same moment.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const cold = []
    const warm = []
    for (let round = 1; round <= rounds; round++) {
      const read = await load("read", folder)
      const stat = await load("stat", folder)
      const ours = await load("ours", folder)
      cold.push(ours.cold / read.cold)
      warm.push(ours.warm / stat.warm)
      tell(
        `definitions, round ${round} of ${rounds}: cold ${cold.at(-1).toFixed(2)}, warm ${warm.at(-1).toFixed(2)}`,
      )
    }
    return [
      ["10,000 definitions, cold, x readFileSync", summary(cold), 4],
      ["10,000 definitions, warm reload, x readdir and stat", summary(warm), 1.5],
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(loader, folder) {
  const worker = fork(
    fileURLToPath(new URL("../lib/load-worker.mjs", import.meta.url)),
    [loader, folder, String(count)],
    { execArgv: ["--expose-gc"] },
  )
  let times
  worker.on("message", (message) => {
    times = message
  })
  await once(worker, "close")
  if (!times) throw new Error(`The loader "${loader}" failed.`)
  return times
}
