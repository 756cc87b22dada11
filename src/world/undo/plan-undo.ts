import fs from "node:fs"
import path from "node:path"
import type { FileMode, FileVersion } from "../../agent/file-change.ts"
import { hash } from "../../ground/crypto.ts"
import type { KnownFile } from "../../ground/paths/change-file.ts"
import { openFolder } from "../../ground/paths/folder.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"

/** One file to bring back to an earlier version, or to a later one. */
export interface WantedVersion {
  readonly path: string
  /** The version that must be there now. Undefined: no file. */
  readonly from: FileVersion | undefined
  /** The version to put there. Undefined: no file. */
  readonly to: FileVersion | undefined
  /** The text of `to`. Undefined: it is not kept. */
  readonly text: string | undefined
  /** The reason why the file must stay as it is. */
  readonly problem?: string
}

/** A file or link on the disk, as it was checked. */
export type FoundFile =
  | { readonly type: "file"; readonly file: KnownFile; readonly mode: FileMode }
  | { readonly type: "link"; readonly target: Buffer }

/** A step of an undo that was checked, and was not made yet. */
export interface UndoStep {
  readonly path: string
  readonly now: FoundFile | undefined
  readonly to: { readonly bytes: Buffer; readonly mode: FileMode } | undefined
}

export interface UndoPlan {
  readonly steps: readonly UndoStep[]
  /** Files that are as they should be already. */
  readonly done: readonly string[]
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[]
}

/** Checks every file before any is touched. `protect` has further paths that are never written. */
export function planUndo(
  base: string,
  wanted: readonly WantedVersion[],
  protect: readonly string[] = [],
): UndoPlan {
  const steps: UndoStep[] = []
  const done: string[] = []
  const obstacles: { path: string; reason: string }[] = []
  for (const one of wanted) {
    const step = check(base, one, protect)
    if (step === "done") done.push(one.path)
    else if ("reason" in step) obstacles.push({ path: one.path, reason: step.reason })
    else steps.push(step)
  }
  return { steps, done, obstacles }
}

function check(
  base: string,
  { path: target, from, to, text, problem }: WantedVersion,
  protect: readonly string[],
): UndoStep | "done" | { readonly reason: string } {
  if (!isInside(base, target)) return { reason: `it is not in ${base}` }
  const why = isProtected(base, target, "write", protect)
  if (why !== undefined) return { reason: why }
  try {
    const now = findFile(base, target)
    if (isVersion(now, to)) return "done"
    if (problem !== undefined) return { reason: problem }
    if (!isVersion(now, from)) return { reason: "it has changed since" }
    if (now?.type === "file" && now.file.stats.nlink > 1n)
      return { reason: "it is a hard link, and its other names would not change" }
    if (!to) return { path: target, now, to: undefined }
    const bytes = text === undefined ? undefined : Buffer.from(text)
    if (!bytes || hash("sha256", bytes, "hex") !== to.hash) return { reason: "its content is not kept" }
    return { path: target, now, to: { bytes, mode: to.mode ?? "100644" } }
  } catch (error) {
    if (error instanceof PathRefusal) return { reason: error.message }
    throw error
  }
}

/** Larger files were not kept, so none of them is one of ours. */
const largestFile = 2 ** 24

/** Looks without following a link. Undefined: there is no file, perhaps not even its folder. */
function findFile(base: string, target: string): FoundFile | undefined {
  const parent = path.dirname(target)
  if (!fs.lstatSync(parent, { throwIfNoEntry: false })) {
    // The nearest folder that is there must be one, and no link.
    let above = parent
    while (!fs.lstatSync(above, { throwIfNoEntry: false })) above = path.dirname(above)
    openFolder(base, isInside(base, above) ? above : base, "refuse").close()
    return undefined
  }
  const folder = openFolder(base, parent, "refuse")
  try {
    const file = folder.at(path.basename(target))
    const stats = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
    if (!stats) return undefined
    if (stats.isSymbolicLink()) return { type: "link", target: fs.readlinkSync(file, "buffer") }
    if (!stats.isFile()) throw new PathRefusal("it is no file now")
    if (stats.size > largestFile) throw new PathRefusal("it has changed since")
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
    const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const bytes = fs.readFileSync(descriptor)
      const mode = (stats.mode & 0o100n) === 0n ? "100644" : "100755"
      return { type: "file", file: { stats, bytes }, mode }
    } finally {
      fs.closeSync(descriptor)
    }
  } finally {
    folder.close()
  }
}

function isVersion(now: FoundFile | undefined, version: FileVersion | undefined): boolean {
  if (!now || !version) return now === undefined && version === undefined
  const [bytes, mode] = now.type === "link" ? [now.target, "120000" as const] : [now.file.bytes, now.mode]
  return version.hash === hash("sha256", bytes, "hex") && mode === (version.mode ?? "100644")
}
