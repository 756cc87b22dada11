import fs from "node:fs"
import path from "node:path"
import { makeRandomBytes } from "../../../ground/crypto.ts"
import { CadreError } from "../../../ground/errors.ts"
import { isRunId } from "../../../run/log/id.ts"
import type { StoreRefusal } from "../../../run/log/store.ts"
import { checkOwner, linkRemoval } from "./claim-tree.ts"
import { hasErrorCode, realDisk } from "./disk.ts"
import { findNewestEpoch, openLog, readHeader, readNewest } from "./folder.ts"
import { listNames } from "./list-names.ts"
import type { TreePlace } from "./place.ts"
import { LogView } from "./view.ts"

/**
 * Takes the tree over with an empty log, so that no process can claim it meanwhile, and then deletes its folder. With
 * `ended` the old log is checked first: a process that claims the tree after that check gets the number before us.
 */
export async function removeTree(
  place: TreePlace,
  options: { readonly ended?: true } = {},
): Promise<"removed" | StoreRefusal> {
  const epoch = findNewestEpoch(place.folder)
  const descriptor = openLog(place.folder, epoch)
  if (descriptor === undefined) return { type: "unknown-run" }
  try {
    const header = readHeader(place.disk, descriptor, place.root)
    const hasBegun = header.type === "header" && header.header.removed === true
    const refusal = hasBegun
      ? undefined
      : ((await checkOwner(place, descriptor, header, {})) ?? (await checkEnded(place, epoch, options)))
    if (refusal !== undefined) return refusal
    if (!hasBegun && !(await linkRemoval(place, epoch))) return { type: "owned", by: "another process" }
  } finally {
    fs.closeSync(descriptor)
  }
  discard(place.folder)
  return "removed"
}

/**
 * Finishes removals that were killed halfway: renamed folders, and trees whose newest log says that they are being
 * removed. `listed` are runs that need no check. Returns the number of finished removals.
 */
export function finishRemovals(directory: string, listed: ReadonlySet<string> = new Set()): number {
  let count = 0
  for (const name of listNames(directory)) {
    const folder = path.join(directory, name)
    if (name.startsWith(removedPrefix)) deleteFolder(folder)
    else if (isRunId(name) && !listed.has(name) && isBeingRemoved(folder, name)) discard(folder)
    else continue
    count++
  }
  return count
}

/** An unreadable log, or one of a newer format, is not treated as being removed. */
function isBeingRemoved(folder: string, root: string): boolean {
  try {
    const header = readNewest(folder, (descriptor) => readHeader(realDisk, descriptor, root))
    return header?.type === "header" && header.header.removed === true
  } catch (error) {
    if (error instanceof CadreError || hasErrorCode(error, "EACCES", "EPERM", "EIO", "EISDIR")) return false
    throw error
  }
}

async function checkEnded(
  place: TreePlace,
  epoch: number,
  { ended }: { readonly ended?: true },
): Promise<StoreRefusal | undefined> {
  if (!ended) return undefined
  const log = await new LogView(place).refresh()
  if (log === undefined || log.epoch !== epoch) return { type: "owned", by: "another process" }
  for (const { run, status } of log.index.heads()) if (status === "open") return { type: "open", run }
  const [damage] = log.index.continuity.damage.values()
  return damage === undefined ? undefined : { type: "damaged", message: `Its log is damaged: ${damage}.` }
}

/** Renames the folder first, so that a half-deleted folder does not look like a run. */
function discard(folder: string): void {
  const removed = path.join(path.dirname(folder), `${removedPrefix}${makeRandomBytes(6).toString("hex")}`)
  try {
    fs.renameSync(folder, removed)
  } catch (error) {
    // Another process finished the same removal.
    if (hasErrorCode(error, "ENOENT")) return
    throw error
  }
  deleteFolder(removed)
}

const deleteFolder = (folder: string): void =>
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

const removedPrefix = ".removed."
