import { existsSync } from "node:fs"
import { isSame } from "../formats/fields/is-same.ts"
import type { Changes } from "./changes.ts"
import { isCurrent, type ReadFile, readDefinition, unread } from "./file.ts"
import type { Root } from "./root.ts"
import { scanFolder } from "./scan.ts"

interface Folder {
  readonly root: Root
  /** By path, in the order of paths. */
  files: Map<string, ReadFile>
}

/** The places definitions come from, and what was read there. */
export class Folders {
  readonly #folders = new Map<string, Folder>()
  readonly #onRead: ((file: string) => void) | undefined

  constructor(onRead?: (file: string) => void) {
    this.#onRead = onRead
  }

  /** Reads a place; one that is there already is looked at again. */
  add(root: Root): void {
    const key = `${root.kind} ${root.path} ${root.format?.id ?? ""}`
    const files = this.#folders.get(key)?.files ?? new Map<string, ReadFile>()
    this.#folders.set(key, { root, files: refreshed(root, files, { onRead: this.#onRead }) })
  }

  refresh(): Changes {
    const changes: MutableChanges = { added: [], changed: [], removed: [] }
    for (const folder of this.#folders.values())
      folder.files = refreshed(folder.root, folder.files, { changes, onRead: this.#onRead })
    return changes
  }

  *files(): IterableIterator<{ readonly file: ReadFile; readonly root: Root }> {
    const seen = new Set<string>()
    for (const { root, files } of this.#folders.values())
      for (const file of files.values())
        if (!seen.has(file.path)) {
          seen.add(file.path)
          yield { file, root }
        }
  }

  /** What the files call their agents, as often as they do. */
  *names(): IterableIterator<string> {
    for (const { files } of this.#folders.values())
      for (const { agent } of files.values()) if (agent) yield agent.name
  }

  roots(): readonly Root[] {
    return [...this.#folders.values()].map(({ root }) => root)
  }

  clear(): void {
    this.#folders.clear()
  }
}

interface MutableChanges {
  added: string[]
  changed: string[]
  removed: string[]
}

function refreshed(
  root: Root,
  before: Map<string, ReadFile>,
  { changes, onRead }: { changes?: MutableChanges; onRead: ((file: string) => void) | undefined },
): Map<string, ReadFile> {
  const { files, refused } =
    root.kind === "folder"
      ? scanFolder(root)
      : { files: existsSync(root.path) ? [root.path] : [], refused: [] }
  const after = new Map<string, ReadFile>()
  for (const path of files) {
    const known = before.get(path)
    const file = known && !known.format?.looksOutside && isCurrent(known) ? known : reread(path, root, known)
    after.set(path, file)
    onRead?.(path)
    if (file !== known) changes?.[known ? "changed" : "added"].push(path)
  }
  for (const { file, problem } of refused) {
    const known = before.get(file)
    const isKnown = known?.hash === problem.message
    if (!isKnown) changes?.[known ? "changed" : "added"].push(file)
    // What is only noted is not of this format, or of none.
    const format = problem.severity === "info" ? undefined : root.format
    after.set(file, isKnown ? known : { ...unread(file, format, problem), hash: problem.message })
  }
  for (const path of before.keys()) if (!after.has(path)) changes?.removed.push(path)
  return after
}

/**
 * Bytes that are the same give the agent that was there: whoever holds it need not care that the file was touched. But
 * what a format looked for outside the file may have come or gone since.
 */
function reread(path: string, root: Root, known: ReadFile | undefined): ReadFile {
  const file = readDefinition(path, root.format, root.options)
  if (!known || known.hash === "" || known.hash !== file.hash) return file
  if (!isSame(known.problems, file.problems)) return file
  known.stamp = file.stamp
  return known
}
