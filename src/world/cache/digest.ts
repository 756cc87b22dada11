import fs from "node:fs"
import { createHash, hash } from "../../ground/crypto.ts"
import { placeOf } from "../../ground/paths/contain.ts"
import { Glob } from "../../ground/paths/glob.ts"
import { matchingFiles } from "../../ground/paths/matching-files.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import type { WalkEnd } from "../../ground/paths/walk.ts"

const mostFiles = 5_000
/** Bytes of all inputs together. */
const mostBytes = 128 * 1024 * 1024

/**
 * One word for what the declared inputs of a folder hold: their names and contents, and which of them are missing. Throws
 * a Refusal where one leads out of the folder, or they are too many to be read before every run.
 */
export async function digestInputs(inputs: readonly string[], folder: string): Promise<string> {
  const root = fs.realpathSync.native(folder)
  const whole = createHash("sha256")
  const seen = new Set<string>()
  const left = { bytes: mostBytes }
  const add = async (shown: string) => {
    if (seen.has(shown)) return
    if (seen.add(shown).size > mostFiles)
      throw new Refusal(`its inputs are more than ${mostFiles} files. Name fewer.`)
    whole.update(JSON.stringify([shown, await contentOf(root, shown, left)]))
  }
  for (const input of inputs) {
    const given = input.replace(/^(?:\.\/)+/, "")
    whole.update(JSON.stringify([given]))
    if (!/[*?[{]/.test(given)) await add(given)
    else for await (const relative of matching(root, given)) await add(relative)
  }
  return whole.digest("hex")
}

/** The hash of a file, or null where there is none. */
async function contentOf(root: string, given: string, left: { bytes: number }): Promise<string | null> {
  const place = placeOf({ root, more: [] }, root, given, "read")
  if (place.type !== "inside") throw new Refusal(place.reason)
  if (!fs.existsSync(place.path)) return null
  const file = openFile(place.base, place.path)
  try {
    const size = Number(file.stats.size)
    left.bytes -= size
    if (left.bytes < 0) throw new Refusal(`its inputs have more than ${mostBytes} bytes. Name fewer.`)
    return hash("sha256", await readBytes(file, size), "hex")
  } finally {
    fs.closeSync(file.descriptor)
  }
}

/** What .gitignore leaves out is left out here: a file that is named outright is not. */
async function* matching(root: string, given: string): AsyncGenerator<string> {
  const end: WalkEnd = {}
  yield* matchingFiles(root, new Glob(given), end)
  if (end.cut !== undefined)
    throw new Refusal(`not all that ${JSON.stringify(given)} may match was found: ${end.cut}.`)
}
