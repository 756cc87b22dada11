import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"

/** All calls that read and write the bytes of a log, in one place so that tests can count them or make them fail. */
export interface Disk {
  read(descriptor: number, target: Uint8Array, position: number): number
  write(descriptor: number, bytes: Uint8Array): number
  /** Resolves when the written bytes are on the disk itself. */
  sync(descriptor: number): Promise<void>
  /** Makes new names in a folder durable. */
  syncFolder(folder: string): Promise<void>
}

export const realDisk: Disk = {
  read: (descriptor, target, position) => fs.readSync(descriptor, target, 0, target.length, position),
  write: (descriptor, bytes) => fs.writeSync(descriptor, bytes),
  sync: (descriptor) =>
    new Promise((resolve, reject) => {
      fs.fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)))
    }),
  syncFolder,
}

/**
 * Writes all bytes. One write call may write only some of them, so the rest follows until all are written or the disk
 * fails.
 */
export function writeAll(disk: Disk, descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    const count = disk.write(descriptor, offset === 0 ? bytes : bytes.subarray(offset))
    if (count <= 0) throw new Error("The disk took no more bytes and gave no reason.")
    offset += count
  }
}

/** Creates a folder and its parents, for this user alone. Node's own recursive form hides why it failed. */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let ancestor = folder; !fs.existsSync(ancestor); ancestor = path.dirname(ancestor))
    missing.unshift(ancestor)
  for (const ancestor of missing)
    try {
      fs.mkdirSync(ancestor, { mode: 0o700 })
    } catch (error) {
      if (!hasErrorCode(error, "EEXIST")) throw error
    }
}

/** Windows cannot sync a folder and does not need to. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return
  // Opening and closing are synchronous: as asynchronous calls, both would wait for a thread of the pool.
  const descriptor = fs.openSync(folder, "r")
  try {
    await new Promise<void>((resolve, reject) => {
      fs.fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    fs.closeSync(descriptor)
  }
}

export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "")

/** Turns an error of the file system into one with advice for the user. */
export function toStoreError(directory: string, error: unknown): unknown {
  if (error instanceof CadreError || !(error instanceof Error)) return error
  const { code, syscall, path: file } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return error
  return new CadreError(
    "STORE_FAILED",
    `The run store failed: ${code} at ${syscall} of ${file ?? directory}. ${advice(code, syscall)}`,
    { cause: error },
  )
}

function advice(code: string, syscall: string): string {
  if (syscall === "link")
    return "Logs need a file system with hard links: set CADRE_STATE_DIR to one that has them."
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
    case "EEXIST":
    case "ENOENT":
      return "Make the directory writable, or set CADRE_STATE_DIR to one that is. To run without recording, use memoryStore()."
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return "Nothing more is recorded for this tree in this process. Free some space, then resume the run."
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open: run fewer trees at once or raise the limit (ulimit -n)."
    default:
      return "Unconfirmed events may be lost. Check the disk, then resume the run."
  }
}
