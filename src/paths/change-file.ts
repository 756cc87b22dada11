import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import { randomBytes } from "../crypto.ts"
import { type Anchoring, type Folder, openFolder } from "./folder.ts"
import { Refusal, refusalOf } from "./refusal.ts"

/** What a file was when it was last looked at. `absent`: it must not be there. */
export type Expected = BigIntStats | "absent"

export interface ReplaceOptions {
  readonly expected: Expected
  /** The file whose mode and owner it gets; default: the one that is replaced. */
  readonly like?: Expected
  readonly anchoring?: Anchoring
}

/**
 * Puts `bytes` where a file is, or is not yet: in full or not at all, whenever the process dies. Keeps mode and owner. Refuses
 * where the file is no longer what was expected. Extended attributes and access lists are not kept.
 */
export async function replaceFile(
  base: string,
  target: string,
  bytes: Uint8Array,
  { expected, like = expected, anchoring }: ReplaceOptions,
): Promise<void> {
  await change(base, target, "create", anchoring, async (folder, name) => {
    const temporary = temporaryName()
    pending.add(temporary)
    try {
      await fillFile(folder.at(temporary), bytes, like)
      folder.verify()
      refuseChanged(target, folder.at(name), expected)
      fs.renameSync(folder.at(temporary), folder.at(name))
    } catch (error) {
      fs.rmSync(folder.at(temporary), { force: true })
      throw error
    } finally {
      pending.delete(temporary)
    }
  })
}

export async function removeFile(
  base: string,
  target: string,
  expected: BigIntStats,
  anchoring?: Anchoring,
): Promise<void> {
  await change(base, target, "refuse", anchoring, async (folder, name) => {
    folder.verify()
    refuseChanged(target, folder.at(name), expected)
    fs.unlinkSync(folder.at(name))
  })
}

async function change(
  base: string,
  target: string,
  missing: "refuse" | "create",
  anchoring: Anchoring | undefined,
  work: (folder: Folder, name: string) => Promise<void>,
): Promise<void> {
  const folder = openFolder(base, path.dirname(target), missing, anchoring)
  try {
    removeLeftovers(folder)
    await work(folder, path.basename(target))
    syncFolder(folder)
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

async function fillFile(file: string, bytes: Uint8Array, like: Expected): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants
  const mode = like === "absent" ? 0o666 : 0o600
  const opened = await fs.promises.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    if (like !== "absent") await likeBefore(opened, like)
    await opened.writeFile(bytes)
    await opened.sync()
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

function refuseChanged(target: string, file: string, expected: Expected): void {
  const now = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
  if (expected === "absent") {
    if (now) throw new Refusal(`${target}: somebody else has made this file. Read it before you write it.`)
    return
  }
  const same =
    now?.ino === expected.ino &&
    now.dev === expected.dev &&
    now.size === expected.size &&
    now.mtimeNs === expected.mtimeNs
  if (!same)
    throw new Refusal(
      `${target} was changed by somebody else at this moment; nothing was written. Read it again and repeat the change.`,
    )
}

/** The names of temporary files of this process that are being written. */
const pending = new Set<string>()

const temporaryName = (): string => `.cadre-write-${process.pid}-${randomBytes(8).toString("hex")}.tmp`
const temporaryPattern = /^\.cadre-write-(\d{1,10})-[0-9a-f]{16}\.tmp$/

/** What a process left behind that died while it wrote. */
function removeLeftovers(folder: Folder): void {
  for (const name of fs.readdirSync(folder.at("."))) {
    const owner = temporaryPattern.exec(name)?.[1]
    if (owner === undefined || pending.has(name)) continue
    const stats = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (stats?.isFile() && isLeftover(Number(owner), stats.mtimeMs))
      fs.rmSync(folder.at(name), { force: true })
  }
}

const anHour = 3_600_000

function isLeftover(owner: number, changedAt: number): boolean {
  if (Date.now() - changedAt > anHour) return true
  // In a container every process may have the same number: then it is ours only if it is younger than we are.
  if (owner === process.pid) return changedAt < Date.now() - process.uptime() * 1000
  try {
    process.kill(owner, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH"
  }
}
