import { readdirSync } from "node:fs"

/** What lies in a folder; nothing where there is none, or where it may not be looked at. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
