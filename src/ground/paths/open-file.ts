import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import { type Anchoring, type Folder, openFolder } from "./folder.ts"
import { PathRefusal, toPathRefusal } from "./refusal.ts"

/** A regular file that is open for reading. The caller must close it. */
export interface OpenFile {
  readonly path: string
  readonly descriptor: number
  readonly stats: BigIntStats
}

/**
 * Opens a regular file below `base`, without following a link. Never waits for a pipe, and never opens a
 * device.
 */
export function openFile(base: string, target: string, anchoring?: Anchoring): OpenFile {
  if (target === base) throw new PathRefusal(`${target} is a folder, not a file. List it with LS.`)
  const folder = openFolder(base, path.dirname(target), "refuse", anchoring)
  try {
    return openFileIn(folder, target)
  } finally {
    folder.close()
  }
}

/** The same in a folder that is open. */
export function openFileIn(folder: Folder, target: string): OpenFile {
  try {
    const file = folder.at(path.basename(target))
    refuseSpecial(target, fs.lstatSync(file, { bigint: true }))
    const descriptor = fs.openSync(file, flags)
    try {
      const stats = fs.fstatSync(descriptor, { bigint: true })
      refuseSpecial(target, stats)
      if (folder.anchoring === "path") {
        folder.verify()
        const now = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
        if (now?.ino !== stats.ino || now.dev !== stats.dev)
          throw new PathRefusal(`${target}: it was replaced while it was being opened. Try again.`)
      }
      return { path: target, descriptor, stats }
    } catch (error) {
      fs.closeSync(descriptor)
      throw error
    }
  } catch (error) {
    throw toPathRefusal(error, target)
  }
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = fs.constants
const flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY

function refuseSpecial(target: string, stats: BigIntStats): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw new PathRefusal(`${target} is a folder, not a file. List it with LS.`)
  throw new PathRefusal(
    `${target} is ${specialKind(stats)}, not a regular file, so it cannot be read or written. Use another path.`,
  )
}

function specialKind(stats: BigIntStats): string {
  if (stats.isFIFO()) return "a pipe"
  if (stats.isSocket()) return "a socket"
  if (stats.isSymbolicLink()) return "now a link"
  return "a device"
}

/** Reads at most `size` bytes from the start, without blocking the process. */
export async function readBytes({ descriptor }: OpenFile, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = await readChunk(descriptor, bytes.subarray(length), length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

/**
 * The same at once. It takes less than a tenth of the processor time for small files, because no other thread is woken.
 */
export function readBytesNow({ descriptor }: OpenFile, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = fs.readSync(descriptor, bytes, length, size - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

export function readChunk(descriptor: number, into: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(descriptor, into, 0, into.length, position, (error, count) =>
      error ? reject(error) : resolve(count),
    )
  })
}
