import fs from "node:fs"
import path from "node:path"
import { openFolder } from "../../../ground/paths/folder.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { runPlainProgram } from "../run-program.ts"
import { type FileMatches, mostMatchesInFile, type Search, type SearchEnd, toPathGlob } from "./search.ts"

const mostBytes = 20 * 1024 * 1024

/** Searches a folder with ripgrep: in linear time, whatever the pattern. */
export async function searchWithRipgrep(
  program: string,
  search: Search,
  end: SearchEnd,
): Promise<readonly FileMatches[]> {
  const { base, path: target } = search.place
  // ripgrep starts in the open folder itself, so that no link can take its place meanwhile.
  const folder = openFolder(base, target, "refuse")
  try {
    const { output, errors, exitCode, stopped } = await runPlainProgram({
      file: program,
      words: wordsFor(search),
      cwd: folder.at("."),
      timeout: Math.max(1, search.deadline - performance.now()),
      mostBytes,
      signal: search.context.signal,
    })
    search.context.signal.throwIfAborted()
    if (stopped !== undefined)
      end.cut = stopped === "time" ? "it took too long" : "there was too much to show"
    // 1 means no match; with 2 some files may have been unreadable.
    else if (exitCode !== 0 && exitCode !== 1 && output.length === 0)
      throw new PathRefusal(`The search failed: ${errors.slice(0, 1000).trim()}`)
    const filter = search.glob === undefined ? undefined : toPathGlob(search.glob)
    return matchesIn(output.toString(), target).filter(
      ({ path: file }) => filter?.matches(path.relative(target, file)) ?? true,
    )
  } finally {
    folder.close()
  }
}

function wordsFor(search: Search): readonly string[] {
  return [
    "--no-config",
    "--json",
    "--hidden",
    "--no-follow",
    "--no-require-git",
    "--glob=!.git",
    "--max-filesize=20M",
    `--max-count=${search.detail === "files" ? 1 : mostMatchesInFile}`,
    "--sort=path",
    ...(search.letters === "any-case" ? ["--ignore-case"] : []),
    ...(search.span === "lines" ? ["--multiline", "--multiline-dotall"] : []),
    `--before-context=${search.before}`,
    `--after-context=${search.after}`,
    ...typeFor(search.glob),
    `--regexp=${search.pattern}`,
    "--",
    ".",
  ]
}

/**
 * A glob of ripgrep would bring back files that .gitignore excludes; a type does not. A type only matches
 * names, so the path is checked afterwards, and so are globs that ripgrep might read differently.
 */
function typeFor(glob: string | undefined): readonly string[] {
  const name = glob?.split("/").at(-1)
  if (name === undefined || !/^[\w.*?-]+(?:\{[\w.,-]+\})?$/.test(name)) return []
  return [`--type-add=wanted:${name}`, "--type=wanted"]
}

interface Message {
  readonly type: string
  readonly data: {
    readonly path?: EncodedText
    readonly lines?: EncodedText
    readonly line_number?: number
  }
}

/** Text that is not valid UTF-8 comes as base64. */
type EncodedText = { readonly text: string } | { readonly bytes: string }

function matchesIn(output: string, target: string): readonly FileMatches[] {
  const files = new Map<string, { number: number; text: string; isMatch: boolean }[]>()
  // The last line may be cut if the program was stopped.
  for (const line of output.slice(0, output.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue
    const { type, data } = JSON.parse(line) as Message
    if ((type !== "match" && type !== "context") || !data.path || !data.lines) continue
    const file = path.join(target, decodeText(data.path))
    const lines = files.get(file) ?? []
    files.set(file, lines)
    const texts = decodeText(data.lines)
      .replace(/\r?\n$/, "")
      .split(/\r?\n/)
    for (const [index, text] of texts.entries())
      lines.push({ number: (data.line_number ?? 1) + index, text, isMatch: type === "match" })
  }
  return [...files]
    .map(([file, lines]) => ({ path: file, lines }))
    .filter(({ path: file }) => isUnlinked(file))
}

const decodeText = (value: EncodedText): string =>
  "text" in value ? value.text : Buffer.from(value.bytes, "base64").toString()

function isUnlinked(file: string): boolean {
  try {
    return fs.realpathSync.native(file) === file
  } catch {
    return false
  }
}
