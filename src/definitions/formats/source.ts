import { isAscii, isUtf8 } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from "node:fs"
import { hash } from "../../ground/crypto.ts"
import { messageOf } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import type { Problem } from "./problem.ts"
import type { Source } from "./read-agent.ts"

/** A definition is some pages of text: what is larger is something else. */
const maxFileSize = 1024 * 1024

export type FileReading =
  | { readonly type: "source"; readonly source: Required<Source>; readonly stats: Stats }
  | { readonly type: "refused"; readonly problem: Problem }

/**
 * Reads a definition file: what is looked at and what is read is the same open file, and never a pipe or a device.
 * Where a boundary is given, none that lies outside of it.
 */
export function readSourceFile(file: string, boundary?: string): FileReading {
  if (!isReallyInside(file, boundary)) return refused("link-outside", leadsOut)
  let descriptor: number
  try {
    // A pipe without a writer would otherwise be waited for.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return refused("file-unreadable", `The file cannot be read: ${messageOf(error)}.`)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile())
      return refused(
        "file-special",
        "This is no regular file but a folder, pipe, socket or device; it is not read.",
      )
    if (stats.size > maxFileSize)
      return refused(
        "file-too-large",
        `The file has ${stats.size} bytes; a definition has at most ${maxFileSize}. It is not read.`,
      )
    return decode(file, readAll(descriptor, stats.size), stats)
  } catch (error) {
    return refused("file-unreadable", `The file cannot be read: ${messageOf(error)}.`)
  } finally {
    closeSync(descriptor)
  }
}

export const leadsOut =
  "This leads out of the project; it is not followed, because whoever wrote the repository could have it read anything."

/** Whether a path really lies in a folder, wherever its name seems to put it. What is not there yet does no harm. */
export function isReallyInside(file: string, folder: string | undefined): boolean {
  if (folder === undefined) return true
  try {
    return isInside(realpathSync(folder), realpathSync(file))
  } catch {
    return true
  }
}

const chunk = Buffer.allocUnsafe(64 * 1024)

/** A file may grow while it is read; what comes after the size it had is left for the next look. */
function readAll(descriptor: number, size: number): Buffer {
  const buffer = size <= chunk.length ? chunk : Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = readSync(descriptor, buffer, length, size - length, length)
    if (count === 0) break
    length += count
  }
  return buffer.subarray(0, length)
}

function decode(file: string, bytes: Buffer, stats: Stats): FileReading {
  // Most files are ASCII, whose bytes are the characters: they are copied and not decoded.
  const encoding = isAscii(bytes) ? "latin1" : "utf8"
  if (encoding === "utf8" && !isUtf8(bytes)) return refused("text-not-utf8", wrongEncoding(bytes))
  return {
    type: "source",
    source: { path: file, text: bytes.toString(encoding), hash: hash("sha256", bytes, "hex") },
    stats,
  }
}

function wrongEncoding(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex")
  const kind = mark === "fffe" || mark === "feff" ? "UTF-16" : "not UTF-8"
  return `The file is ${kind}, and definitions are read as UTF-8 only. Save it again as UTF-8.`
}

const refused = (code: string, message: string): FileReading => ({
  type: "refused",
  problem: { code, severity: "error", message, at: { type: "start" } },
})
