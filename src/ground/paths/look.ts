import fs from "node:fs"

/** The entries of a folder. An unreadable folder has none. */
export function listEntries(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** True also for a link to a folder. */
export function isFolder(place: string): boolean {
  try {
    return fs.statSync(place).isDirectory()
  } catch {
    return false
  }
}
