import fs from "node:fs"
import { messageOf } from "../../../ground/errors.ts"
import { openFile, readBytes } from "../../../ground/paths/open-file.ts"
import { Refusal } from "../../../ground/paths/refusal.ts"
import { walk } from "../../../ground/paths/walk.ts"
import { type FileMatches, mostMatchesInFile, pathPattern, type Search, type SearchEnd } from "./search.ts"
import { Matcher, SlowPattern } from "./worker.ts"

const largestFile = 5 * 1024 * 1024

/** Searches without ripgrep: the pattern runs elsewhere and is stopped when it takes too long. */
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
      const text = await textOf(search, file)
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
  const folded = pattern.startsWith("(?i)")
  const source = folded ? pattern.slice(4) : pattern
  const flags = `${folded || letters === "any-case" ? "i" : ""}${span === "lines" ? "ms" : ""}`
  try {
    new RegExp(source, flags)
    return { source, flags }
  } catch (error) {
    throw new Refusal(
      `The pattern is no regular expression: ${messageOf(error)}. Mend it, or escape what is meant literally.`,
    )
  }
}

async function* filesOf(search: Search, end: SearchEnd): AsyncGenerator<string> {
  const { place, context, deadline } = search
  if (search.kind !== "folder") {
    yield place.path
    return
  }
  const wanted = search.glob === undefined ? undefined : pathPattern(search.glob)
  for await (const found of walk(
    place.base,
    place.path,
    { ignore: "git", signal: context.signal, deadline },
    end,
  ))
    if (found.kind === "file" && (wanted?.matches(found.relative) ?? true)) yield found.path
}

/** Undefined for what is no text, or cannot be read. */
async function textOf(
  { place, kind, workspace, context }: Search,
  file: string,
): Promise<string | undefined> {
  // Before it is opened: what must not be read is not read.
  if (!workspace.mayRead(file, context)) return undefined
  try {
    const opened = openFile(place.base, file)
    try {
      if (opened.stats.size > largestFile) {
        if (kind === "folder") return undefined
        throw new Refusal(
          `${file} has ${opened.stats.size} bytes; without ripgrep only files up to ${largestFile} are searched.`,
        )
      }
      const bytes = await readBytes(opened, Number(opened.stats.size))
      return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString()
    } finally {
      fs.closeSync(opened.descriptor)
    }
  } catch (error) {
    if (error instanceof Refusal && kind === "folder") return undefined
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
  const shown = new Set<number>()
  for (const number of numbers)
    for (let near = Math.max(1, number - before); near <= Math.min(lines.length, number + after); near++)
      shown.add(near)
  return [...shown]
    .sort((one, other) => one - other)
    .map((number) => ({
      number,
      text: lines[number - 1]!.replace(/\r$/, ""),
      isMatch: matching.has(number),
    }))
}
