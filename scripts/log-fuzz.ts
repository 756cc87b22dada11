/**
 * Changes every single bit of three logs, and cuts them at every byte, one at a time. What cannot be told from the log
 * that was before must be mended, readable or refused with a reason; and whatever a repair leaves is resumed, once for
 * each way to be damaged, to see that nothing opaque happens twice.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { fuzzLog, type LogName, logNames } from "./log-fuzz/fuzz.ts"

const { values } = parseArgs({
  options: { every: { type: "string", default: "1" }, log: { type: "string" } },
})
const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) throw new Error("--every takes a number above 0")
const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-log-fuzz-"))
let wrong = 0
for (const name of logNames) {
  if (values.log !== undefined && values.log !== name) continue
  const begun = performance.now()
  const { faults, ...counts } = await fuzzLog(name as LogName, fs.mkdtempSync(path.join(base, "log-")), every)
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  wrong += faults.length
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(JSON.stringify({ log: name, every, ...counts, faults: faults.length, seconds }))
}
fs.rmSync(base, { recursive: true, force: true })
process.exitCode = wrong === 0 ? 0 : 1
