import type { FileContent, FileMode, UnreadFile } from "../../../agent/file-change.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import type { Git } from "../git.ts"
import { largestFile } from "./file-look.ts"

/** Files as they were in the work tree when they did not differ from the index, by their names in it. */
export async function readIndexEntries(
  git: Git,
  index: string,
  names: readonly string[],
  mayRead: (name: string) => boolean,
): Promise<ReadonlyMap<string, FileContent | UnreadFile>> {
  const entries: IndexEntry[] = []
  const converted = new Set<string>()
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const some = names.slice(start, start + namesAtOnce)
    const end = await git(["ls-files", "-z", "--stage", "--debug", "--", ...some], mostBytes, undefined, {
      index,
    })
    requireOutput("ls-files", end)
    entries.push(...parseEntries(end.output.toString()))
    for (const name of await listConverted(git, index, some)) converted.add(name)
  }
  const wanted = entries.filter(
    ({ name, size }) => mayRead(name) && size <= largestFile && !converted.has(name),
  )
  const blobs = await readBlobs(git, boundedBy(wanted))
  return new Map(
    entries.map((entry): [string, FileContent | UnreadFile] => {
      const { name, mode, id } = entry
      if (!mayRead(name)) return [name, { without: "secret", mode }]
      if (converted.has(name)) return [name, { without: "filter", mode }]
      return [name, contentOf(entry, blobs.get(id))]
    }),
  )
}

/**
 * The files that git stores with another content than they have, line endings aside. The attributes of now count, and
 * those in the index.
 */
async function listConverted(git: Git, index: string, names: readonly string[]): Promise<readonly string[]> {
  const converted: string[] = []
  for (const place of [[], ["--cached"]]) {
    const words = ["check-attr", "-z", ...place, "filter", "ident", "working-tree-encoding", "--", ...names]
    const end = await git(words, mostBytes, undefined, { index })
    requireOutput("check-attr", end)
    const parts = end.output.toString().split("\0")
    for (let part = 0; part + 2 < parts.length; part += 3)
      if (!["unspecified", "unset"].includes(parts[part + 2]!)) converted.push(parts[part]!)
  }
  return converted
}

interface IndexEntry {
  readonly name: string
  readonly mode: FileMode
  readonly id: string
  /** The size of the file in the work tree. */
  readonly size: number
}

const namesAtOnce = 500
const mostBytes = 100_000_000
/** Contents of more bytes are not read. */
const mostContent = 64 * 2 ** 20

/** `MODE ID STAGE<tab>NAME<nul>` and then lines with what git knows of the file, the size among them. */
function parseEntries(list: string): readonly IndexEntry[] {
  const pattern =
    /(\d{6}) ([0-9a-f]{40,64}) 0\t([^\0]+)\0 {2}ctime: [^\n]*\n {2}mtime: [^\n]*\n {2}dev: [^\n]*\n {2}uid: [^\n]*\n {2}size: (\d+)\t[^\n]*\n/g
  return [...list.matchAll(pattern)].flatMap(([, mode, id, name, size]) =>
    isFileMode(mode!) ? [{ name: name!, mode, id: id!, size: Number(size) }] : [],
  )
}

/** A repository in the repository has another mode. */
const isFileMode = (mode: string): mode is FileMode => ["100644", "100755", "120000"].includes(mode)

function boundedBy(entries: readonly IndexEntry[]): readonly string[] {
  let room = mostContent
  const fitting = entries.filter(({ size }) => {
    room -= size
    return room >= 0
  })
  return fitting.map(({ id }) => id)
}

/** Git has stored text with other line endings, or a filter has changed it, where the sizes differ. */
function contentOf({ size, mode }: IndexEntry, blob: Buffer | undefined): FileContent | UnreadFile {
  if (size > largestFile) return { without: "size", mode }
  if (!blob) return { without: "unknown", mode }
  if (blob.length === size) return { bytes: blob, mode }
  const withReturns = Buffer.from(blob.toString("latin1").replaceAll(/\r?\n/g, "\r\n"), "latin1")
  return withReturns.length === size ? { bytes: withReturns, mode } : { without: "filter", mode }
}

async function readBlobs(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>()
  if (ids.length === 0) return blobs
  const input = [...new Set(ids)].map((id) => `${id}\n`).join("")
  const end = await git(["cat-file", "--batch"], mostBytes, undefined, { input })
  requireOutput("cat-file", end)
  let rest = end.output
  while (rest.length > 0) {
    const lineEnd = rest.indexOf(10)
    const [id = "", type, size] = rest.subarray(0, lineEnd).toString().split(" ")
    rest = rest.subarray(lineEnd + 1)
    // An object that a partial clone has not fetched.
    if (type === "missing" || lineEnd < 0) continue
    if (type === "blob") blobs.set(id, Buffer.from(rest.subarray(0, Number(size))))
    rest = rest.subarray(Number(size) + 1)
  }
  return blobs
}

function requireOutput(word: string, { errors, exitCode, stopped }: Awaited<ReturnType<Git>>): void {
  if (exitCode === 0 && stopped === undefined) return
  throw new PathRefusal(`git ${word} failed: ${stopped ?? (errors.slice(0, 300).trim() || exitCode)}`)
}
