import fs from "node:fs"
import path from "node:path"
import { guardsFile } from "./sandbox-arguments.ts"

/** How many commands have something empty in the place of a path. */
const guarded = new Map<string, number>()

/**
 * The sandbox puts something empty where a protected path is missing, and that is seen outside, too. The last command to
 * end takes it away; while one runs it stays, because removing it would lift the guard.
 */
export function guardMissing(root: string, names: readonly string[]): () => void {
  const missing = names
    .map((name) => path.resolve(root, name))
    .filter((place) => guarded.has(place) || !fs.existsSync(place))
  for (const place of missing) guarded.set(place, (guarded.get(place) ?? 0) + 1)
  return () => {
    for (const place of missing) {
      const left = guarded.get(place)! - 1
      if (left > 0) guarded.set(place, left)
      else {
        guarded.delete(place)
        removeEmpty(place)
      }
    }
  }
}

function removeEmpty(place: string): void {
  try {
    if (!guardsFile(place)) fs.rmdirSync(place)
    else if (fs.lstatSync(place).size === 0) fs.unlinkSync(place)
  } catch {
    // Never made, or filled by somebody outside: then it is theirs.
  }
}
