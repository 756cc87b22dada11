import path from "node:path"
import { realDisk } from "../../../world/stores/jsonl/disk.ts"
import { isReleased, lookAtNewest, readHeader } from "../../../world/stores/jsonl/folder.ts"
import { livenessOf } from "../../../world/stores/jsonl/liveness.ts"

/** Whether somebody drives a tree now. It only looks: a claim would be written down. */
export async function isOwned(runsFolder: string, root: string): Promise<"owned" | "nobody" | "unknown"> {
  const owner = lookAtNewest(path.join(runsFolder, root), (descriptor) => {
    const read = readHeader(realDisk, descriptor, root)
    if (read.type === "damaged") return undefined
    const { owner } = read.header
    return owner === null || isReleased(realDisk, descriptor, owner) ? undefined : owner
  })
  if (owner === undefined) return "nobody"
  const { type } = await livenessOf(owner)
  return type === "alive" ? "owned" : type === "dead" ? "nobody" : "unknown"
}
