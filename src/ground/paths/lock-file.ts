import fs from "node:fs"
import { setTimeout } from "node:timers/promises"
import { hash } from "../crypto.ts"
import type { Folder } from "./folder.ts"
import { isLeftover, ownerOf } from "./leftovers.ts"

const [pause, longestWait] = [1, 2_000]

/**
 * Does something to a file while no other process of ours does: between a last look at it and the change lies a moment,
 * and what another one wrote in it would be lost. Held for a few file operations only.
 */
export async function whileLocked<Value>(folder: Folder, name: string, work: () => Value): Promise<Value> {
  const lock = `.cadre-lock-${hash("sha256", name, "hex").slice(0, 16)}.tmp`
  const until = Date.now() + longestWait
  while (!take(folder, lock)) {
    if (Date.now() > until || isDead(folder, lock)) fs.rmSync(folder.at(lock), { force: true })
    else await setTimeout(pause)
  }
  try {
    return work()
  } finally {
    fs.rmSync(folder.at(lock), { force: true })
  }
}

/** A link that leads nowhere is made with its owner in it, in one step. Where there are no links, the last look must do. */
function take(folder: Folder, lock: string): boolean {
  try {
    fs.symlinkSync(String(process.pid), folder.at(lock))
    return true
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (code === "EEXIST") return false
    if (["EPERM", "ENOTSUP", "ENOSYS", "EINVAL"].includes(code)) return true
    throw error
  }
}

function isDead(folder: Folder, lock: string): boolean {
  const owner = ownerOf(folder, lock)
  const stats = fs.lstatSync(folder.at(lock), { throwIfNoEntry: false })
  return owner !== undefined && stats !== undefined && isLeftover(Number(owner), stats.mtimeMs)
}
