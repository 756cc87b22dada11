import fs from "node:fs"

/** The names in a folder; none if the folder does not exist. */
export function listNames(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder)
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return []
    throw error
  }
}
