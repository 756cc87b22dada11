import fs from "node:fs"
import path from "node:path"
import { hash } from "../../ground/crypto.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isReallyInside } from "../formats/source.ts"

/** A file in the folder of a skill, besides its SKILL.md. */
export interface SkillFile {
  readonly path: string
  readonly bytes: Buffer
  readonly hash: string
}

/** The most files and bytes of a skill, which consists of a few pages and scripts. */
const mostFiles = 1_000
const mostBytes = 32 * 1024 * 1024

/**
 * Reads every other file in the folder of a skill, or says why that is not possible. A link counts as its target, which
 * must be a file inside the boundary. `.git` is skipped, because no repository can contain one.
 */
export function readSkillFiles(
  skill: string,
  boundary: string | undefined,
): { readonly files: readonly SkillFile[] } | { readonly problem: string } {
  const folder = path.dirname(skill)
  const files: SkillFile[] = []
  let bytes = 0
  try {
    for (const file of walk(folder, boundary)) {
      if (file === skill) continue
      const content = readFile(file, mostBytes - bytes)
      if (content === undefined) continue
      bytes += content.length
      files.push({ path: file, bytes: content, hash: hash("sha256", content, "hex") })
      if (files.length > mostFiles) throw new Unknowable(`there are more than ${mostFiles} files`)
    }
    return { files }
  } catch (error) {
    const why = error instanceof Unknowable ? error.message : describeThrown(error)
    return { problem: `the other files in its folder cannot be compared with the trusted ones: ${why}` }
  }
}

class Unknowable extends Error {}

/** All files below a folder, in the order of their names. */
function* walk(folder: string, boundary: string | undefined): Generator<string> {
  const entries = fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const place = path.join(folder, entry.name)
    if (entry.name === ".git") continue
    if (entry.isDirectory()) yield* walk(place, boundary)
    else if (entry.isFile()) yield place
    else if (!entry.isSymbolicLink()) throw new Unknowable(`${place} is not a regular file`)
    else if (linkedFile(place, boundary)) yield place
  }
}

/** True if a link leads to a file. A broken link is skipped. */
function linkedFile(place: string, boundary: string | undefined): boolean {
  const stats = fs.statSync(place, { throwIfNoEntry: false })
  if (!stats) return false
  if (!isReallyInside(place, boundary))
    throw new Unknowable(`${place} is a link that leads out of the project`)
  if (!stats.isFile()) throw new Unknowable(`${place} is a link to something that is not a file`)
  return true
}

/** Reads a file, but never a pipe. The same open file is examined and read. Undefined: the file is gone. */
function readFile(file: string, most: number): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  try {
    const stats = fs.fstatSync(descriptor)
    if (!stats.isFile()) throw new Unknowable(`${file} is not a regular file`)
    if (stats.size > most) throw new Unknowable(`the files have more than ${mostBytes} bytes`)
    const content = Buffer.alloc(stats.size)
    return content.subarray(0, fs.readSync(descriptor, content, 0, stats.size, 0))
  } finally {
    fs.closeSync(descriptor)
  }
}
