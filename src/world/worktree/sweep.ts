import fs from "node:fs"
import path from "node:path"
import { messageOf } from "../../ground/errors.ts"
import { closeWorktree } from "./close.ts"
import { alone, gitIn } from "./git.ts"
import { recorded, repositories, worktreesIn } from "./records.ts"
import { branchOf, removeStale, spareTip } from "./remove.ts"

export interface Survey {
  readonly worktrees: readonly string[]
  /** Those that git has a record of and that are gone. */
  readonly stale: readonly string[]
}

/** The worktrees of all repositories. Runs nothing and changes nothing. */
export function surveyWorktrees(folder: string): Survey {
  const places = repositories(folder)
  return {
    worktrees: places.flatMap((place) => worktreesIn(place.folder)),
    stale: places.flatMap(({ folder: below, repository }) =>
      recorded(path.join(repository, ".git"), below).filter((place) => !fs.existsSync(place)),
    ),
  }
}

/** The worktrees that are there, with the runs that they were made for: they are called after them. */
export const worktreePlaces = (folder: string): readonly { readonly run: string; readonly place: string }[] =>
  surveyWorktrees(folder).worktrees.map((place) => ({ run: path.basename(place), place }))

export interface Swept {
  readonly removed: readonly string[]
  readonly forgotten: readonly string[]
  readonly problems: readonly string[]
}

/** Removes worktrees of runs that are over and hold nothing, and what git still knows of those that are gone. */
export async function sweepWorktrees(
  folder: string,
  isOpen: (run: string) => Promise<boolean>,
): Promise<Swept> {
  const removed: string[] = []
  const forgotten: string[] = []
  const problems: string[] = []
  for (const { folder: below, repository } of repositories(folder)) {
    try {
      const git = await gitIn(repository)
      forgotten.push(...(await alone(repository, () => removeStale(git, below))))
      for (const place of worktreesIn(below)) {
        if (await isOpen(path.basename(place))) continue
        const branch = branchOf(place)
        const base = await spareTip(git, branch)
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
      problems.push(messageOf(error))
    }
  }
  return { removed, forgotten, problems }
}
