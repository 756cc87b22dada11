import type { Disk } from "./disk.ts"
import { isReleased, lookAtNewest, readHeader } from "./folder.ts"
import { livenessOf } from "./liveness.ts"
import type { Place } from "./place.ts"

/** Tells whoever owns a tree that there is a letter for it, if anybody does. */
export async function notifyOwner(disk: Disk, place: Place): Promise<"delivered" | "waiting"> {
  const owner = lookAtNewest(place.folder, (descriptor) => {
    const read = readHeader(disk, descriptor, place.root)
    if (read.type === "damaged" || read.header.owner === null) return undefined
    return isReleased(disk, descriptor, read.header.owner) ? undefined : read.header.owner
  })
  if (owner === undefined) return "waiting"
  return (await livenessOf(owner, "letter")).type === "alive" ? "delivered" : "waiting"
}
