import fs from "node:fs"
import path from "node:path"
import { makeRandomBytes } from "../../ground/crypto.ts"
import type { RecordedResult, ResultCache } from "../../run/ports/recorded-result.ts"
import { digestInputs } from "./digest.ts"

/** The time for which a result can be used, in milliseconds. */
const longestAge = 30 * 24 * 60 * 60 * 1_000
const mostResults = 1_000
/** Bytes of one result; larger ones are not kept. */
const largestResult = 1024 * 1024
/** The number of results that are stored between two sweeps. */
const sweepEvery = 50

/** A cache of results in a folder. A file that cannot be read counts as missing. */
export function openResultsFolder(folder: string): ResultCache {
  let stored = 0
  const fileOf = (key: string) => path.join(folder, `${key}.json`)
  return {
    digest: digestInputs,

    async get(key) {
      const entry = isKey(key) ? read(fileOf(key)) : undefined
      return entry?.key === key && Date.now() - entry.result.at < longestAge ? entry.result : undefined
    },

    async put(key, result) {
      const text = JSON.stringify({ key, result })
      if (!isKey(key) || Buffer.byteLength(text) > largestResult) return
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const temporary = path.join(folder, `.${key}.${makeRandomBytes(6).toString("hex")}`)
      try {
        fs.writeFileSync(temporary, text, { mode: 0o600, flag: "wx" })
        fs.renameSync(temporary, fileOf(key))
      } finally {
        fs.rmSync(temporary, { force: true })
      }
      if (stored++ % sweepEvery === 0) sweep(folder)
    },
  }
}

/** The runs whose results may still answer other runs. */
export function listRecordedRuns(folder: string): ReadonlySet<string> {
  const runs = new Set<string>()
  for (const name of namesIn(folder)) {
    const entry = isKey(name.replace(/\.json$/, "")) ? read(path.join(folder, name)) : undefined
    if (entry && Date.now() - entry.result.at < longestAge) runs.add(entry.result.run)
  }
  return runs
}

const namesIn = (folder: string): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])

const isKey = (key: string): boolean => /^[0-9a-f]{64}$/.test(key)

function read(file: string): { key: string; result: RecordedResult } | undefined {
  try {
    const { key, result } = JSON.parse(fs.readFileSync(file, "utf8"))
    const texts = [key, result.run, result.output]
    return texts.every((text) => typeof text === "string") && Number.isFinite(result.at)
      ? { key, result }
      : undefined
  } catch {
    return undefined
  }
}

/** Removes old results, and files of processes that died while they wrote. */
function sweep(folder: string): void {
  const files = fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name))
    .flatMap((file) => {
      const stats = fs.statSync(file, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ file, at: stats.mtimeMs }] : []
    })
    .sort((left, right) => right.at - left.at)
  for (const [index, { file, at }] of files.entries())
    if (index >= mostResults || Date.now() - at > longestAge) fs.rmSync(file, { force: true })
}
