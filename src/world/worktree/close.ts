import fs from "node:fs"
import type { IsolationReport, Worktree } from "../../agent/isolation.ts"
import { messageOf } from "../../ground/errors.ts"
import { alone, gitIn, type RunGit } from "./git.ts"
import { inspectWorktree } from "./inspect.ts"
import { removeBranch, removeRecord } from "./remove.ts"

/** Tells what a run left, and removes worktree and branch where that is nothing. Whatever is in doubt is kept. */
export async function closeWorktree(worktree: Worktree): Promise<IsolationReport> {
  const { branch, base } = worktree
  let found = { branch, base, commits: 0, files: [], insertions: 0, deletions: 0 } as Omit<
    IsolationReport,
    "kept"
  >
  try {
    const { dirty, ...inspected } = await inspectWorktree(worktree)
    found = inspected
    if (dirty || found.commits > 0) return { ...found, ...there(worktree), kept: "kept" }
    await alone(worktree.repository, () => remove(worktree))
    return { ...found, kept: "removed" }
  } catch (error) {
    return { ...found, ...there(worktree), kept: "kept", problem: messageOf(error) }
  }
}

const there = ({ path }: Worktree): { path?: string } => (fs.existsSync(path) ? { path } : {})

async function remove({ path: place, branch, base, repository }: Worktree): Promise<void> {
  const git = await gitIn(repository)
  if (fs.existsSync(place)) await removeClean(git, place)
  else await removeRecord(git, place)
  await removeBranch(git, branch, base)
}

/** Git looks once more whether it is clean, and is never told to do it regardless. */
async function removeClean(git: RunGit, place: string): Promise<void> {
  try {
    // From within, where every filter is known that git would run to look.
    await (await gitIn(place))("worktree", "remove", place)
  } catch (error) {
    // It removes no tree that knows of submodules; those of this one were seen to be empty.
    if (!/containing submodules/.test(messageOf(error))) throw error
    fs.rmSync(place, { recursive: true, force: true })
    await removeRecord(git, place)
  }
}
