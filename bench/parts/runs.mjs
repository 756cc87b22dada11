// What a list of runs takes with 10,000 ended and 20 open ones in the store, next to starting Node alone.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"
import { storeRuns } from "../lib/stored-runs.mjs"
import { timeNode } from "../lib/time-node.mjs"

const cli = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url))
const counts = { ended: 10_000, open: 20 }
const queries = {
  limit: ["--limit", "20"],
  open: ["--status", "open"],
  agent: ["--limit", "20", "--agent", "worker"],
}
const rounds = 9

export async function runs({ tell }) {
  const state = mkdtempSync(join(tmpdir(), "cadre-runs-"))
  const options = { env: { ...process.env, CADRE_STATE_DIR: state } }
  try {
    tell("runs: 10,000 logs are written")
    await storeRuns(join(state, "runs"), counts)
    // The first list reads every log and writes the index.
    for (const words of Object.values(queries)) requireTwenty(words, options)
    const ratios = { limit: [], open: [], agent: [] }
    for (let round = 1; round <= rounds; round++) {
      const floor = timeNode(["-e", "0"], options)
      for (const [name, words] of Object.entries(queries))
        ratios[name].push(timeNode([cli, "runs", ...words, "--json"], options) / floor)
      tell(
        `runs, round ${round} of ${rounds}: ${ratios.limit.at(-1).toFixed(2)}, ${ratios.open.at(-1).toFixed(2)}`,
      )
    }
    for (const words of Object.values(queries)) requireTwenty(words, options)
    return [
      ["cadre runs --limit 20, 10,000 runs, x node -e 0", summary(ratios.limit), 3],
      ["cadre runs --status open, 10,000 runs, x node -e 0", summary(ratios.open), 4],
    ]
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

/** Every query finds twenty runs; a list that finds others is no measurement. */
function requireTwenty(words, options) {
  const { stdout } = spawnSync(process.execPath, [cli, "runs", ...words, "--json"], {
    ...options,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  const { length } = JSON.parse(stdout).runs
  if (length !== 20) throw new Error(`cadre runs ${words.join(" ")} lists ${length} runs in place of 20.`)
}
