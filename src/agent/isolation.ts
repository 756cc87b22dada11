import path from "node:path"
import { isInside } from "../ground/paths/inside.ts"

/** A git worktree that one run works in. Every name in it derives from the run. */
export interface Worktree {
  /** The kind of isolation. A git worktree is the only one. */
  readonly type: "worktree"
  /** The folder, outside of any repository. */
  readonly path: string
  /** The branch that is checked out in it: `cadre/` and the id of the run. */
  readonly branch: string
  /** The commit that it begins with. */
  readonly base: string
  /** The top of the tree that it replaces. */
  readonly from: string
  /** The folder in which git is run for it, even if that tree is gone. */
  readonly repository: string
}

/**
 * The changes that a run left in its worktree. If nothing was written, the worktree is removed; otherwise all
 * of it is kept.
 */
export interface IsolationReport {
  /** The branch of the worktree. It is deleted with a worktree that is removed. */
  readonly branch: string
  /** The commit that the worktree began with. All numbers here compare with it. */
  readonly base: string
  /** The folder; absent where it is gone. */
  readonly path?: string
  /** The number of commits that `base` does not have. */
  readonly commits: number
  /** Differences from `base`, committed or not; if there are many, only the first. */
  readonly files: readonly ChangedFile[]
  /** The number of further files. */
  readonly more?: number
  /** The number of lines that were added, committed or not. */
  readonly insertions: number
  /** The number of lines that were deleted, committed or not. */
  readonly deletions: number
  /** `removed`: the run changed nothing, so worktree and branch are gone. `kept`: both still exist. */
  readonly kept: "removed" | "kept"
  /** The reason why more is not known, or why the worktree still exists. */
  readonly problem?: string
}

/** A file that differs from the commit that a worktree began with. */
export interface ChangedFile {
  /** The path, relative to the top of the worktree. */
  readonly path: string
  /**
   * `untracked`: git does not know it yet. `ignored`: git ignores it; a path with a slash at its end means
   * everything below. `in-submodule`: it is in the place of a submodule. No commit of the branch can contain
   * the last two, so no merge brings them.
   */
  readonly status: "added" | "modified" | "deleted" | "untracked" | "ignored" | "in-submodule"
}

/** True if a merge of the branch would leave the file behind, even after a commit. */
export const isBeyondMerge = ({ status }: ChangedFile): boolean =>
  status === "ignored" || status === "in-submodule"

/** Gives runs their own worktrees. Each of these steps can be repeated after a crash. */
export interface AgentIsolation {
  /** The worktree of a run; creates nothing. */
  plan(run: string, cwd: string): Promise<IsolationPlan | { readonly problem: string }>
  /** Like `plan`, but only reads files: runs no program, and does not know about uncommitted changes. */
  foresee?(run: string, cwd: string): Promise<IsolationPlan | { readonly problem: string }>
  /**
   * Creates the worktree of a plan, unless it exists. A `problem` in the result is the reason why there is
   * none.
   */
  open(worktree: Worktree, cwd: string): Promise<{ readonly problem?: string }>
  /** Reports the changes, and removes the worktree if there are none. */
  close(worktree: Worktree): Promise<IsolationReport>
}

/** The worktree that a run would get, before it is created. */
export interface IsolationPlan {
  /** The worktree to open, with its folder, branch and first commit. */
  readonly worktree: Worktree
  /** The folder of the worktree that replaces the working directory. */
  readonly cwd: string
  /** Changes that will not be in the worktree. */
  readonly warnings: readonly string[]
}

/** A run works in `to` instead of `from`, which it leaves alone. */
export interface FolderMove {
  /** The absolute path of the folder that the run leaves alone. */
  readonly from: string
  /** The absolute path of the folder that the run works in. */
  readonly to: string
}

/**
 * The folder for a run that was moved; the outermost move comes first. A folder that contains all of `from`
 * becomes `to`.
 */
export function mapToWorktree(folder: string, moved: readonly FolderMove[] = []): string {
  return moved.reduce((place, { from, to }) => {
    if (isInside(from, place)) return path.join(to, path.relative(from, place))
    return isInside(place, from) ? to : place
  }, folder)
}

/** The names of a path in the trees that the run was moved out of, the nearest first. */
export function mapFromWorktree(place: string, moved: readonly FolderMove[] = []): readonly string[] {
  const names: string[] = []
  for (const { from, to } of moved.toReversed()) {
    const name = names.at(-1) ?? place
    if (isInside(to, name)) names.push(path.join(from, path.relative(to, name)))
  }
  return names
}

/** The tree that a path is in and that the run was moved out of. */
export function findLeftTree(place: string, moved: readonly FolderMove[] = []): FolderMove | undefined {
  const here = moved.at(-1)?.to
  if (here === undefined || isInside(here, place)) return undefined
  return moved.find(({ from }) => isInside(from, place))
}
