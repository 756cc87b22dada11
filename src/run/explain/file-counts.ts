import type { Store } from "../log/store.ts"
import { readChanges } from "./changes.ts"
import { type FileDiff, readFileDiffs } from "./file-diffs.ts"

/** A file that a run changed, and by how many lines. */
export interface FileCount {
  readonly path: string
  readonly change: "new" | "changed" | "deleted" | "renamed"
  /** The path that a renamed file had before. */
  readonly from?: string
  /** Absent: a version of the file is not kept. */
  readonly added?: number
  readonly removed?: number
}

/** Counts the lines that a run and the runs below it changed, file by file. */
export async function readFileCounts(store: Store, run: string): Promise<readonly FileCount[]> {
  const changes = await readChanges(store, run)
  return changes ? (await readFileDiffs(store, run, changes.files)).map(countOf) : []
}

export const countOf = (diff: FileDiff): FileCount => ({
  path: diff.change.path,
  change: kindOf(diff),
  ...(diff.renamedFrom && { from: diff.renamedFrom.path }),
  ...diff.counts,
})

function kindOf({ change: { before, after }, renamedFrom }: FileDiff): FileCount["change"] {
  if (renamedFrom) return "renamed"
  if (!before) return "new"
  return after ? "changed" : "deleted"
}
