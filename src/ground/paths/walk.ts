import fs from "node:fs"
import path from "node:path"
import { openFolder } from "./folder.ts"
import { type IgnoreFile, isIgnored, parseIgnoreFile } from "./ignore.ts"
import { openFile, readBytes } from "./open-file.ts"
import { Refusal } from "./refusal.ts"

export interface Found {
  /** Relative to the folder that the walk began in, with "/" between names. */
  readonly relative: string
  readonly path: string
  readonly kind: "folder" | "file" | "link" | "special"
  readonly depth: number
}

export interface WalkOptions {
  /** `git`: what .gitignore names is left out, and `.git` itself. `none`: nothing is. */
  readonly ignore: "git" | "none"
  readonly maxDepth?: number
  /** How many names are looked at in all. */
  readonly maxEntries?: number
  readonly signal?: AbortSignal
  /** When to stop, as `performance.now` counts. */
  readonly deadline?: number
  /** Whether to look into a folder. */
  enter?(folder: Found): boolean
}

/** Whether a walk came to its end; it says so when it is over. */
export interface WalkEnd {
  cut?: string
}

/** Everything below a folder, sorted by name, folders before what is in them. Follows no link, whatever changes meanwhile. */
export async function* walk(
  base: string,
  start: string,
  options: WalkOptions,
  end: WalkEnd = {},
): AsyncGenerator<Found> {
  const { maxDepth = 64, maxEntries = 200_000, deadline = Number.POSITIVE_INFINITY } = options
  const look = async (folder: Found, ignores: readonly IgnoreFile[]) => {
    options.signal?.throwIfAborted()
    const entries = await readFolder(base, folder, end)
    const rules = options.ignore === "git" ? [...ignores, ...(await ownIgnores(base, folder, entries))] : []
    return { folder, rules, left: entries.values() }
  }
  let count = 0
  const above = options.ignore === "git" ? await ignoresAbove(base, start) : []
  const open = [await look({ relative: "", path: start, kind: "folder", depth: 0 }, above)]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const next = level.left.next()
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
    const found = below(level.folder, next.value)
    if (options.ignore === "git" && isLeftOut(base, level.rules, found)) continue
    yield found
    if (found.kind !== "folder" || (options.enter && !options.enter(found))) continue
    if (found.depth < maxDepth) open.push(await look(found, level.rules))
    else end.cut ??= `folders more than ${maxDepth} deep were not looked into`
  }
}

interface Entry {
  readonly name: string
  readonly kind: Found["kind"]
}

const below = (folder: Found, { name, kind }: Entry): Found => ({
  relative: folder.relative === "" ? name : `${folder.relative}/${name}`,
  path: path.join(folder.path, name),
  kind,
  depth: folder.depth + 1,
})

const isLeftOut = (base: string, rules: readonly IgnoreFile[], { path: target, kind }: Found): boolean =>
  path.basename(target) === ".git" ||
  isIgnored(rules, keyOf(base, target), kind === "folder" ? "folder" : "file")

const tooLong = "it took too long"
const tooMany = (most: number): string => `only the first ${most} names were looked at`

/** Ignore files speak of paths from the base, because those above the start count as well. */
const keyOf = (base: string, target: string): string => path.relative(base, target).split(path.sep).join("/")

async function readFolder(base: string, { path: target, depth }: Found, end: WalkEnd) {
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
    // The folder that was asked for must be readable; one below it may be private, or gone by now.
    if (depth === 0) throw error
    if (!(error instanceof Refusal) && (error as NodeJS.ErrnoException).code === undefined) throw error
    end.cut ??= "some folders could not be read"
    return []
  }
}

function kindOf(entry: fs.Dirent): Found["kind"] {
  if (entry.isDirectory()) return "folder"
  if (entry.isFile()) return "file"
  return entry.isSymbolicLink() ? "link" : "special"
}

/** The ignore files from the base down to the start; none where they would leave out the start itself. */
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
  folder: Found,
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
    if (error instanceof Refusal) return []
    throw error
  }
}
