import fs from "node:fs"
import path from "node:path"
import { describeThrown } from "../../ground/errors.ts"
import { closeWorktree } from "./close.ts"
import { openGitIn, withRepositoryLock } from "./git.ts"
import { listRecordedWorktrees, listRepositories, listWorktrees } from "./records.ts"
import { findSpareTip, nameBranch, removeStale } from "./remove.ts"

export interface Survey {
  readonly worktrees: readonly string[]
  /** Worktrees that git has a record of, but whose folders are gone. */
  readonly stale: readonly string[]
}

/** Lists the worktrees of all repositories. Runs nothing and changes nothing. */
export function surveyWorktrees(folder: string): Survey {
  const places = listRepositories(folder)
  return {
    worktrees: places.flatMap((place) => listWorktrees(place.folder)),
    stale: places.flatMap(({ folder: below, repository }) =>
      listRecordedWorktrees(path.join(repository, ".git"), below).filter((place) => !fs.existsSync(place)),
    ),
  }
}

/** The existing worktrees, with the runs that they were made for: each has the name of its run. */
export const listWorktreePlaces = (
  folder: string,
): readonly { readonly run: string; readonly place: string }[] =>
  surveyWorktrees(folder).worktrees.map((place) => ({ run: path.basename(place), place }))

export interface WorktreeSweep {
  readonly removed: readonly string[]
  readonly forgotten: readonly string[]
  readonly problems: readonly string[]
}

/** Removes worktrees of ended runs that hold no changes, and git's records of worktrees that are gone. */
export async function sweepWorktrees(
  folder: string,
  isOpen: (run: string) => Promise<boolean>,
): Promise<WorktreeSweep> {
  const removed: string[] = []
  const forgotten: string[] = []
  const problems: string[] = []
  for (const { folder: below, repository } of listRepositories(folder)) {
    try {
      const git = await openGitIn(repository)
      forgotten.push(...(await withRepositoryLock(repository, () => removeStale(git, below))))
      for (const place of listWorktrees(below)) {
        if (await isOpen(path.basename(place))) continue
        const branch = nameBranch(place)
        const base = await findSpareTip(git, branch)
        if (base === undefined) continue
        const worktree = {
          type: "worktree",
          path: place,
          branch,
          base,
          from: repository,
          repository,
        } as const
        if ((await closeWorktree(worktree)).kept === "removed") removed.push(place)
      }
    } catch (error) {
      problems.push(describeThrown(error))
    }
  }
  return { removed, forgotten, problems }
}
