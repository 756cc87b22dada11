import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { isAlive } from "../process-state.ts"

/** A folder that only this user can read, until it is removed. */
export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/** Makes a folder in the temporary folder, and removes those with this prefix whose processes were killed. */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  const place = fs.realpathSync(os.tmpdir())
  sweep(place, prefix)
  const folder = fs.mkdtempSync(path.join(place, `${prefix}${process.pid}-`))
  const timer = setInterval(() => keep(folder), anHour / 6)
  timer.unref()
  return {
    path: folder,
    remove() {
      clearInterval(timer)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

const anHour = 3_600_000

/** A process of another container may only look dead, so a folder goes only after an hour without a sign of use. */
function sweep(place: string, prefix: string): void {
  for (const name of fs.readdirSync(place)) {
    const host = name.startsWith(prefix) ? /^([0-9]{1,10})-/.exec(name.slice(prefix.length))?.[1] : undefined
    if (host === undefined || isAlive(Number(host))) continue
    const folder = path.join(place, name)
    try {
      const stats = fs.lstatSync(folder)
      if (stats.isDirectory() && Date.now() - stats.mtimeMs > anHour)
        fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // The folder belongs to another user, or is already gone.
    }
  }
}

/** Another process may have removed it, and then there is nothing to keep. */
function keep(folder: string): void {
  const now = new Date()
  fs.utimes(folder, now, now, () => {})
}
