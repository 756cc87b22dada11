import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import { type Anchoring, type Folder, openFolder } from "./folder.ts"
import { removeLeftovers, withTemporary } from "./leftovers.ts"
import { whileLocked } from "./lock-file.ts"
import { Refusal, refusalOf } from "./refusal.ts"

/** A file as it was when it was last looked at. */
export interface KnownFile {
  readonly stats: BigIntStats
  readonly bytes: Uint8Array
}

export interface ReplaceOptions {
  /** What is to be there, to the byte. `absent`: nothing. */
  readonly expected: KnownFile | "absent"
  /** Whose mode and owner it gets; default: those of the file that is replaced. */
  readonly like?: BigIntStats
  readonly anchoring?: Anchoring
}

/**
 * Puts `bytes` where a file is, or is not yet: in full or not at all, whenever the process dies. Keeps mode and owner. Refuses
 * where the file is no longer what was expected. Extended attributes and access lists are not kept. Gives what is there now.
 */
export async function replaceFile(
  base: string,
  target: string,
  bytes: Uint8Array,
  { expected, like = expected === "absent" ? undefined : expected.stats, anchoring }: ReplaceOptions,
): Promise<KnownFile> {
  return change(base, target, "create", anchoring, async (folder, name) => {
    let stats!: BigIntStats
    await withTemporary(async (temporary) => {
      try {
        stats = await fillFile(folder.at(temporary), bytes, like)
        await whileLocked(folder, name, () => {
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
    whileLocked(folder, name, () => {
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
    throw refusalOf(error, target)
  } finally {
    folder.close()
  }
}

/** Some file systems cannot, and the change is made by now: that is no reason to say it failed. */
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
): Promise<BigIntStats> {
  const mode = like ? 0o600 : 0o666
  const opened = await fs.promises.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    if (like) await likeBefore(opened, like)
    await opened.writeFile(bytes)
    await opened.sync()
    return await opened.stat({ bigint: true })
  } finally {
    await opened.close()
  }
}

/** Not its set-user bits: whoever writes a program must not lend it somebody's rights. */
async function likeBefore(opened: fs.promises.FileHandle, before: BigIntStats): Promise<void> {
  const now = await opened.stat({ bigint: true })
  if (now.uid !== before.uid || now.gid !== before.gid)
    // Only root may give files away; for others the file becomes theirs.
    await opened.chown(Number(before.uid), Number(before.gid)).catch(() => {})
  await opened.chmod(Number(before.mode & 0o777n))
}

/** A new name takes nobody's place, whoever was faster; where there are no hard links, the last look must do. */
function giveName(target: string, temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file)
    fs.unlinkSync(temporary)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (code === "EEXIST") throw made(target)
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EINVAL", "EXDEV"].includes(code)) throw error
    fs.renameSync(temporary, file)
  }
}

const made = (target: string): Refusal =>
  new Refusal(`${target}: somebody else has made this file. Read it before you write it.`)

function refuseChanged(target: string, file: string, expected: KnownFile | "absent"): void {
  if (expected === "absent") {
    if (fs.lstatSync(file, { throwIfNoEntry: false })) throw made(target)
  } else if (!isSame(file, expected))
    throw new Refusal(
      `${target} was changed by somebody else at this moment; nothing was written. Read it again and repeat the change.`,
    )
}

/** To the byte: numbers of files are given anew, and clocks of file systems stand still for milliseconds. */
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
