import fs from "node:fs"
import { makeRandomBytes } from "../crypto.ts"
import { isAlive } from "../process-state.ts"
import type { Folder } from "./folder.ts"

/** The names of temporary files that this process is writing. */
const pending = new Set<string>()

/** Gives `work` the name of a temporary file, and forgets the name afterwards. */
export async function withTemporary(work: (name: string) => Promise<void>): Promise<void> {
  const name = `.cadre-write-${process.pid}-${makeRandomBytes(8).toString("hex")}.tmp`
  pending.add(name)
  try {
    await work(name)
  } finally {
    pending.delete(name)
  }
}

const temporaryPattern = /^\.cadre-write-(\d{1,10})-[0-9a-f]{16}\.tmp$/

/** Removes the temporary files of processes that died while they were writing. */
export function removeLeftovers(folder: Folder): void {
  for (const name of fs.readdirSync(folder.at("."))) {
    const owner =
      temporaryPattern.exec(name)?.[1] ?? (lockPattern.test(name) ? readLockOwner(folder, name) : undefined)
    if (owner === undefined || pending.has(name)) continue
    const stats = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (stats && stats.isFile() !== lockPattern.test(name) && isLeftover(Number(owner), stats.mtimeMs))
      fs.rmSync(folder.at(name), { force: true })
  }
}

const lockPattern = /^\.cadre-lock-[0-9a-f]{16}\.tmp$/

/** The process that a lock belongs to, by its content. */
export function readLockOwner(folder: Folder, lock: string): string | undefined {
  try {
    return /^\d{1,10}$/.exec(fs.readlinkSync(folder.at(lock)))?.[0]
  } catch {
    return undefined
  }
}

const anHour = 3_600_000

export function isLeftover(owner: number, changedAt: number): boolean {
  if (Date.now() - changedAt > anHour) return true
  // In a container every process may have the same number. Then the file is ours only if it is younger than
  // this process.
  if (owner === process.pid) return changedAt < Date.now() - process.uptime() * 1000
  return !isAlive(owner)
}
