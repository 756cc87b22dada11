import fs from "node:fs"
import path from "node:path"

/** The time after which a cache that no look has changed is removed, in milliseconds. */
const longestAge = 30 * 24 * 60 * 60 * 1_000
/** Folders with a cache. The oldest beyond it are removed. */
const mostFiles = 20_000

/** Removes old caches, and files of processes that died while they wrote. */
export function sweepCaches(folder: string, now: number): void {
  const files = fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name))
    .flatMap((file) => {
      const stats = fs.statSync(file, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ file, at: stats.mtimeMs }] : []
    })
    .sort((left, right) => right.at - left.at)
  for (const [index, { file, at }] of files.entries()) {
    const isOld = now - at > (file.endsWith(".tmp") ? anHour : longestAge)
    if (isOld || index >= mostFiles) fs.rmSync(file, { force: true })
  }
}

const anHour = 3_600_000
