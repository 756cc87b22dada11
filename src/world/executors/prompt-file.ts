import { writeFileSync } from "node:fs"
import path from "node:path"
import { makeTemporaryFolder } from "../../ground/paths/temporary-folder.ts"

/** Writes a prompt into a file outside the workspace that only this user can read. */
export function writePromptFile(prompt: string): {
  readonly folder: string
  readonly path: string
  remove(): void
} {
  const { path: folder, remove } = makeTemporaryFolder("cadre-prompt-")
  const file = path.join(folder, "prompt.txt")
  try {
    writeFileSync(file, prompt, { mode: 0o600 })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, path: file, remove }
}
