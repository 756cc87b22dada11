/**
 * Runs hostile scripts in both engines, with hostile inputs and answers. Each must end with a value or a code; nothing
 * of the host may get out; and the next script must find nothing of it.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { fuzzScripts } from "./script-fuzz/fuzz.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a number above 0")
if (!Number.isInteger(seed)) throw new Error("--seed takes a number")
let wrong = 0
for (const language of ["python", "javascript"] as const) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-script-fuzz-"))
  const { ends, faults } = await fuzzScripts(language, { folder, rounds, seed })
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  wrong += faults.length
  console.log(JSON.stringify({ language, rounds, seed, ends, faults: faults.length }))
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exitCode = wrong === 0 ? 0 : 1
