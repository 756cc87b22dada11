import type { FileVersion } from "../../agent/file-change.ts"
import { countLines, type DiffHunk, findHunks } from "../../ground/changes/find-hunks.ts"
import type { Store } from "../log/store.ts"
import { readVersion } from "./changes.ts"
import type { MergedChange } from "./merge-changes.ts"

/** The change of one file, line by line. */
export interface FileDiff {
  readonly change: MergedChange
  /** The path that the file had before, and its whole content, which did not change. */
  readonly renamedFrom?: MergedChange
  /** Absent: a version is not kept, or is not text. */
  readonly hunks?: readonly DiffHunk[]
  readonly counts?: { readonly added: number; readonly removed: number }
  /** The reason why the change cannot be made again from this: a part of it is not known. */
  readonly problem?: DiffProblem
}

/** `size`, `binary`, `filter`, `unknown`: a version is not kept. `secret`: secrets are removed. `lost`: its blob is gone. */
export type DiffProblem = NonNullable<FileVersion["without"]> | "lost" | "unclear" | "mixed"

/** Compares the versions of each file. A file that was moved as it is becomes one difference. */
export async function readFileDiffs(
  store: Store,
  run: string,
  changes: readonly MergedChange[],
): Promise<readonly FileDiff[]> {
  const { renames, rest } = findRenames(changes)
  const diffs: FileDiff[] = []
  for (const [to, from] of renames)
    diffs.push({ change: to, renamedFrom: from, hunks: [], counts: { added: 0, removed: 0 } })
  for (const change of rest) diffs.push(await diffOf(store, run, change))
  return diffs.sort((left, right) => (left.change.path < right.change.path ? -1 : 1))
}

async function diffOf(store: Store, run: string, change: MergedChange): Promise<FileDiff> {
  const { before, after, steps } = change
  const unclear = steps.some(({ state }) => state === "unclear") ? ("unclear" as const) : undefined
  const problem = unclear ?? before?.without ?? after?.without
  if (before?.hash !== undefined && before.hash === after?.hash)
    return { change, hunks: [], counts: { added: 0, removed: 0 }, ...(unclear && { problem: unclear }) }
  const [old, now] = [await textOf(store, run, before), await textOf(store, run, after)]
  if (old === undefined || now === undefined) return { change, problem: problem ?? "lost" }
  const hunks = await findHunks(old, now)
  return { change, hunks, counts: countLines(hunks), ...(problem && { problem }) }
}

const textOf = async (
  store: Store,
  run: string,
  version: FileVersion | undefined,
): Promise<string | undefined> => (version ? readVersion(store, run, version) : "")

interface Renames {
  readonly renames: ReadonlyMap<MergedChange, MergedChange>
  readonly rest: readonly MergedChange[]
}

/** A new file with the content of a deleted one is that file under another name. An empty file has no content to know it by. */
function findRenames(changes: readonly MergedChange[]): Renames {
  const deleted = new Map<string, MergedChange>()
  for (const change of changes)
    if (!change.after && change.before?.hash !== undefined && !isUnsure(change) && !isEmpty(change.before))
      deleted.set(`${change.before.hash} ${change.before.mode}`, change)
  const renames = new Map<MergedChange, MergedChange>()
  for (const change of changes) {
    if (change.before || !change.after || isUnsure(change)) continue
    const key = `${change.after.hash} ${change.after.mode}`
    const from = deleted.get(key)
    if (!from) continue
    deleted.delete(key)
    renames.set(change, from)
  }
  const gone = new Set(renames.values())
  return { renames, rest: changes.filter((change) => !renames.has(change) && !gone.has(change)) }
}

const isUnsure = ({ steps }: MergedChange): boolean => steps.some(({ state }) => state === "unclear")

/** The hash of no bytes. */
const isEmpty = ({ hash }: FileVersion): boolean =>
  hash === "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
