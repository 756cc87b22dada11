import fs from "node:fs"
import path from "node:path"
import { hash } from "../../../ground/crypto.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { type RunChanges, readChanges } from "../../../run/explain/changes.ts"
import { type FileDiff, readFileDiffs } from "../../../run/explain/file-diffs.ts"
import type { Store } from "../../../run/log/store.ts"

/** The changes of a run in one tree of files. */
export interface RunDiff {
  readonly changes: RunChanges
  /** The folder that the names in the patch start from. */
  readonly base: string
  readonly diffs: readonly FileDiff[]
  /** Changed files outside of `base`, such as those in worktrees of subagents. */
  readonly elsewhere: readonly FileDiff[]
}

/** Reads what a run changed. Undefined: there is no such run. */
export async function readRunDiff(store: Store, run: string, agent?: string): Promise<RunDiff | undefined> {
  const changes = await readChanges(store, run, { ...(agent !== undefined && { agent }), look: hashOnDisk })
  if (!changes) return undefined
  const base = changes.worktree ?? topOf(realOf(changes.cwd))
  const all = await readFileDiffs(store, run, changes.files)
  const isHere = ({ change, renamedFrom }: FileDiff) =>
    isInside(base, change.path) && (!renamedFrom || isInside(base, renamedFrom.path))
  return {
    changes,
    base,
    diffs: all.filter(isHere),
    elsewhere: all.filter((diff) => !isHere(diff)),
  }
}

/** The top of the git repository, as `git diff` names files; without one, the folder itself. */
function topOf(folder: string): string {
  for (let top = folder; ; top = path.dirname(top)) {
    if (fs.existsSync(path.join(top, ".git"))) return top
    if (top === path.dirname(top)) return folder
  }
}

const realOf = (folder: string): string => (fs.existsSync(folder) ? fs.realpathSync.native(folder) : folder)

function hashOnDisk(file: string): string | "absent" | undefined {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stats) return "absent"
  return stats.isFile() && stats.size <= 2 ** 24 ? hash("sha256", fs.readFileSync(file), "hex") : undefined
}
