import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import type { IsolationPlan } from "../../agent/isolation.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { answerOf, gitIn, type RunGit } from "./git.ts"

/** Where a run that starts in `cwd` would have its worktree. Throws a Refusal where it can have none. */
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
  const base = await answerOf(git("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
  const plan = planFor({ top, common, outer, base }, folder, run, cwd)
  return { ...plan, warnings: await missing(git) }
}

/** What git knows of a repository. */
export interface Repository {
  readonly top: string
  /** The folder that all of its trees share. */
  readonly common: string
  /** The repository that this one is a submodule of; empty where it is none. */
  readonly outer: string
  /** The commit that is checked out. */
  readonly base: string | undefined
}

/** The same from what is known. */
export function planFor(
  { top, common, outer, base }: Repository,
  folder: string,
  run: string,
  cwd: string,
): IsolationPlan {
  if (outer !== "")
    throw new Refusal(
      `${top} is a submodule of ${outer}, and git does not support worktrees of those. Start it in ${outer}`,
    )
  if (base === undefined)
    throw new Refusal(`${top} has no commit yet that a worktree could begin with. Make a first commit`)
  const place = path.join(withoutLinksAbove(folder), hashOf(common), run)
  if (isInside(top, place))
    throw new Refusal(
      `cadre's state folder lies in the repository ${top}, where worktrees would be files of it. Set CADRE_STATE_DIR to a folder outside`,
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

/** One folder for each repository, whichever of its trees a run starts in. */
const hashOf = (common: string): string => createHash("sha256").update(common).digest("hex").slice(0, 16)

async function gitAt(cwd: string): Promise<RunGit> {
  try {
    return await gitIn(cwd)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (/not a git repository/.test(error.message)) throw inNone(cwd)
    if (/bare repository/.test(error.message))
      throw new Refusal(
        `${cwd} is a bare repository or git's own folder, where no files are worked on. Start it in a working tree`,
      )
    throw error
  }
}

export const inNone = (cwd: string): Refusal =>
  new Refusal(`${cwd} is in no git repository. Start it in one, or set \`isolation: none\``)

/** A worktree begins with a commit: what its caller has not committed is not there. */
async function missing(git: RunGit): Promise<readonly string[]> {
  const status = await git("status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all")
  const count = status.split("\0").length - 1
  if (count === 0) return []
  return [
    `Its worktree begins with the last commit: ${count} uncommitted ${count === 1 ? "change" : "changes"} of the tree it was made from ${count === 1 ? "is" : "are"} not in it.`,
  ]
}
