import fs from "node:fs"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { searchPlainly } from "../search/plain.ts"
import { searchWithRipgrep } from "../search/ripgrep.ts"
import type { FileMatches, Search, SearchEnd } from "../search/search.ts"
import { toModelPath } from "../shown-path.ts"
import { cutText } from "../shown-text.ts"
import type { ToolWorkspace } from "../workspace.ts"

export interface GrepInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly output_mode?: "content" | "files" | "count"
  readonly ignore_case?: boolean
  readonly line_numbers?: boolean
  readonly before?: number
  readonly after?: number
  readonly context?: number
  readonly multiline?: boolean
  readonly head_limit?: number
}

const mostCharacters = 40_000
const longestLine = 500
const timeAllowed = 20_000
const mostAround = 50

/** Shows the matches in files. */
export async function searchFiles(
  workspace: ToolWorkspace,
  program: string,
  input: GrepInput & { readonly head_limit: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const place = workspace.use(input.path ?? ".", "read", context)
  const stats = fs.lstatSync(place.path, { throwIfNoEntry: false })
  if (!stats) throw new PathRefusal(`${place.path} does not exist. Use LS or Glob to see what exists.`)
  const around = input.context ?? 0
  const mode = input.output_mode ?? "files"
  const search: Search = {
    workspace,
    context,
    place,
    kind: stats.isDirectory() ? "folder" : "file",
    pattern: input.pattern,
    ...(input.glob !== undefined && { glob: input.glob }),
    letters: input.ignore_case ? "any-case" : "exact",
    span: input.multiline ? "lines" : "line",
    before: mode === "content" ? Math.min(input.before ?? around, mostAround) : 0,
    after: mode === "content" ? Math.min(input.after ?? around, mostAround) : 0,
    detail: mode === "files" ? "files" : "lines",
    deadline: performance.now() + timeAllowed,
  }
  const end: SearchEnd = {}
  const page = new Page(input.head_limit)
  for await (const file of matching(search, program, end))
    if (!page.add(linesFor(file, mode, input.line_numbers === false ? "hidden" : "shown", context.cwd))) break
  return { text: page.text(end.cut) }
}

async function* matching(search: Search, program: string, end: SearchEnd): AsyncGenerator<FileMatches> {
  if (program === "" || search.kind !== "folder") {
    yield* searchPlainly(search, end)
    return
  }
  for (const file of await searchWithRipgrep(program, search, end))
    if (search.workspace.mayRead(file.path, search.context)) yield file
}

type Mode = NonNullable<GrepInput["output_mode"]>

function linesFor(
  file: FileMatches,
  mode: Mode,
  numbers: "shown" | "hidden",
  cwd: string,
): readonly string[] {
  const path = toModelPath(cwd, file.path)
  if (mode === "files") return [path]
  if (mode === "count") return [`${path}:${file.lines.filter(({ isMatch }) => isMatch).length}`]
  let last: number | undefined
  return file.lines.flatMap(({ number, text, isMatch }) => {
    const mark = isMatch ? ":" : "-"
    const gap =
      last !== undefined && number > last + 1 && file.lines.some((line) => !line.isMatch) ? ["--"] : []
    last = number
    const visibleText = text.length > longestLine ? `${cutText(text, longestLine)} […line cut]` : text
    return [...gap, `${path}${mark}${numbers === "shown" ? `${number}${mark}` : ""}${visibleText}`]
  })
}

/** The part of the result that is shown. */
class Page {
  readonly #limit: number
  readonly #lines: string[] = []
  #characters = 0
  #isFull = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** False if there is no room for more. */
  add(lines: readonly string[]): boolean {
    for (const line of lines) {
      if (this.#lines.length >= this.#limit || this.#characters > mostCharacters) {
        this.#isFull = true
        return false
      }
      this.#lines.push(line.toWellFormed().replaceAll("\0", "\ufffd"))
      this.#characters += line.length + 1
    }
    return true
  }

  text(cut: string | undefined): string {
    const notes = [
      ...(this.#isFull
        ? [
            `[There is more: the first ${this.#lines.length} lines are shown. Narrow the search, or raise head_limit.]`,
          ]
        : []),
      ...(cut === undefined ? [] : [`[Not everything was searched: ${cut}.]`]),
    ]
    if (this.#lines.length === 0) return ["Nothing matches.", ...notes].join("\n")
    return [...this.#lines, ...notes].join("\n")
  }
}
