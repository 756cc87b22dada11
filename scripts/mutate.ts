/**
 * `npm run mutate`: puts faults into the run core, authority, shell, sandbox, stores and wire clients, one at a time, and
 * counts how many the tests find. `--seed S`, `--count N`, `--area NAME`, `--json`, `--keep FILE` (goes on with what is
 * found there), `--minutes M` (starts nothing new after them), `--workers W`, `--list` (draws and runs nothing).
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { areas } from "./mutate/areas.ts"
import { findFaults } from "./mutate/find-faults.ts"
import { isDone, report } from "./mutate/report.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "300" },
    area: { type: "string" },
    json: { type: "boolean", default: false },
    keep: { type: "string" },
    minutes: { type: "string" },
    workers: { type: "string", default: "2" },
    list: { type: "boolean", default: false },
  },
})
const root = path.resolve(import.meta.dirname, "..")
const folders = values.area === undefined ? areas : { [values.area]: areas[values.area] ?? unknownArea() }
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mutate-"))
try {
  const results = await findFaults({
    root,
    folders,
    folder,
    count: Number(values.count),
    seed: Number(values.seed),
    workers: Number(values.workers),
    swept: path.join(root, "node_modules/.cache/mutate/swept.json"),
    until:
      values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000,
    ...(values.keep !== undefined && { keep: path.resolve(values.keep) }),
    isDrawnOnly: values.list,
  })
  console.log(values.json ? JSON.stringify(results) : report(results, Number(values.seed)))
  process.exitCode = values.list || isDone(results) ? 0 : 2
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function unknownArea(): never {
  throw new Error(`There is no area ${JSON.stringify(values.area)}. Known: ${Object.keys(areas).join(", ")}.`)
}
