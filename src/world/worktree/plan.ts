import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import type { IsolationPlan } from "../../agent/isolation.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { openGitIn, type RunGit, readOutputOrUndefined } from "./git.ts"

/** Plans the worktree of a run that starts in `cwd`. Throws a Refusal if the run can have none. */
export async function planWorktree(folder: string, run: string, cwd: string): Promise<IsolationPlan> {
  const git = await gitAt(cwd)
  const [top = "", common = "", outer = ""] = (
    await git(
      "rev-parse",
      "--path-format=absolute",
      "--show-toplevel",
      "--git-common-dir",
      "--show-superproject-working-tree",
    )
  ).split("\n")
  const base = await readOutputOrUndefined(git("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
  const plan = planFor({ top, common, outer, base }, folder, run, cwd)
  return { ...plan, warnings: await warnOfUncommitted(git) }
}

/** Git's facts about a repository. */
export interface Repository {
  readonly top: string
  /** The folder that all worktrees of the repository share. */
  readonly common: string
  /** The repository that this one is a submodule of; otherwise empty. */
  readonly outer: string
  /** The commit that is checked out; undefined if there is none. */
  readonly base: string | undefined
}

/** Makes the plan from the facts about a repository. */
export function planFor(
  { top, common, outer, base }: Repository,
  folder: string,
  run: string,
  cwd: string,
): IsolationPlan {
  if (outer !== "")
    throw new PathRefusal(
      `${top} is a submodule of ${outer}, and git does not support worktrees of submodules. Start the run in ${outer}`,
    )
  if (base === undefined)
    throw new PathRefusal(`${top} has no commit yet that a worktree could start from. Make a first commit`)
  const place = path.join(withoutLinksAbove(folder), hashOf(common), run)
  if (isInside(top, place))
    throw new PathRefusal(
      `cadre's state folder is in the repository ${top}, so worktrees would be files of that repository. Set CADRE_STATE_DIR to a folder outside`,
    )
  return {
    worktree: {
      type: "worktree",
      path: place,
      branch: `cadre/${run}`,
      base,
      from: top,
      repository: path.basename(common) === ".git" ? path.dirname(common) : top,
    },
    cwd: path.join(place, path.relative(top, fs.realpathSync(cwd))),
    warnings: [],
  }
}

/** One folder for each repository, whichever of its worktrees a run starts in. */
const hashOf = (common: string): string => createHash("sha256").update(common).digest("hex").slice(0, 16)

async function gitAt(cwd: string): Promise<RunGit> {
  try {
    return await openGitIn(cwd)
  } catch (error) {
    if (!(error instanceof PathRefusal)) throw error
    if (/not a git repository/.test(error.message)) throw createNotInRepositoryError(cwd)
    if (/bare repository/.test(error.message))
      throw new PathRefusal(
        `${cwd} is a bare repository or git's own folder, which has no working files. Start the run in a working tree`,
      )
    throw error
  }
}

export const createNotInRepositoryError = (cwd: string): PathRefusal =>
  new PathRefusal(`${cwd} is not in a git repository. Start the run in one, or set \`isolation: none\``)

/** A worktree starts from a commit, so uncommitted changes of the caller are missing. */
async function warnOfUncommitted(git: RunGit): Promise<readonly string[]> {
  const status = await git("status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all")
  const count = status.split("\0").length - 1
  if (count === 0) return []
  return [
    `The worktree starts from the last commit: ${count} uncommitted ${count === 1 ? "change" : "changes"} of the original tree ${count === 1 ? "is" : "are"} not in it.`,
  ]
}
