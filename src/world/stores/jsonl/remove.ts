import fs from "node:fs"
import path from "node:path"
import { randomBytes } from "../../../ground/crypto.ts"
import { CadreError } from "../../../ground/errors.ts"
import { isRunId } from "../../../run/log/id.ts"
import type { Refusal } from "../../../run/log/store.ts"
import { checkOwner, linkRemoval } from "./claim-tree.ts"
import { hasCode, realDisk } from "./disk.ts"
import { lookAtNewest, newestEpoch, openLog, readHeader } from "./folder.ts"
import { namesIn } from "./names-in.ts"
import type { Place } from "./place.ts"
import { View } from "./view.ts"

/**
 * Takes the tree over with an empty log, so that nobody can claim it meanwhile, and then deletes its folder. With `ended`
 * the log that is superseded is looked at first: whoever takes the tree up after that look has the number before us.
 */
export async function removeTree(
  place: Place,
  options: { readonly ended?: true } = {},
): Promise<"removed" | Refusal> {
  const epoch = newestEpoch(place.folder)
  const descriptor = epoch === 0 ? undefined : openLog(place.folder, epoch)
  if (descriptor === undefined) return { type: "unknown-run" }
  try {
    const read = readHeader(place.disk, descriptor, place.root)
    const begun = read.type === "header" && read.header.removed === true
    const refusal = begun
      ? undefined
      : ((await checkOwner(place, descriptor, read, {})) ?? (await unlessEnded(place, epoch, options)))
    if (refusal !== undefined) return refusal
    if (!begun && !(await linkRemoval(place, epoch))) return { type: "owned", by: "another process" }
  } finally {
    fs.closeSync(descriptor)
  }
  discard(place.folder)
  return "removed"
}

/**
 * Finishes removals that were killed in the middle: folders that were renamed, and trees whose newest log says that they
 * go. `listed` are the runs that a list gave, which need no look. How many.
 */
export function finishRemovals(directory: string, listed: ReadonlySet<string> = new Set()): number {
  let count = 0
  for (const name of namesIn(directory)) {
    const folder = path.join(directory, name)
    if (name.startsWith(removedPrefix)) deleteFolder(folder)
    else if (isRunId(name) && !listed.has(name) && isBeingRemoved(folder, name)) discard(folder)
    else continue
    count++
  }
  return count
}

/** A log that cannot be read, or is of a newer format, says no such thing. */
function isBeingRemoved(folder: string, root: string): boolean {
  try {
    const read = lookAtNewest(folder, (descriptor) => readHeader(realDisk, descriptor, root))
    return read?.type === "header" && read.header.removed === true
  } catch (error) {
    if (error instanceof CadreError || hasCode(error, "EACCES", "EPERM", "EIO", "EISDIR")) return false
    throw error
  }
}

async function unlessEnded(
  place: Place,
  epoch: number,
  { ended }: { readonly ended?: true },
): Promise<Refusal | undefined> {
  if (!ended) return undefined
  const seen = await new View(place).refresh()
  if (seen === undefined || seen.epoch !== epoch) return { type: "owned", by: "another process" }
  for (const { run, status } of seen.index.heads()) if (status === "open") return { type: "open", run }
  const [damage] = seen.index.continuity.damage.values()
  return damage === undefined ? undefined : { type: "damaged", message: `Its log is damaged: ${damage}.` }
}

/** Renamed first: a folder that is half deleted must not be taken for a run. */
function discard(folder: string): void {
  const removed = path.join(path.dirname(folder), `${removedPrefix}${randomBytes(6).toString("hex")}`)
  try {
    fs.renameSync(folder, removed)
  } catch (error) {
    // Somebody else went on with the same removal.
    if (hasCode(error, "ENOENT")) return
    throw error
  }
  deleteFolder(removed)
}

const deleteFolder = (folder: string): void =>
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

const removedPrefix = ".removed."
