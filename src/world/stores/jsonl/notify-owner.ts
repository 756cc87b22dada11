import type { Disk } from "./disk.ts"
import { isReleased, readHeader, readNewest } from "./folder.ts"
import { checkLiveness } from "./liveness.ts"
import type { TreePlace } from "./place.ts"

/** Tells the owner of a tree, if there is one, that a letter has arrived. */
export async function notifyOwner(disk: Disk, place: TreePlace): Promise<"delivered" | "waiting"> {
  const owner = readNewest(place.folder, (descriptor) => {
    const header = readHeader(disk, descriptor, place.root)
    if (header.type === "damaged" || header.header.owner === null) return undefined
    return isReleased(disk, descriptor, header.header.owner) ? undefined : header.header.owner
  })
  if (owner === undefined) return "waiting"
  return (await checkLiveness(owner, "letter")).type === "alive" ? "delivered" : "waiting"
}
