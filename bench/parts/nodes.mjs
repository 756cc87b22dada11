// What finding code nodes takes: next to only reading and parsing the same files, with ten times the files, and again.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { summary } from "../lib/statistics.mjs"

const worker = fileURLToPath(new URL("../lib/nodes-worker.mjs", import.meta.url))
const sources = fileURLToPath(new URL("../../src", import.meta.url))

export async function nodes({ rounds, tell }) {
  const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
  try {
    const [small, large] = [1_000, 10_000].map((count) => writeTree(join(folder, `${count}`), count))
    const cache = join(folder, "cache")
    look("next", large, cache)
    const ratios = { time: [], memory: [], next: [] }
    for (let round = 1; round <= rounds; round++) {
      const floor = look("parse", large)
      const whole = look("look", large)
      const next = look("next", large, cache)
      if (new Set([floor, whole, next].map(({ count }) => count)).size > 1)
        throw new Error("The looks did not see the same files.")
      ratios.time.push(whole.time / floor.time)
      ratios.memory.push(whole.memory / look("look", small).memory)
      ratios.next.push(next.time / floor.time)
      tell(
        `nodes, round ${round} of ${rounds}: time ${ratios.time.at(-1).toFixed(2)}, memory ${ratios.memory.at(-1).toFixed(2)}, next look ${ratios.next.at(-1).toFixed(2)} (${Math.round(whole.time)} ms, ${Math.round(whole.memory)} MB)`,
      )
    }
    return [
      ["code nodes of 10,000 files, x parsing alone", summary(ratios.time), 1.5],
      ["peak memory of 10,000 files, x 1,000 files", summary(ratios.memory), 1.5],
      ["the next look at 10,000 files, x parsing alone", summary(ratios.next), 0.25],
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Cadre's own sources over and over, a hundred files in each folder. */
function writeTree(folder, count) {
  const texts = readdirSync(sources, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => readFileSync(join(sources, name)))
  for (let index = 0; index < count; index++) {
    const place = join(folder, `part${Math.floor(index / 100)}`)
    if (index % 100 === 0) mkdirSync(place, { recursive: true })
    // The same mix of files in both trees.
    writeFileSync(join(place, `f${index}.ts`), texts[index % Math.min(texts.length, 1_000)])
  }
  return folder
}

function look(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [worker, ...words], { encoding: "utf8" })
  if (status !== 0) throw new Error(`A look ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}
