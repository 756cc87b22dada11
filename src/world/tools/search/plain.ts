import fs from "node:fs"
import { describeThrown } from "../../../ground/errors.ts"
import { openFile, readBytes } from "../../../ground/paths/open-file.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { walk } from "../../../ground/paths/walk.ts"
import { type FileMatches, mostMatchesInFile, type Search, type SearchEnd, toPathGlob } from "./search.ts"
import { Matcher, SlowPattern } from "./worker.ts"

const largestFile = 5 * 1024 * 1024

/** Searches without ripgrep. The pattern runs in a worker, which is stopped if it takes too long. */
export async function* searchPlainly(search: Search, end: SearchEnd): AsyncGenerator<FileMatches> {
  const { source, flags } = expression(search)
  const matcher = new Matcher({
    source,
    flags,
    span: search.span,
    most: search.detail === "files" ? 1 : mostMatchesInFile,
  })
  try {
    for await (const file of filesOf(search, end)) {
      search.context.signal.throwIfAborted()
      const text = await readText(search, file)
      if (text === undefined) continue
      const numbers = await matcher.match(text, search.deadline, search.context.signal)
      if (numbers.length > 0) yield { path: file, lines: linesAround(text, numbers, search) }
    }
  } catch (error) {
    if (!(error instanceof SlowPattern)) throw error
    end.cut = "the pattern takes too long on one of the files; use one with fewer nested repetitions"
  } finally {
    await matcher.close()
  }
}

function expression({ pattern, letters, span }: Search): { source: string; flags: string } {
  const ignoresCase = pattern.startsWith("(?i)")
  const source = ignoresCase ? pattern.slice(4) : pattern
  const flags = `${ignoresCase || letters === "any-case" ? "i" : ""}${span === "lines" ? "ms" : ""}`
  try {
    new RegExp(source, flags)
    return { source, flags }
  } catch (error) {
    throw new PathRefusal(
      `The pattern is not a valid regular expression: ${describeThrown(error)}. Correct it, or escape characters that are meant literally.`,
    )
  }
}

async function* filesOf(search: Search, end: SearchEnd): AsyncGenerator<string> {
  const { place, context, deadline } = search
  if (search.kind !== "folder") {
    yield place.path
    return
  }
  const filter = search.glob === undefined ? undefined : toPathGlob(search.glob)
  for await (const entry of walk(
    place.base,
    place.path,
    { ignore: "git", signal: context.signal, deadline },
    end,
  ))
    if (entry.kind === "file" && (filter?.matches(entry.relative) ?? true)) yield entry.path
}

/** Undefined for a file that is not text or cannot be read. */
async function readText(
  { place, kind, workspace, context }: Search,
  file: string,
): Promise<string | undefined> {
  // Checked before the file is opened: a file that must not be read is not opened.
  if (!workspace.mayRead(file, context)) return undefined
  try {
    const openedFile = openFile(place.base, file)
    try {
      if (openedFile.stats.size > largestFile) {
        if (kind === "folder") return undefined
        throw new PathRefusal(
          `${file} has ${openedFile.stats.size} bytes; without ripgrep only files up to ${largestFile} bytes are searched.`,
        )
      }
      const bytes = await readBytes(openedFile, Number(openedFile.stats.size))
      return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString()
    } finally {
      fs.closeSync(openedFile.descriptor)
    }
  } catch (error) {
    if (error instanceof PathRefusal && kind === "folder") return undefined
    throw error
  }
}

function linesAround(
  text: string,
  numbers: readonly number[],
  { before, after }: Search,
): FileMatches["lines"] {
  const lines = text.split("\n")
  const matching = new Set(numbers)
  const visibleNumbers = new Set<number>()
  for (const number of numbers)
    for (let near = Math.max(1, number - before); near <= Math.min(lines.length, number + after); near++)
      visibleNumbers.add(near)
  return [...visibleNumbers]
    .sort((one, other) => one - other)
    .map((number) => ({
      number,
      text: lines[number - 1]!.replace(/\r$/, ""),
      isMatch: matching.has(number),
    }))
}
