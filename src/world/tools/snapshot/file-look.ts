import fs, { type BigIntStats } from "node:fs"
import type { FileContent, SeenFile, UnreadFile } from "../../../agent/file-change.ts"
import type { MayRead } from "./view.ts"

/** A file at one moment. */
export interface FileLook {
  readonly stats: BigIntStats
  readonly content: FileContent | UnreadFile
}

/** Larger files are not read. */
export const largestFile = 2 ** 20

/** Room for the contents of one view. */
export class Room {
  #files = 5_000
  #bytes = 64 * 2 ** 20

  take(size: number): boolean {
    if (this.#files <= 0 || this.#bytes < size) return false
    this.#files--
    this.#bytes -= size
    return true
  }
}

/** Looks at a file or link. Undefined: there is none. `other`: a folder, a device and the like. */
export function lookAt(path: string, mayRead: MayRead, room: Room): FileLook | "other" | undefined {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats) return undefined
  if (stats.isSymbolicLink())
    return { stats, content: { bytes: fs.readlinkSync(path, "buffer"), mode: "120000" } }
  if (!stats.isFile()) return "other"
  const mode = (stats.mode & 0o100n) === 0n ? "100644" : "100755"
  if (!mayRead(path)) return { stats, content: { without: "secret", mode } }
  if (stats.size > largestFile) return { stats, content: { without: "size", mode } }
  if (!room.take(Number(stats.size))) return { stats, content: { without: "unknown", mode } }
  const bytes = readFile(path)
  return { stats, content: bytes ? { bytes, mode } : { without: "unknown", mode } }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

/** Undefined: the file cannot be read, or is a link by now. */
function readFile(path: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    if (!fs.fstatSync(descriptor).isFile()) return undefined
    return fs.readFileSync(descriptor)
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined
    throw error
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** True if nothing says that the file changed between two looks. */
export function isSameLook(one: FileLook | undefined, other: FileLook | undefined): boolean {
  if (!one || !other) return one === other
  if (one.content.mode !== other.content.mode) return false
  if ("bytes" in one.content && "bytes" in other.content)
    return Buffer.compare(one.content.bytes, other.content.bytes) === 0
  return hasSameStats(one.stats, other.stats)
}

export const hasSameStats = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino &&
  one.dev === other.dev &&
  one.size === other.size &&
  one.mtimeNs === other.mtimeNs &&
  one.ctimeNs === other.ctimeNs

export const makeSeenFile = (
  path: string,
  before: SeenFile["before"] | undefined,
  after: SeenFile["after"] | undefined,
): SeenFile => ({ path, ...(before && { before }), ...(after && { after }) })
