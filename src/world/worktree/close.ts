import fs from "node:fs"
import type { IsolationReport, Worktree } from "../../agent/isolation.ts"
import { describeThrown } from "../../ground/errors.ts"
import { openGitIn, type RunGit, withRepositoryLock } from "./git.ts"
import { inspectWorktree } from "./inspect.ts"
import { removeBranch, removeRecord } from "./remove.ts"

/**
 * Reports what a run left, and removes its worktree and branch if it left nothing. In doubt, both are kept.
 */
export async function closeWorktree(worktree: Worktree): Promise<IsolationReport> {
  const { branch, base } = worktree
  let report = { branch, base, commits: 0, files: [], insertions: 0, deletions: 0 } as Omit<
    IsolationReport,
    "kept"
  >
  try {
    const { dirty, ...inspected } = await inspectWorktree(worktree)
    report = inspected
    if (dirty || report.commits > 0) return { ...report, ...existingPath(worktree), kept: "kept" }
    await withRepositoryLock(worktree.repository, () => remove(worktree))
    return { ...report, kept: "removed" }
  } catch (error) {
    return { ...report, ...existingPath(worktree), kept: "kept", problem: describeThrown(error) }
  }
}

const existingPath = ({ path }: Worktree): { path?: string } => (fs.existsSync(path) ? { path } : {})

async function remove({ path: place, branch, base, repository }: Worktree): Promise<void> {
  const git = await openGitIn(repository)
  if (fs.existsSync(place)) await removeClean(git, place)
  else await removeRecord(git, place)
  await removeBranch(git, branch, base)
}

/** Git checks once more that the worktree is clean, and is never told to remove it regardless. */
async function removeClean(git: RunGit, place: string): Promise<void> {
  try {
    // From within, where every filter is known that git would run for its check.
    await (await openGitIn(place))("worktree", "remove", place)
  } catch (error) {
    // Git does not remove a worktree that contains submodules; those of this one were found to be empty.
    if (!/containing submodules/.test(describeThrown(error))) throw error
    fs.rmSync(place, { recursive: true, force: true })
    await removeRecord(git, place)
  }
}
