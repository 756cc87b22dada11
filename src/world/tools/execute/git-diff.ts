import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { openFolder } from "../../../ground/paths/folder.ts"
import { Refusal } from "../../../ground/paths/refusal.ts"
import { fixedProgram } from "../fixed-program.ts"
import { type Git, openGit } from "../git.ts"
import type { Workspace } from "../workspace.ts"

export interface GitDiffInput {
  readonly path?: string
  readonly staged?: boolean
  readonly base?: string
}

const mostBytes = 100_000

/** Shows changes in the git repository. */
export async function showChanges(
  workspace: Workspace,
  input: GitDiffInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const place = workspace.use(input.path ?? ".", "read", context)
  const program = fixedProgram("git")
  if (program === undefined) throw new Refusal("git is not installed here. Compare files with Read instead.")
  const isFolder = fs.lstatSync(place.path, { throwIfNoEntry: false })?.isDirectory()
  const folder = openFolder(place.base, isFolder ? place.path : path.dirname(place.path), "refuse")
  try {
    const git = await openGit(program, folder.at("."), context.signal)
    const name = isFolder ? "." : path.basename(place.path)
    const paths = await readablePaths(
      workspace,
      git,
      { folder: folder.path, name, words: wanted(input) },
      context,
    )
    if (paths.length === 0) return { text: "There are no changes." }
    return await diff(git, [...wanted(input), "--", ...paths])
  } finally {
    folder.close()
  }
}

/** A revision, and nothing that git would take for an option or for a file in a commit. */
function wanted({ staged, base }: GitDiffInput): readonly string[] {
  if (base !== undefined && !/^[A-Za-z0-9_@][\w./^~@{}+-]*$/.test(base))
    throw new Refusal(
      `${JSON.stringify(base.slice(0, 100))} is no commit, branch or tag. Give its name alone.`,
    )
  return [...(staged ? ["--cached"] : []), "--end-of-options", ...(base === undefined ? [] : [base])]
}

const mostPaths = 1000

/** The changed files that may be shown, for git itself knows no rules; the name that was given where all of them may. */
async function readablePaths(
  workspace: Workspace,
  git: Git,
  {
    folder,
    name,
    words,
  }: { readonly folder: string; readonly name: string; readonly words: readonly string[] },
  context: ToolContext,
): Promise<readonly string[]> {
  // A file that was moved shows what it was called before, too: that may be what is not to be read.
  const listed = await git(
    ["diff", ...safe, "--no-renames", "--relative", "--name-only", "-z", ...words, "--", name],
    mostBytes * 10,
  )
  if (listed.exitCode !== 0 && listed.stopped === undefined) throw failed(listed.errors)
  const names = listed.output.toString().split("\0").filter(Boolean)
  const readable = names.filter((file) => workspace.mayRead(path.join(folder, file), context))
  return readable.length === names.length && names.length > 0 ? [name] : readable.slice(0, mostPaths)
}

async function diff(git: Git, words: readonly string[]) {
  const { output, errors, exitCode, stopped } = await git(
    ["diff", ...safe, "--relative", ...words],
    mostBytes,
  )
  if (stopped === undefined && exitCode !== 0) throw failed(errors)
  const note = stopped === undefined ? "" : "\n[The diff is cut here. Give a path to see a part of it.]"
  return { text: output.toString().trimEnd() + note }
}

const safe = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"]

const failed = (errors: string): Refusal =>
  new Refusal(`git could not compare: ${errors.slice(0, 1000).trim() || "it was stopped"}`)
