import fs from "node:fs"

/** What is in a folder. One that cannot be looked at has nothing in it for a program, either. */
export function entriesOf(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Also where a link leads to one. */
export function isFolder(place: string): boolean {
  try {
    return fs.statSync(place).isDirectory()
  } catch {
    return false
  }
}
