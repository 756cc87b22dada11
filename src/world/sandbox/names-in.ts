import { readdirSync } from "node:fs"

/** The names in a folder; none where the folder is missing or unreadable. */
export function listFolderNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
