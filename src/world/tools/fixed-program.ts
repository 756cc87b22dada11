import { accessSync, constants } from "node:fs"

/** A program where systems put it. PATH is not asked: it may begin with a folder that an agent can write. */
export function fixedProgram(name: string): string | undefined {
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
