import fs from "node:fs"
import path from "node:path"
import { isRunId } from "../../../run/log/id.ts"
import { findNewestEpoch } from "./folder.ts"
import { isIndexLeftover } from "./head-index.ts"
import { listNames } from "./list-names.ts"
import { finishRemovals } from "./remove.ts"

/** All work on a file is done within seconds, so an unfinished file older than this belongs to a dead process. */
const longestWork = 24 * 60 * 60 * 1000

/**
 * Removes remains of killed processes from a store's folder: half-written files, trees that never began, and unfinished
 * removals. Returns their number.
 */
export function sweepStore(directory: string): number {
  const isOld = (file: string) => {
    const stats = fs.lstatSync(file, { throwIfNoEntry: false })
    return stats !== undefined && Date.now() - stats.mtimeMs > longestWork
  }
  let count = finishRemovals(directory)
  const remove = (file: string) => {
    fs.rmSync(file, { recursive: true, force: true })
    count++
  }
  for (const name of listNames(directory)) {
    const place = path.join(directory, name)
    const isTree = isRunId(name)
    if (isIndexLeftover(name) && isOld(place)) remove(place)
    if (!isTree) continue
    const [own, blobs] = [filesIn(place), filesIn(path.join(place, "blobs"))]
    // This is checked before any file is removed, because a removal updates the folder's time.
    const hasNoLog = findNewestEpoch(place) === 0 && [place, ...own, ...blobs].every(isOld)
    if (hasNoLog) remove(place)
    else
      for (const file of [...own.filter(isTemporary), ...blobs.filter(isTemporary)])
        if (isOld(file)) remove(file)
  }
  return count
}

const isTemporary = (file: string): boolean =>
  /^(?:temporary\.\d+\.|\.[0-9a-f]{16}$)/.test(path.basename(file))

const filesIn = (folder: string): readonly string[] =>
  listNames(folder).map((name) => path.join(folder, name))
