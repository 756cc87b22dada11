import fs from "node:fs"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError, describeThrown, quoteName } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { openGitIn, type RunGit } from "../worktree/git.ts"
import { compareNodes, type NodeChange } from "./compare.ts"
import { createNodeFilter, type DiscoverOptions, discoverNodes, requireDiscoverOptions } from "./discover.ts"
import { extractNodes } from "./extract.ts"
import { detectNameLanguage, detectTextLanguage, mayBeOf } from "./languages.ts"
import type { CodeNode } from "./node.ts"
import { openReaders, type Readers } from "./readers.ts"
import { decodeSource } from "./source-text.ts"

/** The changes since a commit. */
export interface ChangedNodes {
  /** The nodes of the files as they are now, in their order, and then those that are gone. */
  readonly changes: readonly NodeChange[]
  /** The files that could not be read or only in part. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The code nodes that differ between a commit and the files as they are now, with those that git does not know
 * yet. Only the files that differ are read. Throws OPTION_INVALID if there is no repository or no such commit.
 *
 * @example
 * ```ts
 * import { findChangedNodes } from "cadre/nodes"
 *
 * const { changes } = await findChangedNodes(process.cwd(), "main", { types: ["function", "method"] })
 * for (const change of changes)
 *   if (change.type === "renamed") console.log(`${change.before.fullName} is now ${change.node.fullName}`)
 * ```
 */
export async function findChangedNodes(
  root: string,
  reference: string,
  options: DiscoverOptions = {},
): Promise<ChangedNodes> {
  requireDiscoverOptions("findChangedNodes", options)
  const { directory = root, paths = ["."], languages } = options
  const base = fs.realpathSync.native(root)
  const wanted = paths.map((one) => path.resolve(fs.realpathSync.native(directory), one))
  const isWanted = (file: string): boolean => {
    const language = detectNameLanguage(file)
    return (
      language !== undefined &&
      mayBeOf(languages, file, language) &&
      wanted.some((one) => isInside(one, path.join(base, file)))
    )
  }
  const { git, commit, files } = await differingFiles(base, reference)
  const now = files.filter(isWanted).filter((file) => fs.existsSync(path.join(base, file)))
  const search = discoverNodes(base, { ...rest(options), paths: now })
  const after: CodeNode[] = []
  if (now.length > 0) for await (const node of search) after.push(node)
  const before: CodeNode[] = []
  const readers = openReaders(options)
  for (const file of files.filter(isWanted)) before.push(...(await nodesAt(git, commit, file, readers)))
  const matches = createNodeFilter(options)
  const ofLanguage = ({ language }: CodeNode): boolean => !languages || languages.includes(language)
  const changes = compareNodes(before.filter(ofLanguage), after)
  return {
    changes: changes.filter((change) => matches(change.type === "removed" ? change.before : change.node)),
    diagnostics: search.diagnostics,
  }
}

/** A renamed node is found only if both of its names are looked at, so the filters apply to the changes. */
const rest = ({ languages, queries, packs, signal }: DiscoverOptions): DiscoverOptions => ({
  ...(languages && { languages }),
  ...(queries && { queries }),
  ...(packs && { packs }),
  ...(signal && { signal }),
})

async function differingFiles(
  base: string,
  reference: string,
): Promise<{ git: RunGit; commit: string; files: readonly string[] }> {
  try {
    const git = await openGitIn(base)
    const commit = (await git("rev-parse", "--verify", "--end-of-options", `${reference}^{commit}`)).trim()
    const differing = await git("diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--")
    const untracked = await git("ls-files", "--others", "--exclude-standard", "-z")
    const files = [...differing.split("\0"), ...untracked.split("\0")].filter((file) => file !== "")
    return { git, commit, files: [...new Set(files)].sort() }
  } catch (error) {
    if (!(error instanceof PathRefusal)) throw error
    throw new CadreError(
      "OPTION_INVALID",
      `Changes since ${quoteName(reference)} cannot be found: ${describeThrown(error)}. Give a branch, a tag or a commit of the repository.`,
      { cause: error },
    )
  }
}

/** None for a file that the commit does not have. */
async function nodesAt(
  git: RunGit,
  commit: string,
  file: string,
  readers: Readers,
): Promise<readonly CodeNode[]> {
  const entry = await git("ls-tree", "-z", commit, "--", file)
  // Links and submodules are no source files.
  if (!/^100\d{3} blob /.test(entry)) return []
  const source = decodeSource(Buffer.from(await git("cat-file", "blob", `${commit}:./${file}`)))
  if (source.type === "refused") return []
  const language = detectTextLanguage(file, detectNameLanguage(file)!, source.text)
  const reader = await readers.open(language)
  return extractNodes({ file, language, text: source.text, bytes: source.bytes }, reader).nodes
}
