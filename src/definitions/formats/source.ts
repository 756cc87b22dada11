import { isAscii, isUtf8 } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from "node:fs"
import { hash } from "../../ground/crypto.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import type { Problem } from "./problem.ts"

/** A definition is a few pages of text: a larger file is something else. */
const maxFileSize = 1024 * 1024

/** A text to read, and the path that its findings name. */
export interface DefinitionSource {
  readonly path: string
  readonly text: string
}

/** A file that was read. Most definitions are never used, so the hash is computed when it is first asked for. */
export class SourceFile implements DefinitionSource {
  readonly path: string
  readonly text: string
  #hash: string | undefined

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
  }

  /** The SHA-256 of its bytes. They are valid UTF-8, so the text gives them back exactly. */
  get hash(): string {
    this.#hash ??= hash("sha256", this.text, "hex")
    return this.#hash
  }
}

export type FileReading =
  | { readonly type: "source"; readonly source: SourceFile; readonly stats: Stats }
  | { readonly type: "refused"; readonly problem: Problem }

/**
 * Reads a definition file, but never a pipe or a device. The same open file is examined and read. With a `boundary`,
 * a file outside that folder is refused.
 */
export function readSourceFile(file: string, boundary?: string): FileReading {
  if (!isReallyInside(file, boundary)) return refuse("link-outside", leadsOutMessage)
  let descriptor: number
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return refuse("file-unreadable", `The file cannot be read: ${describeThrown(error)}.`)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile())
      return refuse(
        "file-special",
        "This is a folder, pipe, socket or device, not a regular file. It is not read.",
      )
    if (stats.size > maxFileSize)
      return refuse(
        "file-too-large",
        `The file is not read: it has ${stats.size} bytes, and a definition may have at most ${maxFileSize}.`,
      )
    return decode(file, readAll(descriptor, stats.size), stats)
  } catch (error) {
    return refuse("file-unreadable", `The file cannot be read: ${describeThrown(error)}.`)
  } finally {
    closeSync(descriptor)
  }
}

export const leadsOutMessage =
  "This leads out of the project and is not followed: the author of the repository could point it at any file."

/** True if a path is inside a folder after links are followed. Also true for a missing path, which does no harm. */
export function isReallyInside(file: string, folder: string | undefined): boolean {
  if (folder === undefined) return true
  try {
    return isInside(realpathSync(folder), realpathSync(file))
  } catch {
    return true
  }
}

const chunk = Buffer.allocUnsafe(64 * 1024)

/** Reads at most `size` bytes: a file may grow while it is read, and the next reading gets the rest. */
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
  // Most files are ASCII, whose bytes are copied and need no decoding.
  const encoding = isAscii(bytes) ? "latin1" : "utf8"
  if (encoding === "utf8" && !isUtf8(bytes)) return refuse("text-not-utf8", wrongEncoding(bytes))
  return { type: "source", source: new SourceFile(file, bytes.toString(encoding)), stats }
}

function wrongEncoding(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex")
  const kind = mark === "fffe" || mark === "feff" ? "UTF-16" : "not UTF-8"
  return `The file is ${kind}. Definitions must be UTF-8: save it again as UTF-8.`
}

const refuse = (code: string, message: string): FileReading => ({
  type: "refused",
  problem: { code, severity: "error", message, at: { type: "start" } },
})
