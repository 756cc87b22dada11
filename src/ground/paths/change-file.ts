import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import { type Anchoring, type Folder, openFolder } from "./folder.ts"
import { removeLeftovers, withTemporary } from "./leftovers.ts"
import { workUnderLock } from "./lock-file.ts"
import { PathRefusal, toPathRefusal } from "./refusal.ts"

/** A file as it was when it was last read. */
export interface KnownFile {
  readonly stats: BigIntStats
  readonly bytes: Uint8Array
}

export interface ReplaceOptions {
  /** The expected file, to the byte. `absent`: no file. */
  readonly expected: KnownFile | "absent"
  /** The file whose mode and owner to copy; default: the replaced file. */
  readonly like?: BigIntStats
  /** The readers of a new file. Default: as the process is set up. */
  readonly readers?: "owner"
  readonly anchoring?: Anchoring
}

/**
 * Writes `bytes` to a new or existing file: in full or not at all, even if the process dies. Keeps mode and
 * owner, but not extended attributes and access lists. Refuses if the file is not the expected one. Returns
 * the new file.
 */
export async function replaceFile(
  base: string,
  target: string,
  bytes: Uint8Array,
  { expected, like = expected === "absent" ? undefined : expected.stats, readers, anchoring }: ReplaceOptions,
): Promise<KnownFile> {
  return change(base, target, "create", anchoring, async (folder, name) => {
    let stats!: BigIntStats
    await withTemporary(async (temporary) => {
      try {
        stats = await fillFile(folder.at(temporary), bytes, like, readers)
        await workUnderLock(folder, name, () => {
          folder.verify()
          refuseChanged(target, folder.at(name), expected)
          if (expected === "absent") giveName(target, folder.at(temporary), folder.at(name))
          else fs.renameSync(folder.at(temporary), folder.at(name))
        })
      } catch (error) {
        fs.rmSync(folder.at(temporary), { force: true })
        throw error
      }
    })
    return { stats, bytes }
  })
}

export async function removeFile(
  base: string,
  target: string,
  expected: KnownFile,
  anchoring?: Anchoring,
): Promise<void> {
  await change(base, target, "refuse", anchoring, (folder, name) =>
    workUnderLock(folder, name, () => {
      folder.verify()
      refuseChanged(target, folder.at(name), expected)
      fs.unlinkSync(folder.at(name))
    }),
  )
}

async function change<Value>(
  base: string,
  target: string,
  missing: "refuse" | "create",
  anchoring: Anchoring | undefined,
  work: (folder: Folder, name: string) => Promise<Value>,
): Promise<Value> {
  const folder = openFolder(base, path.dirname(target), missing, anchoring)
  try {
    removeLeftovers(folder)
    const value = await work(folder, path.basename(target))
    syncFolder(folder)
    return value
  } catch (error) {
    throw toPathRefusal(error, target)
  } finally {
    folder.close()
  }
}

/** Some file systems cannot sync a folder. The change has been made by now, so this is not a failure. */
function syncFolder(folder: Folder): void {
  try {
    folder.sync()
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error
  }
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

async function fillFile(
  file: string,
  bytes: Uint8Array,
  like: BigIntStats | undefined,
  readers: "owner" | undefined,
): Promise<BigIntStats> {
  const mode = like || readers === "owner" ? 0o600 : 0o666
  const handle = await fs.promises.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    if (like) await likeBefore(handle, like)
    await handle.writeFile(bytes)
    await handle.sync()
    return await handle.stat({ bigint: true })
  } finally {
    await handle.close()
  }
}

/**
 * Copies mode and owner without the set-user bits: a written program must not get the rights of another user.
 */
async function likeBefore(handle: fs.promises.FileHandle, before: BigIntStats): Promise<void> {
  const now = await handle.stat({ bigint: true })
  if (now.uid !== before.uid || now.gid !== before.gid)
    // Only root may give files away; for others the file becomes theirs.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {})
  await handle.chmod(Number(before.mode & 0o777n))
}

/**
 * Gives a new file its name without replacing another file. Without hard links, the check just before must
 * do.
 */
function giveName(target: string, temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file)
    fs.unlinkSync(temporary)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (code === "EEXIST") throw createdByOther(target)
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EINVAL", "EXDEV"].includes(code)) throw error
    fs.renameSync(temporary, file)
  }
}

const createdByOther = (target: string): PathRefusal =>
  new PathRefusal(`${target}: another process has created this file. Read it before you write it.`)

function refuseChanged(target: string, file: string, expected: KnownFile | "absent"): void {
  if (expected === "absent") {
    if (fs.lstatSync(file, { throwIfNoEntry: false })) throw createdByOther(target)
  } else if (!isSame(file, expected))
    throw new PathRefusal(
      `${target} was changed by another process at this moment, so nothing was written. Read it again and repeat the change.`,
    )
}

/**
 * Compares to the byte: file numbers are reused, and clocks of file systems can stand still for milliseconds.
 */
function isSame(file: string, { stats, bytes }: KnownFile): boolean {
  const now = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
  if (!now?.isFile() || now.dev !== stats.dev || now.ino !== stats.ino) return false
  if (now.size !== stats.size || now.mtimeNs !== stats.mtimeNs) return false
  const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    return fs.readFileSync(descriptor).equals(bytes)
  } finally {
    fs.closeSync(descriptor)
  }
}
