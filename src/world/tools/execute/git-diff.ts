import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { openFolder } from "../../../ground/paths/folder.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { findSystemProgram } from "../../../ground/system-program.ts"
import { type Git, openGit } from "../git.ts"
import type { ToolWorkspace } from "../workspace.ts"

export interface GitDiffInput {
  readonly path?: string
  readonly staged?: boolean
  readonly base?: string
}

const mostBytes = 100_000

/** Shows changes in the git repository. */
export async function showGitChanges(
  workspace: ToolWorkspace,
  input: GitDiffInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const place = workspace.use(input.path ?? ".", "read", context)
  const program = findSystemProgram("git")
  if (program === undefined) throw new PathRefusal("git is not installed. Compare files with Read instead.")
  const isFolder = fs.lstatSync(place.path, { throwIfNoEntry: false })?.isDirectory()
  const folder = openFolder(place.base, isFolder ? place.path : path.dirname(place.path), "refuse")
  try {
    const git = await openGit(program, folder.at("."), context.signal)
    const name = isFolder ? "." : path.basename(place.path)
    const paths = await readablePaths(
      workspace,
      git,
      { folder: folder.path, name, words: revisionWords(input) },
      context,
    )
    if (paths.length === 0) return { text: "There are no changes." }
    return await diff(git, [...revisionWords(input), "--", ...paths])
  } finally {
    folder.close()
  }
}

/** Accepts a revision, and nothing that git would read as an option or as a file in a commit. */
function revisionWords({ staged, base }: GitDiffInput): readonly string[] {
  if (base !== undefined && !/^[A-Za-z0-9_@][\w./^~@{}+-]*$/.test(base))
    throw new PathRefusal(
      `${JSON.stringify(base.slice(0, 100))} is not a commit, branch or tag. Give only its name.`,
    )
  return [...(staged ? ["--cached"] : []), "--end-of-options", ...(base === undefined ? [] : [base])]
}

const mostPaths = 1000

/**
 * The changed files that may be shown, because git itself knows no rules. If all of them may, it is the given
 * name.
 */
async function readablePaths(
  workspace: ToolWorkspace,
  git: Git,
  {
    folder,
    name,
    words,
  }: { readonly folder: string; readonly name: string; readonly words: readonly string[] },
  context: ToolContext,
): Promise<readonly string[]> {
  // The diff of a moved file also shows its old name, which may be one that must not be read.
  const list = await git(
    ["diff", ...safe, "--no-renames", "--relative", "--name-only", "-z", ...words, "--", name],
    mostBytes * 10,
  )
  if (list.exitCode !== 0 && list.stopped === undefined) throw diffRefusal(list.errors)
  const names = list.output.toString().split("\0").filter(Boolean)
  const readable = names.filter((file) => workspace.mayRead(path.join(folder, file), context))
  return readable.length === names.length && names.length > 0 ? [name] : readable.slice(0, mostPaths)
}

async function diff(git: Git, words: readonly string[]) {
  const { output, errors, exitCode, stopped } = await git(
    ["diff", ...safe, "--relative", ...words],
    mostBytes,
  )
  if (stopped === undefined && exitCode !== 0) throw diffRefusal(errors)
  const note = stopped === undefined ? "" : "\n[The diff is cut here. Give a path to see a part of it.]"
  return { text: output.toString().trimEnd() + note }
}

const safe = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"]

const diffRefusal = (errors: string): PathRefusal =>
  new PathRefusal(`git diff failed: ${errors.slice(0, 1000).trim() || "it was stopped"}`)
