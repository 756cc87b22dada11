import fs from "node:fs"

/** Calls back when the path changes, and once a second in any case: not every file system tells. */
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
    // An error (the path was removed, the system has no watches left) leaves the timer.
    return fs.watch(path, onChange).on("error", () => {})
  } catch {
    return undefined
  }
}
