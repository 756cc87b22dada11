// What one call of a script takes as a tool of a run, next to the same script in a bare Monty.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"

const worker = fileURLToPath(new URL("../lib/script-worker.mjs", import.meta.url))
const warmCalls = 500

const texts = {
  "add.pym": 'from grail import Input\nx: int = Input("x")\nx + 1\n',
  "add.mjs": "/**\n * @input {integer} x\n */\nexport default ({ x }) => x + 1\n",
}

export async function scripts({ rounds, tell }) {
  const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    const ratios = { cold: [], warm: [], javascript: [] }
    for (let round = 1; round <= rounds; round++) {
      ratios.cold.push(cold("cadre", folder, "add.pym") / cold("bare", folder, "add.pym"))
      const bare = call("bare", folder, "add.pym").time
      const python = call("cadre", folder, "add.pym").time
      const javascript = call("cadre", folder, "add.mjs").time
      ratios.warm.push(python / bare)
      ratios.javascript.push(javascript / bare)
      const ms = [bare, python, javascript].map((time) => time.toFixed(2)).join(", ")
      tell(
        `scripts, round ${round} of ${rounds}: cold ${ratios.cold.at(-1).toFixed(2)}, warm ${ms} ms (bare, Python, JavaScript)`,
      )
    }
    return [
      ["one script call, cold, x a bare Monty call", summary(ratios.cold), bars.cold],
      ["one script call, warm, x a bare Monty call", summary(ratios.warm), bars.warm],
      [
        "one call of a JavaScript script, warm, x a bare Monty call",
        summary(ratios.javascript),
        bars.javascript,
      ],
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Cold: both start a process; cadre starts a second one for the script. Warm: a bare call is a function in the same
 * process; cadre's is a call of a model that is judged, sent to another process and recorded.
 */
const bars = { cold: 5, warm: 180, javascript: 600 }

/** The milliseconds of a whole process that makes one call. */
function cold(mode, folder, script) {
  const begun = performance.now()
  look(mode, folder, script, 1)
  return performance.now() - begun
}

const call = (mode, folder, script) => look(mode, folder, script, warmCalls)

function look(mode, folder, script, calls) {
  const words = [worker, mode, join(folder, script), String(calls)]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
  if (status !== 0) throw new Error(`Calls of a script ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}
