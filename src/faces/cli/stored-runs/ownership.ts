import path from "node:path"
import { realDisk } from "../../../world/stores/jsonl/disk.ts"
import { isReleased, readHeader, readNewest } from "../../../world/stores/jsonl/folder.ts"
import { checkLiveness } from "../../../world/stores/jsonl/liveness.ts"

/** Finds out whether a process drives a tree now. This only reads, because a claim would change the log. */
export async function readOwnership(
  runsFolder: string,
  root: string,
): Promise<"owned" | "nobody" | "unknown"> {
  const owner = readNewest(path.join(runsFolder, root), (descriptor) => {
    const read = readHeader(realDisk, descriptor, root)
    if (read.type === "damaged") return undefined
    const { owner } = read.header
    return owner === null || isReleased(realDisk, descriptor, owner) ? undefined : owner
  })
  if (owner === undefined) return "nobody"
  const { type } = await checkLiveness(owner)
  return type === "alive" ? "owned" : type === "dead" ? "nobody" : "unknown"
}
