import fs from "node:fs"
import path from "node:path"
import { type PathPlace, resolvePlace } from "../../ground/paths/contain.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { type WalkEnd, walk } from "../../ground/paths/walk.ts"
import { detectNameLanguage } from "./languages.ts"

/** A source file that a look goes through. */
export interface SourcePlace {
  readonly path: string
  /** From the root, with "/" between names. */
  readonly file: string
  readonly language: string
  /** `path`: the user named this very file. `folder`: it lies in a folder that the user named. */
  readonly from: "path" | "folder"
}

/** A path that cannot be looked at, or not completely. */
export interface PlaceProblem {
  readonly file: string
  readonly severity: "error" | "warning"
  readonly message: string
}

/** Resolves a path below a root. The directory may lie elsewhere. */
export function placeBelow(root: string, directory: string, text: string): PathPlace {
  const here = fs.realpathSync.native(directory)
  return isInside(root, here)
    ? resolvePlace({ root, more: [] }, here, text, "read")
    : resolvePlace({ root, more: [] }, root, text === "" ? text : path.resolve(here, text), "read")
}

/** The most names that one walk reads. */
const mostNames = 2_000_000

/**
 * The source files below some paths: folders in the order of names, without what .gitignore excludes. Links are
 * not followed. A file that is named outright is never left out, and one of an unknown kind is `text`.
 */
export async function* listSourceFiles(
  root: string,
  directory: string,
  paths: readonly string[],
  tell: (problem: PlaceProblem) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourcePlace> {
  const seen = new Set<string>()
  for (const text of paths) {
    const target = placeBelow(root, directory, text)
    const stats = target.type === "inside" ? fs.lstatSync(target.path, { throwIfNoEntry: false }) : undefined
    if (target.type !== "inside" || !stats) {
      const message = target.type === "inside" ? `${text} does not exist. Check its spelling.` : target.reason
      tell({ file: text, severity: "error", message })
      continue
    }
    // A path inside of one that was walked gives nothing new, except for a file that was left out there.
    if (seen.has(target.path)) continue
    seen.add(target.path)
    const file = path.relative(root, target.path).split(path.sep).join("/")
    if (!stats.isDirectory()) {
      yield { path: target.path, file, language: detectNameLanguage(file) ?? "text", from: "path" }
      continue
    }
    const end: WalkEnd = {}
    const around = [...seen].filter((one) => one !== target.path)
    const options = {
      ignore: "git" as const,
      maxEntries: mostNames,
      ...(signal && { signal }),
      enter: (folder: { readonly path: string }) => !around.includes(folder.path),
    }
    for await (const entry of walk(root, target.path, options, end)) {
      if (entry.kind !== "file" || seen.has(entry.path)) continue
      const language = detectNameLanguage(entry.relative)
      if (language === undefined) continue
      const inside = file === "" ? entry.relative : `${file}/${entry.relative}`
      yield { path: entry.path, file: inside, language, from: "folder" }
    }
    if (end.cut !== undefined)
      tell({ file: text, severity: "warning", message: `The look at ${text} is incomplete: ${end.cut}.` })
  }
}
