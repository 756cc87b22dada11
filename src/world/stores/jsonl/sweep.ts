import fs from "node:fs"
import path from "node:path"
import { isRunId } from "../../../run/log/id.ts"
import { newestEpoch } from "./folder.ts"
import { isIndexLeftover } from "./head-index.ts"
import { namesIn } from "./names-in.ts"
import { finishRemovals } from "./remove.ts"

/** Whatever is half-done is done within seconds: what is older is of a process that died. */
const longestWork = 24 * 60 * 60 * 1000

/**
 * Removes what killed processes left in a store's folder: half-written files, trees that never began, and at once the
 * trees whose removal had begun. How many.
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
  for (const name of namesIn(directory)) {
    const place = path.join(directory, name)
    const isTree = isRunId(name)
    if (isIndexLeftover(name) && isOld(place)) remove(place)
    if (!isTree) continue
    const [own, blobs] = [filesIn(place), filesIn(path.join(place, "blobs"))]
    // Looked at before anything is removed from it, which makes a folder young again.
    const hasNoLog = newestEpoch(place) === 0 && [place, ...own, ...blobs].every(isOld)
    if (hasNoLog) remove(place)
    else
      for (const file of [...own.filter(isTemporary), ...blobs.filter(isTemporary)])
        if (isOld(file)) remove(file)
  }
  return count
}

const isTemporary = (file: string): boolean =>
  /^(?:temporary\.\d+\.|\.[0-9a-f]{16}$)/.test(path.basename(file))

const filesIn = (folder: string): readonly string[] => namesIn(folder).map((name) => path.join(folder, name))
