import fs from "node:fs"
import path from "node:path"
import type { Worktree } from "../../agent/isolation.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import { alone, answerOf, gitIn, type RunGit } from "./git.ts"
import { recordAt, repositoryFile } from "./records.ts"
import { removeBranch, removeRecord, removeStale } from "./remove.ts"

/** Makes the worktree of a run, or finds it as it was made. Throws a Refusal, and leaves nothing, where it cannot. */
export async function openWorktree(worktree: Worktree, cwd: string): Promise<void> {
  await alone(worktree.repository, async () => {
    const git = await gitIn(worktree.repository)
    await removeStale(git, path.dirname(worktree.path))
    if (!(await isReady(git, worktree.path))) await make(git, worktree)
  })
  // What git does not know is not in a commit: the folder it starts in may be one of those.
  fs.mkdirSync(cwd, { recursive: true })
}

/** Whether it is a whole worktree of its repository: one is locked until all its files are there. */
async function isReady(git: RunGit, place: string): Promise<boolean> {
  if (recordAt(place) === undefined || isHalfMade(place)) return false
  const common = ["rev-parse", "--path-format=absolute", "--git-common-dir"]
  const inside = await gitIn(place)
  return (await inside(...common)) === (await git(...common))
}

const isHalfMade = (place: string): boolean => {
  const record = recordAt(place)
  return record !== undefined && fs.existsSync(path.join(record, "locked"))
}

async function make(git: RunGit, worktree: Worktree): Promise<void> {
  const { path: place, branch, base, repository } = worktree
  await clear(git, place)
  fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(path.dirname(place), repositoryFile), repository)
  const exists = await answerOf(git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`))
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

/** From within: a repository may name filters for its worktrees alone, and only there they are seen. Locked until then. */
async function checkOut(git: RunGit, place: string): Promise<void> {
  const inside = await gitIn(place)
  await inside("reset", "--hard", "--quiet")
  await git("worktree", "unlock", place)
}

/** Takes away what a process that died while making it left there, and nothing else. */
async function clear(git: RunGit, place: string): Promise<void> {
  if (fs.existsSync(place)) {
    if (!isHalfMade(place) && fs.readdirSync(place).length > 0)
      throw new Refusal(`${place} is there and is not the worktree it should be. Move it away, and go on`)
    fs.rmSync(place, { recursive: true, force: true })
  }
  await removeRecord(git, place)
}
