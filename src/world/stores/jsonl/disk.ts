import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"

/** The calls that move bytes of a log, in one place: tests count them and make them fail. */
export interface Disk {
  read(descriptor: number, target: Uint8Array, position: number): number
  write(descriptor: number, bytes: Uint8Array): number
  /** Resolves when the disk itself has what was written. */
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

/** A write may be short; the rest follows until all is written or the medium fails. */
export function writeAll(disk: Disk, descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.write(descriptor, done === 0 ? bytes : bytes.subarray(done))
    if (written <= 0) throw new Error("The disk took no more bytes and gave no reason.")
    done += written
  }
}

/** With its parents, for this user alone. Node's own recursive form hides why it failed. */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let ancestor = folder; !fs.existsSync(ancestor); ancestor = path.dirname(ancestor))
    missing.unshift(ancestor)
  for (const ancestor of missing)
    try {
      fs.mkdirSync(ancestor, { mode: 0o700 })
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error
    }
}

/** Windows cannot sync a folder and does not need to. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return
  // Opened and closed here: each of the two would wait for a thread once more.
  const descriptor = fs.openSync(folder, "r")
  try {
    await new Promise<void>((resolve, reject) => {
      fs.fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    fs.closeSync(descriptor)
  }
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "")

/** What the user can do about a failing disk, instead of a bare errno. */
export function storeFailed(directory: string, error: unknown): unknown {
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
      return "What was not confirmed may be lost. Check the disk, then resume the run."
  }
}
