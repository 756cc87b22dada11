import path from "node:path"
import { isInside } from "../ground/paths/inside.ts"

/** A git worktree that one run works in. Every name in it derives from the run. */
export interface Worktree {
  readonly type: "worktree"
  /** The folder, outside of any repository. */
  readonly path: string
  readonly branch: string
  /** The commit it begins with. */
  readonly base: string
  /** The top of the tree that it stands for. */
  readonly from: string
  /** Where git is run for it, whatever becomes of that tree. */
  readonly repository: string
}

/** What a run left in its worktree. Where nothing at all was written nothing is kept; else everything is. */
export interface IsolationReport {
  readonly branch: string
  readonly base: string
  /** The folder; absent where it is gone. */
  readonly path?: string
  /** Commits that `base` does not have. */
  readonly commits: number
  /** What differs from `base`, committed or not; the first of them where they are many. */
  readonly files: readonly ChangedFile[]
  /** How many there are besides. */
  readonly more?: number
  readonly insertions: number
  readonly deletions: number
  readonly kept: "removed" | "kept"
  /** Why more is not known, or why it is still there. */
  readonly problem?: string
}

export interface ChangedFile {
  readonly path: string
  /**
   * `untracked`: git does not know it yet. `ignored`: git is told to leave it out, and what ends with a slash is all below it.
   * `in-submodule`: it lies in the place of a submodule. No commit of the branch can hold these two, so no merge brings them.
   */
  readonly status: "added" | "modified" | "deleted" | "untracked" | "ignored" | "in-submodule"
}

/** Whether a merge of the branch would leave it behind, whatever is committed. */
export const isBeyondMerge = ({ status }: ChangedFile): boolean =>
  status === "ignored" || status === "in-submodule"

/** Gives runs a place of their own. After a crash each of these may be done again. */
export interface Isolation {
  /** Where a run would work; makes nothing. */
  plan(run: string, cwd: string): Promise<IsolationPlan | { readonly problem: string }>
  /** The same as far as files tell: runs nothing, and does not know what is uncommitted. */
  foresee?(run: string, cwd: string): Promise<IsolationPlan | { readonly problem: string }>
  open(worktree: Worktree, cwd: string): Promise<{ readonly problem?: string }>
  /** Tells what is there, and removes it where that is nothing. */
  close(worktree: Worktree): Promise<IsolationReport>
}

export interface IsolationPlan {
  readonly worktree: Worktree
  /** The folder of the worktree that stands for the working directory. */
  readonly cwd: string
  /** What will not be in it. */
  readonly warnings: readonly string[]
}

/** A run works in `to`, which stands for `from`, and leaves that alone. */
export interface Moved {
  readonly from: string
  readonly to: string
}

/** Where a folder is for a run that was moved; the outermost move comes first. One that holds all of `from` shrinks to it. */
export function movedTo(folder: string, moved: readonly Moved[] = []): string {
  return moved.reduce((place, { from, to }) => {
    if (isInside(from, place)) return path.join(to, path.relative(from, place))
    return isInside(place, from) ? to : place
  }, folder)
}

/** What a path is called in the trees that the run was moved out of, the nearest first. */
export function movedFrom(place: string, moved: readonly Moved[] = []): readonly string[] {
  const names: string[] = []
  for (const { from, to } of moved.toReversed()) {
    const name = names.at(-1) ?? place
    if (isInside(to, name)) names.push(path.join(from, path.relative(to, name)))
  }
  return names
}

/** The tree that a path lies in and the run was moved out of. */
export function leftTree(place: string, moved: readonly Moved[] = []): Moved | undefined {
  const here = moved.at(-1)?.to
  if (here === undefined || isInside(here, place)) return undefined
  return moved.find(({ from }) => isInside(from, place))
}
