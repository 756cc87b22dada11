import { accessSync, constants } from "node:fs"

/**
 * Finds a program in the system's folders. PATH is not searched: an agent could put a program of that name into
 * the first of its folders.
 */
export function findSystemProgram(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find(isRunnable)
}

const folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/bin"]

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
