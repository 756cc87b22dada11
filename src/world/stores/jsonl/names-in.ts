import fs from "node:fs"

/** What lies in a folder; nothing where there is none. */
export function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder)
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return []
    throw error
  }
}
