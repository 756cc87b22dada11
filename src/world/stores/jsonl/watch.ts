import fs from "node:fs"

/** Calls back when the path changes, and once a second in any case, because not every file system reports changes. */
export function watchPath(path: string, onChange: () => void): () => void {
  const timer = setInterval(onChange, 1_000)
  const watcher = tryWatch(path, onChange)
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}

function tryWatch(path: string, onChange: () => void): fs.FSWatcher | undefined {
  try {
    // After an error (the path was removed, the system has no watches left) only the timer works.
    return fs.watch(path, onChange).on("error", () => {})
  } catch {
    return undefined
  }
}
