import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { isAlive } from "../../ground/process-state.ts"

/** Writes a prompt into a file outside the workspace that only this user can read. */
export function writePromptFile(prompt: string): {
  readonly folder: string
  readonly path: string
  remove(): void
} {
  sweep()
  const folder = mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const file = path.join(folder, "prompt.txt")
  try {
    writeFileSync(file, prompt, { mode: 0o600 })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, path: file, remove }
}

const prefix = "cadre-prompt-"

/** Removes prompts of killed processes after one hour. A process of another container may only look dead. */
function sweep(): void {
  for (const name of readdirSync(os.tmpdir())) {
    const host = /^cadre-prompt-([0-9]+)-/.exec(name)?.[1]
    if (host === undefined || isAlive(Number(host))) continue
    const folder = path.join(os.tmpdir(), name)
    try {
      if (Date.now() - statSync(folder).mtimeMs > 3_600_000) rmSync(folder, { recursive: true, force: true })
    } catch {
      // The folder belongs to another user, or is already gone.
    }
  }
}
