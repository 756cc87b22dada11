import path from "node:path"
import type { Glob } from "./glob.ts"
import { type WalkEnd, walk } from "./walk.ts"

/** Milliseconds that looking for what a pattern matches may take. */
const timeAllowed = 5_000

/** The files below a folder that a pattern matches, but for what .gitignore leaves out. `end` says if not all were found. */
export async function* matchingFiles(root: string, pattern: Glob, end: WalkEnd): AsyncGenerator<string> {
  const found = walk(
    root,
    root,
    {
      ignore: "git",
      deadline: performance.now() + timeAllowed,
      enter: ({ relative }) => pattern.advance(pattern.start, `${relative}/`).size > 0,
    },
    end,
  )
  for await (const { relative, kind } of found)
    if (kind !== "folder" && pattern.matches(relative)) yield relative.split(path.sep).join("/")
}
