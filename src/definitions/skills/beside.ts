import fs from "node:fs"
import path from "node:path"
import { hash } from "../../ground/crypto.ts"
import { messageOf } from "../../ground/errors.ts"
import { isReallyInside } from "../formats/source.ts"

/** One of the other files in the folder of a skill. */
export interface BesideFile {
  readonly path: string
  readonly bytes: Buffer
  readonly hash: string
}

/** More of them, or more bytes in all, are not looked at: a skill is some pages and scripts. */
const mostFiles = 1_000
const mostBytes = 32 * 1024 * 1024

/**
 * Every other file in the folder of a skill, as it is now; or why not all of them can be known. A link counts as what it
 * leads to, as long as that is a file inside of the boundary; `.git` is git's own, and no repository can bring one along.
 */
export function filesBeside(
  skill: string,
  boundary: string | undefined,
): { readonly files: readonly BesideFile[] } | { readonly problem: string } {
  const folder = path.dirname(skill)
  const files: BesideFile[] = []
  let bytes = 0
  try {
    for (const found of walk(folder, boundary)) {
      if (found === skill) continue
      const content = readFile(found, mostBytes - bytes)
      if (content === undefined) continue
      bytes += content.length
      files.push({ path: found, bytes: content, hash: hash("sha256", content, "hex") })
      if (files.length > mostFiles) throw new Unknowable(`there are more than ${mostFiles} of them`)
    }
    return { files }
  } catch (error) {
    const why = error instanceof Unknowable ? error.message : messageOf(error)
    return { problem: `the files beside it cannot be compared with what was trusted: ${why}` }
  }
}

class Unknowable extends Error {}

/** In the order of their names. */
function* walk(folder: string, boundary: string | undefined): Generator<string> {
  const entries = fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const place = path.join(folder, entry.name)
    if (entry.name === ".git") continue
    if (entry.isDirectory()) yield* walk(place, boundary)
    else if (entry.isFile()) yield place
    else if (!entry.isSymbolicLink()) throw new Unknowable(`${place} is no regular file`)
    else if (linkedFile(place, boundary)) yield place
  }
}

/** A link to nothing holds nothing. */
function linkedFile(place: string, boundary: string | undefined): boolean {
  const stats = fs.statSync(place, { throwIfNoEntry: false })
  if (!stats) return false
  if (!isReallyInside(place, boundary))
    throw new Unknowable(`${place} is a link that leads out of the project`)
  if (!stats.isFile()) throw new Unknowable(`${place} is a link to what is no file`)
  return true
}

/** Undefined where it went meanwhile. What is looked at and what is read is the same open file, and never a pipe. */
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
    if (!stats.isFile()) throw new Unknowable(`${file} is no regular file`)
    if (stats.size > most) throw new Unknowable(`they have more than ${mostBytes} bytes`)
    const content = Buffer.alloc(stats.size)
    return content.subarray(0, fs.readSync(descriptor, content, 0, stats.size, 0))
  } finally {
    fs.closeSync(descriptor)
  }
}
