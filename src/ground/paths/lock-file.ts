import fs from "node:fs"
import { setTimeout } from "node:timers/promises"
import { hash } from "../crypto.ts"
import type { Folder } from "./folder.ts"
import { isLeftover, readLockOwner } from "./leftovers.ts"

const [pause, longestWait] = [1, 2_000]

/**
 * Works on a file while no other process of ours does. Otherwise, a write between the last check and the
 * change would be lost. Held for a few file operations only.
 */
export async function workUnderLock<Value>(folder: Folder, name: string, work: () => Value): Promise<Value> {
  const release = await lockFile(folder, name, longestWait)
  try {
    return work()
  } finally {
    release()
  }
}

/**
 * Locks a file against other processes of ours, and returns the function that releases it. The lock of a dead process is
 * taken over at once, any other after `longest` milliseconds.
 */
export async function lockFile(folder: Folder, name: string, longest: number): Promise<() => void> {
  const lock = `.cadre-lock-${hash("sha256", name, "hex").slice(0, 16)}.tmp`
  const until = Date.now() + longest
  while (!take(folder, lock)) {
    if (Date.now() > until || isDead(folder, lock)) fs.rmSync(folder.at(lock), { force: true })
    else await setTimeout(pause)
  }
  return () => fs.rmSync(folder.at(lock), { force: true })
}

/**
 * Creates a dangling link with its owner as the target, in one step. Without links, the check just before
 * must do.
 */
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
  const owner = readLockOwner(folder, lock)
  const stats = fs.lstatSync(folder.at(lock), { throwIfNoEntry: false })
  return owner !== undefined && stats !== undefined && isLeftover(Number(owner), stats.mtimeMs)
}
