import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import type { ToolContext } from "../../../agent/tool.ts"
import { hash } from "../../../ground/crypto.ts"
import { openFolder } from "../../../ground/paths/folder.ts"
import { removeLeftovers } from "../../../ground/paths/leftovers.ts"
import { openFile, readBytes } from "../../../ground/paths/open-file.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import type { UsablePath } from "../workspace.ts"

/** A file as it is before it is changed. */
export interface LoadedFile extends UsablePath {
  readonly bytes: Buffer
  readonly hash: string
  readonly stats: BigIntStats
}

/** A model does not write larger files. */
const largestFile = 10 * 1024 * 1024

/** The file to change; undefined if it does not exist. */
export async function loadFile(
  place: UsablePath,
  { repeated }: Pick<ToolContext, "repeated">,
): Promise<LoadedFile | undefined> {
  // The process before may have died after the change, which is not made again, and before it tidied up.
  if (repeated) clearLeftovers(place)
  if (!fs.lstatSync(place.path, { throwIfNoEntry: false })) return undefined
  const file = openFile(place.base, place.path)
  try {
    if (file.stats.size > largestFile)
      throw new PathRefusal(
        `${place.path} has ${file.stats.size} bytes; files over ${largestFile} bytes are not changed by this tool.`,
      )
    // A process that died between the two steps of creating the file has left it with two names.
    if (file.stats.nlink > 1n && clearLeftovers(place)) return await loadFile(place, { repeated })
    const bytes = await readBytes(file, Number(file.stats.size))
    return { ...place, bytes, hash: hashBytes(bytes), stats: file.stats }
  } finally {
    fs.closeSync(file.descriptor)
  }
}

/** True if the file had a name that is gone now. */
function clearLeftovers({ base, path: target }: UsablePath): boolean {
  if (!fs.existsSync(path.dirname(target))) return false
  const folder = openFolder(base, path.dirname(target), "refuse")
  const names = () => fs.lstatSync(target, { throwIfNoEntry: false })?.nlink ?? 0
  try {
    const before = names()
    removeLeftovers(folder)
    return names() < before
  } finally {
    folder.close()
  }
}

export const hashBytes = (bytes: Uint8Array): string => hash("sha256", bytes, "hex")

/** Throws if the run does not know the current content of the file. */
export function refuseStale({ path, hash }: LoadedFile, context: ToolContext): void {
  const seen = context.seen(path)
  if (seen === undefined)
    throw new PathRefusal(`${path} has not been read in this run, so nothing was changed. Read it first.`)
  if (seen !== hash)
    throw new PathRefusal(
      `${path} has changed since this run last read or wrote it, so nothing was changed. Read it again, and repeat the change on its current content.`,
    )
}

/** Throws if the file must not be replaced, whatever its content. */
export function refuseFixed({ path, stats }: LoadedFile): void {
  if ((stats.mode & 0o222n) === 0n)
    throw new PathRefusal(`${path} is read-only, so nothing was changed. Ask the user to change its mode.`)
  // A new file would take this name only. The other names, perhaps outside the workspace, would keep the old
  // content.
  if (stats.nlink > 1n)
    throw new PathRefusal(
      `${path} is a hard link: the same file has ${stats.nlink} names, perhaps outside the workspace. Nothing was changed. Copy it first, and put the copy in its place.`,
    )
}
