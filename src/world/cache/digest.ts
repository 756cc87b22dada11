import fs from "node:fs"
import { createHash, hash } from "../../ground/crypto.ts"
import { resolvePlace } from "../../ground/paths/contain.ts"
import { Glob } from "../../ground/paths/glob.ts"
import { findMatchingFiles } from "../../ground/paths/matching-files.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import type { WalkEnd } from "../../ground/paths/walk.ts"

const mostFiles = 5_000
/** Bytes of all inputs together. */
const mostBytes = 128 * 1024 * 1024

/**
 * A digest of the declared inputs in a folder: their names and contents, and which of them are missing.
 * Throws a Refusal if an input leads out of the folder, or if there is too much to read before every run.
 */
export async function digestInputs(inputs: readonly string[], folder: string): Promise<string> {
  const root = fs.realpathSync.native(folder)
  const whole = createHash("sha256")
  const seen = new Set<string>()
  const remaining = { bytes: mostBytes }
  const add = async (name: string) => {
    if (seen.has(name)) return
    if (seen.add(name).size > mostFiles)
      throw new PathRefusal(`its inputs are more than ${mostFiles} files. List fewer files.`)
    whole.update(JSON.stringify([name, await contentOf(root, name, remaining)]))
  }
  for (const input of inputs) {
    const pattern = input.replace(/^(?:\.\/)+/, "")
    whole.update(JSON.stringify([pattern]))
    if (!/[*?[{]/.test(pattern)) await add(pattern)
    else for await (const relative of matching(root, pattern)) await add(relative)
  }
  return whole.digest("hex")
}

/** The hash of a file, or null if the file is missing. */
async function contentOf(root: string, name: string, remaining: { bytes: number }): Promise<string | null> {
  const place = resolvePlace({ root, more: [] }, root, name, "read")
  if (place.type !== "inside") throw new PathRefusal(place.reason)
  if (!fs.existsSync(place.path)) return null
  const file = openFile(place.base, place.path)
  try {
    const size = Number(file.stats.size)
    remaining.bytes -= size
    if (remaining.bytes < 0)
      throw new PathRefusal(`its inputs have more than ${mostBytes} bytes. List fewer files.`)
    return hash("sha256", await readBytes(file, size), "hex")
  } finally {
    fs.closeSync(file.descriptor)
  }
}

/** Files that .gitignore excludes are left out, unless an input names them outright. */
async function* matching(root: string, pattern: string): AsyncGenerator<string> {
  const end: WalkEnd = {}
  yield* findMatchingFiles(root, new Glob(pattern), end)
  if (end.cut !== undefined)
    throw new PathRefusal(
      `the search for files that match ${JSON.stringify(pattern)} is incomplete: ${end.cut}.`,
    )
}
