import fs from "node:fs"
import path from "node:path"
import type { FileContent, SeenFile, UnreadFile } from "../../../agent/file-change.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { makeTemporaryFolder } from "../../../ground/paths/temporary-folder.ts"
import { findSystemProgram } from "../../../ground/system-program.ts"
import { type Git, openGit } from "../git.ts"
import { type FileLook, isUnchanged, lookAt, Room, seenFile } from "./file-look.ts"
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
    const index = await copyIndex(git, root, folder.path)
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
          found: "content",
          files: await compareWith({ git: await open(), root, index, before, mayRead, beganAt }),
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

/** Git would write the times of files to the user's own index. */
async function copyIndex(git: Git, root: string, folder: string): Promise<string> {
  const said = await outputOf(git, ["rev-parse", "--git-path", "index"])
  const source = path.resolve(root, said.replace(/\n$/, ""))
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
  for (const file of new Set([...before.keys(), ...after])) {
    const now = lookAt(file, mayRead, room)
    if (now === "other") continue
    if (before.has(file)) {
      const old = before.get(file)
      if (!isUnchanged(old, now)) files.push(seenFile(file, old?.content, now?.content))
      continue
    }
    const old = clean.get(path.relative(root, file)) ?? earlier(now, comparison)
    if (old === "unchanged") continue
    if (old || now) files.push(seenFile(file, old, now?.content))
  }
  return files
}

const mayReadIn =
  (root: string, mayRead: MayRead) =>
  (name: string): boolean =>
    mayRead(path.join(root, name))

/** File systems give times that are some milliseconds old. */
const slack = 50_000_000n

/** A file that git names only now is not new if ignore rules hid it before. Undefined: it is new. */
function earlier(
  now: FileLook | undefined,
  { beganAt }: Comparison,
): FileContent | UnreadFile | "unchanged" | undefined {
  if (!now || now.stats.ctimeNs < beganAt - slack) return "unchanged"
  return now.stats.birthtimeNs < beganAt - slack ? { without: "unknown" } : undefined
}

async function outputOf(
  git: Git,
  words: readonly string[],
  more?: { readonly index?: string; readonly input?: string },
): Promise<string> {
  const { output, errors, exitCode, stopped } = await git(words, mostBytes, undefined, more)
  if (exitCode === 0 && stopped === undefined) return output.toString()
  throw new PathRefusal(`git ${words[0]} failed: ${stopped ?? (errors.slice(0, 300).trim() || exitCode)}`)
}
