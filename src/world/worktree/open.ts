import fs from "node:fs"
import path from "node:path"
import type { Worktree } from "../../agent/isolation.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { openGitIn, type RunGit, readOutputOrUndefined, withRepositoryLock } from "./git.ts"
import { findRecord, repositoryFile } from "./records.ts"
import { removeBranch, removeRecord, removeStale } from "./remove.ts"

/**
 * Makes the worktree of a run, or finds the one that was made before. Throws a Refusal if it cannot, and
 * leaves nothing behind.
 */
export async function openWorktree(worktree: Worktree, cwd: string): Promise<void> {
  await withRepositoryLock(worktree.repository, async () => {
    const git = await openGitIn(worktree.repository)
    await removeStale(git, path.dirname(worktree.path))
    if (!(await isReady(git, worktree.path))) await make(git, worktree)
  })
  // The folder that the run starts in is missing if no commit has it.
  fs.mkdirSync(cwd, { recursive: true })
}

/**
 * True if the place is a whole worktree of its repository: a worktree is locked until all its files are
 * there.
 */
async function isReady(git: RunGit, place: string): Promise<boolean> {
  if (findRecord(place) === undefined || isHalfMade(place)) return false
  const common = ["rev-parse", "--path-format=absolute", "--git-common-dir"]
  const inside = await openGitIn(place)
  return (await inside(...common)) === (await git(...common))
}

const isHalfMade = (place: string): boolean => {
  const record = findRecord(place)
  return record !== undefined && fs.existsSync(path.join(record, "locked"))
}

async function make(git: RunGit, worktree: Worktree): Promise<void> {
  const { path: place, branch, base, repository } = worktree
  await clear(git, place)
  fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(path.dirname(place), repositoryFile), repository)
  const exists = await readOutputOrUndefined(git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`))
  const add = ["worktree", "add", "--quiet", "--lock", "--no-checkout"]
  try {
    if (exists !== undefined) await git(...add, place, branch)
    else await git(...add, "--no-track", "-b", branch, place, base)
    await checkOut(git, place)
  } catch (error) {
    fs.rmSync(place, { recursive: true, force: true })
    await removeRecord(git, place)
    if (exists === undefined) await removeBranch(git, branch, base)
    throw error
  }
}

/**
 * Checks out from within: a repository may name filters for one worktree alone, which only git in there sees.
 * The worktree stays locked until then.
 */
async function checkOut(git: RunGit, place: string): Promise<void> {
  const inside = await openGitIn(place)
  await inside("reset", "--hard", "--quiet")
  await git("worktree", "unlock", place)
}

/** Removes what a process left that died while it made the worktree, and nothing else. */
async function clear(git: RunGit, place: string): Promise<void> {
  if (fs.existsSync(place)) {
    if (!isHalfMade(place) && fs.readdirSync(place).length > 0)
      throw new PathRefusal(
        `${place} exists, but is not the worktree of this run. Move it away, and resume the run`,
      )
    fs.rmSync(place, { recursive: true, force: true })
  }
  await removeRecord(git, place)
}
