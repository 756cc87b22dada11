import fs from "node:fs"
import path from "node:path"
import type { SeenFile } from "../../../agent/file-change.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { makeTemporaryFolder } from "../../../ground/paths/temporary-folder.ts"
import { findSystemProgram } from "../../../ground/system-program.ts"
import { type Git, openGit } from "../git.ts"
import { type FileLook, isSameLook, lookAt, makeSeenFile, Room } from "./file-look.ts"
import { readIndexEntries } from "./index-entries.ts"
import type { MayRead, WorkspaceView } from "./view.ts"

/**
 * Looks at a workspace in a git repository. Git only reads: it lists the files that differ from a copy of the index, and
 * gives the content of files that did not. Nothing is written to the repository, and no program of its configuration
 * runs. Undefined: there is no repository.
 */
export async function takeGitView(root: string, mayRead: MayRead): Promise<WorkspaceView | undefined> {
  const program = findSystemProgram("git")
  if (program === undefined || !hasRepository(root)) return undefined
  const beganAt = BigInt(Date.now()) * 1_000_000n
  const open = () => openGit(program, root, new AbortController().signal)
  const git = await open()
  const folder = makeTemporaryFolder("cadre-index-")
  try {
    const [source, ...ruleFiles] = await findGitFiles(git, root)
    const index = copyIndex(source!, folder.path)
    const rules = stampsOf(ruleFiles)
    const room = new Room()
    const before = new Map<string, FileLook | undefined>()
    for (const file of await listDifferent(git, root, index)) {
      const look = lookAt(file, mayRead, room)
      if (look !== "other") before.set(file, look)
    }
    return {
      async compare() {
        // The command may have changed the configuration, so that it names other programs now.
        return {
          detail: "content",
          files: await compareWith({
            git: await open(),
            root,
            index,
            before,
            mayRead,
            beganAt,
            keepsRules: () => rules === stampsOf(ruleFiles),
          }),
        }
      },
      close: () => folder.remove(),
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}

function hasRepository(root: string): boolean {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, ".git"))) return true
    if (folder === path.dirname(folder)) return false
  }
}

/** A larger index belongs to a repository whose files take too long to list. */
const largestIndex = 200_000_000
const mostBytes = 20_000_000

/** The index, and the files outside of the work tree that say which files git ignores. */
async function findGitFiles(git: Git, root: string): Promise<readonly string[]> {
  const names = ["index", "info/exclude", "config"].flatMap((name) => ["--git-path", name])
  const output = await outputOf(git, ["rev-parse", ...names])
  return output
    .replace(/\n$/, "")
    .split("\n")
    .map((name) => path.resolve(root, name))
}

/** Differs when one of these files has changed. */
const stampsOf = (files: readonly string[]): string =>
  files
    .map((file) => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : "none"))
    .join(", ")

/** Git would write the times of files to the user's own index. */
function copyIndex(source: string, folder: string): string {
  const copy = path.join(folder, "index")
  const stats = fs.lstatSync(source, { bigint: true, throwIfNoEntry: false })
  // A new repository has no index, and git reads a missing one as an empty one.
  if (!stats) return copy
  if (!stats.isFile() || stats.size > largestIndex)
    throw new PathRefusal("the index of the git repository is too large, or no file")
  fs.copyFileSync(source, copy, fs.constants.COPYFILE_FICLONE)
  // Git compares the content of a file that is as new as the index. An earlier time makes it compare more.
  const time = Math.floor(Number(stats.mtimeNs / 1_000_000_000n))
  fs.utimesSync(copy, time, time)
  return copy
}

/** The files that differ from the index, and those that neither the index nor the ignore rules name. */
async function listDifferent(git: Git, root: string, index: string): Promise<ReadonlySet<string>> {
  const words = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"]
  const list = await outputOf(git, words, { index })
  return new Set(
    list
      .split("\0")
      // Repositories in the repository are listed as folders.
      .filter((name) => name !== "" && !name.endsWith("/"))
      .map((name) => path.join(root, name)),
  )
}

interface Comparison {
  readonly git: Git
  readonly root: string
  readonly index: string
  readonly before: ReadonlyMap<string, FileLook | undefined>
  readonly mayRead: MayRead
  readonly beganAt: bigint
  /** True if the rules outside of the work tree about ignored files are the same. */
  keepsRules(): boolean
}

async function compareWith(comparison: Comparison): Promise<readonly SeenFile[]> {
  const { git, root, index, before, mayRead } = comparison
  const after = await listDifferent(git, root, index)
  const room = new Room()
  const fromIndex = [...after].filter((file) => !before.has(file))
  const clean = await readIndexEntries(
    git,
    index,
    fromIndex.map((file) => path.relative(root, file)),
    mayReadIn(root, mayRead),
  )
  const files: SeenFile[] = []
  const named: { readonly file: string; readonly now: FileLook }[] = []
  for (const file of new Set([...before.keys(), ...after])) {
    const now = lookAt(file, mayRead, room)
    if (now === "other") continue
    const old = before.has(file) ? before.get(file)?.content : clean.get(path.relative(root, file))
    if (before.has(file)) {
      if (!isSameLook(before.get(file), now)) files.push(makeSeenFile(file, old, now?.content))
    } else if (old) files.push(makeSeenFile(file, old, now?.content))
    else if (now) named.push({ file, now })
  }
  const isIgnoring = ({ path: file }: SeenFile) => path.basename(file) === ".gitignore"
  const hasSameRules = comparison.keepsRules() && ![...files, ...named.map(toSeen)].some(isIgnoring)
  const isNew = ({ now }: (typeof named)[number]) =>
    hasSameRules || now.stats.birthtimeNs >= comparison.beganAt - slack
  // A file that git names only now may have been ignored before.
  return [
    ...files,
    ...named.map((one) =>
      makeSeenFile(one.file, isNew(one) ? undefined : { without: "unknown" }, one.now.content),
    ),
  ]
}

const toSeen = ({ file }: { readonly file: string }): SeenFile => ({ path: file })

const mayReadIn =
  (root: string, mayRead: MayRead) =>
  (name: string): boolean =>
    mayRead(path.join(root, name))

/** File systems give times that are some milliseconds old. */
const slack = 50_000_000n

async function outputOf(
  git: Git,
  words: readonly string[],
  more?: { readonly index?: string; readonly input?: string },
): Promise<string> {
  const { output, errors, exitCode, stopped } = await git(words, mostBytes, undefined, more)
  if (exitCode === 0 && stopped === undefined) return output.toString()
  throw new PathRefusal(`git ${words[0]} failed: ${stopped ?? (errors.slice(0, 300).trim() || exitCode)}`)
}
