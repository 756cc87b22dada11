import fs from "node:fs"
import path from "node:path"
import { answerOf, type RunGit } from "./git.ts"
import { recorded } from "./records.ts"

/** Makes git forget a worktree of ours whose folder is gone. Nothing of it was finished, so its lock does not count. */
export async function removeRecord(git: RunGit, place: string): Promise<void> {
  await answerOf(git("worktree", "unlock", place))
  await answerOf(git("worktree", "remove", place))
}

/** Removes a branch, as long as it is where it is thought to be. */
export async function removeBranch(git: RunGit, branch: string, tip: string): Promise<void> {
  await answerOf(git("update-ref", "-d", `refs/heads/${branch}`, tip))
}

/** Makes git forget those worktrees in a folder that are gone; their branches, too, where those hold nothing of their own. */
export async function removeStale(git: RunGit, folder: string): Promise<readonly string[]> {
  const common = (await git("rev-parse", "--path-format=absolute", "--git-common-dir")).trim()
  const stale = recorded(common, folder).filter((place) => !fs.existsSync(place))
  for (const place of stale) {
    await answerOf(git("worktree", "remove", place))
    const branch = branchOf(place)
    const tip = await spareTip(git, branch)
    if (tip !== undefined) await removeBranch(git, branch, tip)
  }
  return stale
}

export const branchOf = (place: string): string => `cadre/${path.basename(place)}`

/** Where a branch points, if some other branch or tag holds all of it. */
export async function spareTip(git: RunGit, branch: string): Promise<string | undefined> {
  const name = `refs/heads/${branch}`
  const tip = await answerOf(git("rev-parse", "--verify", "--quiet", name))
  if (tip === undefined) return undefined
  const holders = await git("for-each-ref", "--contains", tip, "--format=%(refname)")
  return holders.split("\n").some((holder) => holder !== "" && holder !== name) ? tip : undefined
}
