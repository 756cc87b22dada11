import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import type { FileMode } from "../../agent/file-change.ts"
import { describeThrown } from "../../ground/errors.ts"
import { type KnownFile, removeFile, replaceFile } from "../../ground/paths/change-file.ts"
import { openFolder } from "../../ground/paths/folder.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { PathRefusal, toPathRefusal } from "../../ground/paths/refusal.ts"
import type { FoundFile, UndoStep } from "./plan-undo.ts"

/** Makes all steps, or none: if one fails, those before it are taken back. Throws a refusal then. */
export async function applyUndo(base: string, steps: readonly UndoStep[]): Promise<void> {
  const back: (() => Promise<unknown>)[] = []
  try {
    for (const step of steps) back.unshift(await take(base, step))
  } catch (error) {
    const refusal = toPathRefusal(error, "The files")
    const stuck: string[] = []
    for (const undo of back) await undo().catch((failure) => stuck.push(describeThrown(failure)))
    throw new PathRefusal(
      stuck.length === 0
        ? `${refusal.message} Nothing was changed.`
        : `${refusal.message} Not all files could be put back: ${stuck.join(" ")}`,
    )
  }
  for (const { path: file, to } of steps) if (!to) removeEmptyFolders(base, path.dirname(file))
}

/** Makes one step, and returns a function that takes it back. */
async function take(base: string, { path: target, now, to }: UndoStep): Promise<() => Promise<unknown>> {
  if (now?.type === "file" && to && to.mode !== "120000") {
    const like = withMode(now.file.stats, to.mode)
    const written = await replaceFile(base, target, to.bytes, { expected: now.file, like })
    return () => replaceFile(base, target, now.file.bytes, { expected: written, like: now.file.stats })
  }
  const removed = now
  if (removed) await remove(base, target, removed)
  const restore = () => (removed ? put(base, target, removed) : Promise.resolve(undefined))
  if (!to) return restore
  try {
    const made = await put(
      base,
      target,
      to.mode === "120000"
        ? { type: "link", target: to.bytes }
        : { type: "new", bytes: to.bytes, mode: to.mode },
    )
    return async () => {
      await remove(base, target, made)
      await restore()
    }
  } catch (error) {
    await restore()
    throw error
  }
}

/** The wanted mode of a file: every reader may run an executable file. */
function withMode(stats: BigIntStats, mode: FileMode): BigIntStats {
  const readers = (stats.mode & 0o444n) >> 2n
  const changed = mode === "100755" ? stats.mode | readers : stats.mode & ~0o111n
  return Object.assign(Object.create(Object.getPrototypeOf(stats)), stats, { mode: changed })
}

async function remove(base: string, target: string, current: FoundFile): Promise<void> {
  if (current.type === "file") return removeFile(base, target, current.file)
  inFolder(base, target, (file) => {
    if (!fs.readlinkSync(file, "buffer").equals(current.target))
      throw new PathRefusal(`${target} was changed by another process at this moment.`)
    fs.unlinkSync(file)
  })
}

type Content = FoundFile | { readonly type: "new"; readonly bytes: Buffer; readonly mode: FileMode }

/** Puts a file or link where there is none. */
async function put(base: string, target: string, content: Content): Promise<FoundFile> {
  if (content.type === "link") {
    inFolder(base, target, (file) => fs.symlinkSync(content.target, file))
    return content
  }
  if (content.type === "file") {
    const { stats, bytes } = content.file
    const file = await replaceFile(base, target, bytes, { expected: "absent", like: stats })
    return { ...content, file }
  }
  const written = await replaceFile(base, target, content.bytes, { expected: "absent" })
  if (content.mode !== "100755") return { type: "file", file: written, mode: content.mode }
  const file: KnownFile = await replaceFile(base, target, content.bytes, {
    expected: written,
    like: withMode(written.stats, content.mode),
  })
  return { type: "file", file, mode: content.mode }
}

function inFolder(
  base: string,
  target: string,
  work: (file: string) => void,
  missing: "create" | "refuse" = "create",
): void {
  const folder = openFolder(base, path.dirname(target), missing)
  try {
    work(folder.at(path.basename(target)))
    folder.verify()
  } finally {
    folder.close()
  }
}

/** As in git, a folder goes with its last file. */
function removeEmptyFolders(base: string, from: string): void {
  for (let folder = from; isBelow(base, folder); folder = path.dirname(folder)) {
    try {
      inFolder(base, folder, (name) => fs.rmdirSync(name), "refuse")
    } catch (error) {
      if (error instanceof PathRefusal || (error as NodeJS.ErrnoException).code !== undefined) return
      throw error
    }
  }
}
