import { Glob } from "./glob.ts"
import { PathRefusal } from "./refusal.ts"

/** The lines of one .gitignore file, for paths relative to its folder. */
export interface IgnoreFile {
  /** The folder of the file, relative to the start of the walk: "" or "a/b/". */
  readonly folder: string
  readonly lines: readonly IgnoreLine[]
}

interface IgnoreLine {
  /** Takes the path from the folder of the file, and its last name. */
  readonly matches: (relative: string, name: string) => boolean
  readonly keeps: boolean
  readonly foldersOnly: boolean
}

const mostLines = 2000

export function parseIgnoreFile(folder: string, text: string): IgnoreFile {
  const lines = text.split("\n").slice(0, mostLines).flatMap(parseLine)
  return { folder, lines }
}

/** True if git would ignore a path. The last matching line decides, and nearer files come later. */
export function isIgnored(files: readonly IgnoreFile[], path: string, kind: "folder" | "file"): boolean {
  for (const { folder, lines } of files.toReversed()) {
    if (!path.startsWith(folder)) continue
    const relative = path.slice(folder.length)
    const name = relative.slice(relative.lastIndexOf("/") + 1)
    const line = lines.findLast(
      ({ matches, foldersOnly }) => (kind === "folder" || !foldersOnly) && matches(relative, name),
    )
    if (line) return !line.keeps
  }
  return false
}

function parseLine(raw: string): readonly IgnoreLine[] {
  let text = raw.replace(/\r$/, "").replace(/(?<!\\) +$/, "")
  if (text === "" || text.startsWith("#")) return []
  const keeps = text.startsWith("!")
  if (keeps) text = text.slice(1)
  const foldersOnly = text.endsWith("/")
  if (foldersOnly) text = text.slice(0, -1)
  try {
    return [{ matches: matcherFor(text), keeps, foldersOnly }]
  } catch (error) {
    if (error instanceof PathRefusal) return []
    throw error
  }
}

/** Every line is tried on every path, so plain ones are compared and not run as patterns. */
function matcherFor(text: string): IgnoreLine["matches"] {
  // A slash ties the line to the folder of the file; without one it applies anywhere below.
  const isTied = text.includes("/")
  const glob = text.replace(/^\//, "")
  if (!/[*?[\\]/.test(glob)) return isTied ? (relative) => relative === glob : (_, name) => name === glob
  if (/^\*[^*?[\\/]+$/.test(glob) && !isTied) return (_, name) => name.endsWith(glob.slice(1))
  // In these files braces and groups are plain characters.
  const pattern = new Glob(glob.replace(/[{}()]/g, "\\$&"))
  return isTied ? (relative) => pattern.matches(relative) : (_, name) => pattern.matches(name)
}
