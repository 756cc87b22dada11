import fs from "node:fs"
import path from "node:path"
import { type RunGit, readOutputOrUndefined } from "./git.ts"
import { listRecordedWorktrees } from "./records.ts"

/** Makes git forget a worktree whose folder is gone, even if the worktree is locked. */
export async function removeRecord(git: RunGit, place: string): Promise<void> {
  await readOutputOrUndefined(git("worktree", "unlock", place))
  await readOutputOrUndefined(git("worktree", "remove", place))
}

/** Removes a branch if it still points to `tip`. */
export async function removeBranch(git: RunGit, branch: string, tip: string): Promise<void> {
  await readOutputOrUndefined(git("update-ref", "-d", `refs/heads/${branch}`, tip))
}

/**
 * Makes git forget the worktrees in a folder that are gone, and removes their branches if those have no
 * commits of their own.
 */
export async function removeStale(git: RunGit, folder: string): Promise<readonly string[]> {
  const common = (await git("rev-parse", "--path-format=absolute", "--git-common-dir")).trim()
  const stale = listRecordedWorktrees(common, folder).filter((place) => !fs.existsSync(place))
  for (const place of stale) {
    await readOutputOrUndefined(git("worktree", "remove", place))
    const branch = nameBranch(place)
    const tip = await findSpareTip(git, branch)
    if (tip !== undefined) await removeBranch(git, branch, tip)
  }
  return stale
}

export const nameBranch = (place: string): string => `cadre/${path.basename(place)}`

/** The commit that a branch points to, if another branch or tag contains it, too. */
export async function findSpareTip(git: RunGit, branch: string): Promise<string | undefined> {
  const name = `refs/heads/${branch}`
  const tip = await readOutputOrUndefined(git("rev-parse", "--verify", "--quiet", name))
  if (tip === undefined) return undefined
  const holders = await git("for-each-ref", "--contains", tip, "--format=%(refname)")
  return holders.split("\n").some((holder) => holder !== "" && holder !== name) ? tip : undefined
}
