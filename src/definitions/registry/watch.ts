import { existsSync, type FSWatcher, watch } from "node:fs"
import path from "node:path"
import type { Root } from "./root.ts"

export interface Watching {
  close(): void
}

/** Not every change is told by every file system: a cheap look now and then makes up for it. */
const pollEvery = 2_000

/** Calls back, some time after the last of several changes, when something below the places may have changed. */
export function watchFolders(roots: () => readonly Root[], changed: () => void, debounce: number): Watching {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, debounce)
  }
  const look = () => {
    changed()
    follow()
  }
  const follow = () => {
    const wanted = new Set(roots().map(({ path: folder }) => nearestFolder(folder)))
    for (const [folder, watcher] of watchers)
      if (!wanted.has(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    for (const folder of wanted) if (!watchers.has(folder)) watchOne(folder)
  }
  const watchOne = (folder: string) => {
    try {
      const watcher = watch(
        folder,
        { persistent: false, recursive: isDefinitionFolder(folder, roots()) },
        soon,
      )
      // A folder that is removed; what is there in its place is followed after the next look.
      watcher.on("error", () => {
        watcher.close()
        watchers.delete(folder)
        soon()
      })
      watchers.set(folder, watcher)
    } catch {
      // Too many watches, or a file system without them: the poll sees it.
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

/** A folder that is not there yet is waited for in the nearest one that is. */
function nearestFolder(folder: string): string {
  let nearest = folder
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest)
  return nearest
}

/** Only what holds definitions is watched to its depth; a home folder would be far too much. */
const isDefinitionFolder = (folder: string, roots: readonly Root[]): boolean =>
  roots.some((root) => root.path === folder && root.kind === "folder" && root.depth === "nested")
