import fs from "node:fs"
import path from "node:path"
import type { ChangedFile, IsolationReport, Worktree } from "../../agent/isolation.ts"
import { openGitIn, type RunGit, readOutputOrUndefined } from "./git.ts"

export interface Inspection
  extends Pick<
    IsolationReport,
    "branch" | "base" | "commits" | "files" | "more" | "insertions" | "deletions"
  > {
  /** There are changes that no commit has. */
  readonly dirty: boolean
}

/**
 * The changes of a run since its worktree was made: in commits, in files, and in untracked or ignored files.
 * A new worktree has no untracked or ignored files, so the run has made all of them.
 */
export async function inspectWorktree(worktree: Worktree): Promise<Inspection> {
  const { path: place, branch, base, repository } = worktree
  const isThere = fs.existsSync(place)
  const git = await openGitIn(isThere ? place : repository)
  const tip = await readOutputOrUndefined(git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`))
  const heads = [...(isThere ? ["HEAD"] : []), ...(tip === undefined ? [] : [tip])]
  if (heads.length === 0)
    return { branch, base, commits: 0, files: [], insertions: 0, deletions: 0, dirty: false }
  const commits = Number(await git("rev-list", "--count", ...heads, `^${base}`))
  const revisions = isThere ? [base] : [base, tip!]
  const changedFiles = statusesOf(await git("diff", ...plain, "--name-status", ...revisions, "--"))
  const lines = linesOf(await git("diff", ...plain, "--numstat", ...revisions, "--"))
  const status = isThere ? await statusOf(git) : []
  const entriesWith = (mark: string) =>
    status.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(mark.length))
  const untracked = entriesWith("?? ")
  const filledFolders = isThere ? await filledSubmodules(git, place) : []
  const files: readonly ChangedFile[] = [
    ...changedFiles,
    ...untracked.map((file) => ({ path: file, status: "untracked" as const })),
    ...entriesWith("!! ").map((file) => ({ path: file, status: "ignored" as const })),
    ...filledFolders.map((file) => ({ path: `${file}/`, status: "in-submodule" as const })),
  ].sort((left, right) => (left.path < right.path ? -1 : 1))
  const listedFiles = bounded(files)
  return {
    branch,
    base,
    commits,
    files: listedFiles,
    ...(listedFiles.length < files.length && { more: files.length - listedFiles.length }),
    insertions: lines.insertions + untrackedLines(place, untracked),
    deletions: lines.deletions,
    dirty: status.length + filledFolders.length > 0,
  }
}

/** Git does not look into submodules: it would read, and follow, the configuration that it finds there. */
const plain = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=dirty",
  "-z",
]

const statusOf = async (git: RunGit): Promise<readonly string[]> =>
  (
    await git(
      "status",
      "--porcelain",
      "-z",
      "--no-renames",
      "--untracked-files=all",
      "--ignored=matching",
      "--ignore-submodules=dirty",
    )
  )
    .split("\0")
    .filter(Boolean)

/**
 * The folders of submodules are empty in a new worktree, and git does not report files that are put there.
 */
async function filledSubmodules(git: RunGit, place: string): Promise<readonly string[]> {
  const entries = (await git("ls-files", "--stage", "-z")).split("\0")
  return entries
    .flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? [])
    .filter((name) => !isEmpty(path.join(place, name)))
}

function isEmpty(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}

/** Letters and paths alternate in the text. */
function statusesOf(text: string): readonly ChangedFile[] {
  const words = text.split("\0").slice(0, -1)
  return words.flatMap((letter, index) =>
    index % 2 === 0 ? [{ path: words[index + 1]!, status: statuses.get(letter) ?? "modified" }] : [],
  )
}

const statuses: ReadonlyMap<string, ChangedFile["status"]> = new Map([
  ["A", "added"],
  ["D", "deleted"],
])

/** Git prints "-" for a binary file, which is not counted. */
function linesOf(text: string): { insertions: number; deletions: number } {
  let insertions = 0
  let deletions = 0
  for (const [, added, removed] of text.matchAll(/(?:^|\0)(\d+)\t(\d+)\t/g)) {
    insertions += Number(added)
    deletions += Number(removed)
  }
  return { insertions, deletions }
}

const mostCounted = 500
const largestCounted = 1_000_000

function untrackedLines(place: string, files: readonly string[]): number {
  return files.slice(0, mostCounted).reduce((sum, file) => sum + linesIn(path.join(place, file)), 0)
}

function linesIn(file: string): number {
  try {
    const stats = fs.lstatSync(file)
    if (!stats.isFile() || stats.size > largestCounted) return 0
    const text = fs.readFileSync(file)
    if (text.includes(0)) return 0
    const ends = text.toString("latin1").split("\n").length - 1
    return text.length === 0 || text.at(-1) === 10 ? ends : ends + 1
  } catch {
    return 0
  }
}

const mostFiles = 300
const mostCharacters = 20_000

/** As many files as fit into an event. */
function bounded(files: readonly ChangedFile[]): readonly ChangedFile[] {
  let characters = 0
  const end = files.findIndex(({ path: name }, index) => {
    characters += name.length
    return index >= mostFiles || characters > mostCharacters
  })
  return end < 0 ? files : files.slice(0, end)
}
