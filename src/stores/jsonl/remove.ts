import fs from "node:fs"
import path from "node:path"
import { randomBytes } from "../../crypto.ts"
import type { Refusal } from "../../run/store.ts"
import { checkOwner, linkRemoval } from "./claim-tree.ts"
import { logFile, namesIn, newestEpoch, readHeader } from "./folder.ts"
import type { Place } from "./place.ts"

/** Takes the tree over with an empty log, so that nobody can claim it meanwhile, and then deletes its folder. */
export async function removeTree(place: Place): Promise<"removed" | Refusal> {
  const epoch = newestEpoch(place.folder)
  if (epoch === 0) return { type: "unknown-run" }
  const descriptor = fs.openSync(logFile(place.folder, epoch), "r")
  try {
    const read = readHeader(place.disk, descriptor, place.root)
    const begun = read.type === "header" && read.header.removed === true
    const refusal = begun ? undefined : await checkOwner(place, descriptor, read, {})
    if (refusal !== undefined) return refusal
    if (!begun && !(await linkRemoval(place, epoch))) return { type: "owned", by: "another process" }
  } finally {
    fs.closeSync(descriptor)
  }
  const directory = path.dirname(place.folder)
  fs.renameSync(place.folder, path.join(directory, `${removedPrefix}${randomBytes(6).toString("hex")}`))
  for (const name of namesIn(directory))
    if (name.startsWith(removedPrefix))
      fs.rmSync(path.join(directory, name), { recursive: true, force: true })
  return "removed"
}

const removedPrefix = ".removed."
