import path from "node:path"
import type { Glob } from "./glob.ts"
import { type WalkEnd, walk } from "./walk.ts"

/** Milliseconds for finding the matches of a pattern. */
const timeAllowed = 5_000

/**
 * The files below a folder that match a pattern, without those that .gitignore excludes. `end` says if the
 * list is incomplete.
 */
export async function* findMatchingFiles(root: string, pattern: Glob, end: WalkEnd): AsyncGenerator<string> {
  const entries = walk(
    root,
    root,
    {
      ignore: "git",
      deadline: performance.now() + timeAllowed,
      enter: ({ relative }) => pattern.advance(pattern.start, `${relative}/`).size > 0,
    },
    end,
  )
  for await (const { relative, kind } of entries)
    if (kind !== "folder" && pattern.matches(relative)) yield relative.split(path.sep).join("/")
}
