import { existsSync, type FSWatcher, watch } from "node:fs"
import path from "node:path"
import type { Root } from "./root.ts"

export interface Watching {
  close(): void
}

/** Some file systems do not report every change, so the folders are also polled. */
const pollEvery = 2_000

/** Calls back when files below the places may have changed, `debounce` milliseconds after the last change. */
export function watchFolders(roots: () => readonly Root[], onChange: () => void, debounce: number): Watching {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, debounce)
  }
  const look = () => {
    onChange()
    follow()
  }
  const follow = () => {
    const folders = new Set(roots().map(({ path: folder }) => nearestFolder(folder)))
    for (const [folder, watcher] of watchers)
      if (!folders.has(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    for (const folder of folders) if (!watchers.has(folder)) watchOne(folder)
  }
  const watchOne = (folder: string) => {
    try {
      const watcher = watch(
        folder,
        { persistent: false, recursive: isDefinitionFolder(folder, roots()) },
        soon,
      )
      // The folder was removed. The next look follows its replacement.
      watcher.on("error", () => {
        watcher.close()
        watchers.delete(folder)
        soon()
      })
      watchers.set(folder, watcher)
    } catch {
      // Too many watches, or a file system without them: polling finds the changes.
    }
  }
  follow()
  const poll = setInterval(look, pollEvery)
  poll.unref()
  return {
    close() {
      clearTimeout(timer)
      clearInterval(poll)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** The nearest existing folder, where the creation of a missing folder can be watched. */
function nearestFolder(folder: string): string {
  let nearest = folder
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest)
  return nearest
}

/** Only folders of definitions are watched recursively. A home folder would be far too much. */
const isDefinitionFolder = (folder: string, roots: readonly Root[]): boolean =>
  roots.some((root) => root.path === folder && root.kind === "folder" && root.depth === "nested")
