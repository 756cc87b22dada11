import fs from "node:fs"
import path from "node:path"
import { openFolder } from "./folder.ts"
import { type IgnoreFile, isIgnored, parseIgnoreFile } from "./ignore.ts"
import { openFile, readBytes } from "./open-file.ts"
import { PathRefusal } from "./refusal.ts"

export interface WalkEntry {
  /** Relative to the start of the walk, with "/" between names. */
  readonly relative: string
  readonly path: string
  readonly kind: "folder" | "file" | "link" | "special"
  readonly depth: number
}

export interface WalkOptions {
  /** `git`: files that .gitignore names are left out, and `.git` itself. `none`: nothing is. */
  readonly ignore: "git" | "none"
  readonly maxDepth?: number
  /** The most names to read in all. */
  readonly maxEntries?: number
  readonly signal?: AbortSignal
  /** The time to stop, as `performance.now` counts. */
  readonly deadline?: number
  /** True to look into a folder. */
  enter?(folder: WalkEntry): boolean
}

/** Set when the walk is over: `cut` is the reason if the walk is incomplete. */
export interface WalkEnd {
  cut?: string
}

/**
 * Everything below a folder, sorted by name, folders before their content. Never follows a link, even if
 * files change meanwhile.
 */
export async function* walk(
  base: string,
  start: string,
  options: WalkOptions,
  end: WalkEnd = {},
): AsyncGenerator<WalkEntry> {
  const { maxDepth = 64, maxEntries = 200_000, deadline = Number.POSITIVE_INFINITY } = options
  const openLevel = async (folder: WalkEntry, ignores: readonly IgnoreFile[]) => {
    options.signal?.throwIfAborted()
    const entries = await readFolder(base, folder, end)
    const rules = options.ignore === "git" ? [...ignores, ...(await ownIgnores(base, folder, entries))] : []
    return { folder, rules, remaining: entries.values() }
  }
  let count = 0
  const above = options.ignore === "git" ? await ignoresAbove(base, start) : []
  const open = [await openLevel({ relative: "", path: start, kind: "folder", depth: 0 }, above)]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const next = level.remaining.next()
    if (next.done) {
      open.pop()
      continue
    }
    const stop =
      ++count > maxEntries ? tooMany(maxEntries) : performance.now() > deadline ? tooLong : undefined
    if (stop !== undefined) {
      end.cut = stop
      return
    }
    const entry = below(level.folder, next.value)
    if (options.ignore === "git" && isLeftOut(base, level.rules, entry)) continue
    yield entry
    if (entry.kind !== "folder" || (options.enter && !options.enter(entry))) continue
    if (entry.depth < maxDepth) open.push(await openLevel(entry, level.rules))
    else end.cut ??= `folders more than ${maxDepth} levels deep were skipped`
  }
}

interface Entry {
  readonly name: string
  readonly kind: WalkEntry["kind"]
}

const below = (folder: WalkEntry, { name, kind }: Entry): WalkEntry => ({
  relative: folder.relative === "" ? name : `${folder.relative}/${name}`,
  path: path.join(folder.path, name),
  kind,
  depth: folder.depth + 1,
})

const isLeftOut = (base: string, rules: readonly IgnoreFile[], { path: target, kind }: WalkEntry): boolean =>
  path.basename(target) === ".git" ||
  isIgnored(rules, keyOf(base, target), kind === "folder" ? "folder" : "file")

const tooLong = "it took too long"
const tooMany = (most: number): string => `only the first ${most} names were read`

/** Ignore files use paths from the base, because files above the start count as well. */
const keyOf = (base: string, target: string): string => path.relative(base, target).split(path.sep).join("/")

async function readFolder(base: string, { path: target, depth }: WalkEntry, end: WalkEnd) {
  try {
    const folder = openFolder(base, target, "refuse")
    try {
      const entries = await fs.promises.readdir(folder.at("."), { withFileTypes: true })
      return entries
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    } finally {
      folder.close()
    }
  } catch (error) {
    // The requested folder must be readable. A folder below it may be private, or gone by now.
    if (depth === 0) throw error
    if (!(error instanceof PathRefusal) && (error as NodeJS.ErrnoException).code === undefined) throw error
    end.cut ??= "some folders could not be read"
    return []
  }
}

function kindOf(entry: fs.Dirent): WalkEntry["kind"] {
  if (entry.isDirectory()) return "folder"
  if (entry.isFile()) return "file"
  return entry.isSymbolicLink() ? "link" : "special"
}

/** The ignore files from the base down to the start; none if they would ignore the start itself. */
async function ignoresAbove(base: string, start: string): Promise<readonly IgnoreFile[]> {
  const files: IgnoreFile[] = []
  const names = path.relative(base, start).split(path.sep).filter(Boolean)
  let folder = base
  for (const name of names) {
    files.push(...(await readIgnoreFile(base, folder)))
    folder = path.join(folder, name)
    if (isIgnored(files, keyOf(base, folder), "folder")) return []
  }
  return files
}

async function ownIgnores(
  base: string,
  folder: WalkEntry,
  entries: readonly Entry[],
): Promise<readonly IgnoreFile[]> {
  if (!entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")) return []
  return readIgnoreFile(base, folder.path)
}

const largestIgnoreFile = 256 * 1024

async function readIgnoreFile(base: string, folder: string): Promise<readonly IgnoreFile[]> {
  try {
    const file = openFile(base, path.join(folder, ".gitignore"))
    try {
      const text = (await readBytes(file, Math.min(Number(file.stats.size), largestIgnoreFile))).toString()
      const key = keyOf(base, folder)
      return [parseIgnoreFile(key === "" ? "" : `${key}/`, text)]
    } finally {
      fs.closeSync(file.descriptor)
    }
  } catch (error) {
    if (error instanceof PathRefusal) return []
    throw error
  }
}
