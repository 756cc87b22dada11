import { existsSync } from "node:fs"
import { isSame } from "../formats/fields/is-same.ts"
import type { RegistryChanges } from "./changes.ts"
import { type DefinitionFile, isCurrent, makeUnreadFile, readDefinition } from "./file.ts"
import type { Root } from "./root.ts"
import { scanFolder } from "./scan.ts"

interface Folder {
  readonly root: Root
  /** By path, in the order of paths. */
  files: Map<string, DefinitionFile>
}

/** The places that definitions come from, and the files read there. */
export class Folders {
  readonly #folders = new Map<string, Folder>()
  readonly #onRead: ((file: string) => void) | undefined

  constructor(onRead?: (file: string) => void) {
    this.#onRead = onRead
  }

  /** Reads a place. A place that was added before is read again. */
  add(root: Root): void {
    const key = `${root.kind} ${root.path} ${root.format?.id ?? ""}`
    const files = this.#folders.get(key)?.files ?? new Map<string, DefinitionFile>()
    this.#folders.set(key, { root, files: refreshFiles(root, files, { onRead: this.#onRead }) })
  }

  refresh(): RegistryChanges {
    const changes: MutableChanges = { added: [], changed: [], removed: [] }
    for (const folder of this.#folders.values())
      folder.files = refreshFiles(folder.root, folder.files, { changes, onRead: this.#onRead })
    return changes
  }

  *files(): IterableIterator<{ readonly file: DefinitionFile; readonly root: Root }> {
    const seen = new Set<string>()
    for (const { root, files } of this.#folders.values())
      for (const file of files.values())
        if (!seen.has(file.path)) {
          seen.add(file.path)
          yield { file, root }
        }
  }

  /** The names of the agents of all files; a name may come several times. */
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

function refreshFiles(
  root: Root,
  before: Map<string, DefinitionFile>,
  { changes, onRead }: { changes?: MutableChanges; onRead: ((file: string) => void) | undefined },
): Map<string, DefinitionFile> {
  const { files, refused } =
    root.kind === "folder"
      ? scanFolder(root)
      : { files: existsSync(root.path) ? [root.path] : [], refused: [] }
  const after = new Map<string, DefinitionFile>()
  for (const path of files) {
    const previous = before.get(path)
    const file =
      previous && !previous.format?.looksOutside && isCurrent(previous)
        ? previous
        : reread(path, root, previous)
    after.set(path, file)
    onRead?.(path)
    if (file !== previous) changes?.[previous ? "changed" : "added"].push(path)
  }
  for (const { file, problem } of refused) {
    const previous = before.get(file)
    const isUnchanged = previous?.problems[0]?.message === problem.message
    if (!isUnchanged) changes?.[previous ? "changed" : "added"].push(file)
    // A file with a mere note belongs to another format, or to none.
    const format = problem.severity === "info" ? undefined : root.format
    after.set(file, isUnchanged ? previous : makeUnreadFile(file, format, problem))
  }
  for (const path of before.keys()) if (!after.has(path)) changes?.removed.push(path)
  return after
}

/**
 * Returns the previous result if the text is the same, so that its agent stays the same object. The findings must
 * be the same too, because files that the format looks for outside this one may have come or gone.
 */
function reread(path: string, root: Root, previous: DefinitionFile | undefined): DefinitionFile {
  const file = readDefinition(path, root.format, root.options)
  if (!previous || previous.text !== file.text) return file
  if (!isSame(previous.problems, file.problems)) return file
  previous.stamp = file.stamp
  return previous
}
