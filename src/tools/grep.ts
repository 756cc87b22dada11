import fs from "node:fs"
import { Refusal } from "../paths/refusal.ts"
import { defineTool, type Tool } from "../tool.ts"
import { aliased } from "./aliased.ts"
import { fixedProgram } from "./fixed-program.ts"
import type { FileMatches, Search, SearchEnd } from "./search.ts"
import { searchPlainly } from "./search-plain.ts"
import { searchWithRipgrep } from "./search-ripgrep.ts"
import { shownPath } from "./shown-path.ts"
import { cutText } from "./shown-text.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

interface GrepInput {
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

const prompt = [
  "Search the contents of files for a regular expression, in a folder and all below it, or in one file. What .gitignore names is left out, unless path names it.",
  'output_mode "files" (default) lists the files, "content" shows the lines, "count" counts them for each file.',
  'glob keeps to some files: "*.ts", "src/**/*.{ts,tsx}". With multiline, a match may go over several lines.',
].join("\n")

const defaultLimit = 250
const mostCharacters = 40_000
const longestLine = 500
const timeAllowed = 20_000
const mostAround = 50

/** Searches files for a regular expression. `program` is ripgrep, "" for none; default: where systems put it. */
export function grepTool(workspace: Workspace, program: string = fixedProgram("rg") ?? ""): Tool {
  return defineTool<GrepInput>({
    name: "Grep",
    description: prompt,
    effect: "read",
    input: aliased<GrepInput>(schema, {
      "-i": "ignore_case",
      "-n": "line_numbers",
      "-A": "after",
      "-B": "before",
      "-C": "context",
      regex: "pattern",
      include: "glob",
    }),
    accesses: ({ path = "." }, place) => [workspace.access(path, "read", place, "below")],
    execute: worded(async (input, context) => {
      const place = workspace.use(input.path ?? ".", "read", context)
      const stats = fs.lstatSync(place.path, { throwIfNoEntry: false })
      if (!stats) throw new Refusal(`${place.path} does not exist. Look with LS or Glob for what is there.`)
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
      const page = new Page(input.head_limit ?? defaultLimit)
      for await (const file of matching(search, program, end))
        if (!page.add(linesFor(file, mode, input.line_numbers === false ? "hidden" : "shown", context.cwd)))
          break
      return { text: page.text(end.cut) }
    }),
  })
}

const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const

const schema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, maxLength: 10_000, description: "The regular expression." },
    path: { type: "string", description: "A folder or file; default: the working directory." },
    glob: { type: "string", description: "Only files whose path matches this." },
    output_mode: { type: "string", enum: ["content", "files", "count"] },
    ignore_case: { type: "boolean" },
    line_numbers: { type: "boolean", description: "With content; default true." },
    before: count("Lines to show before each match."),
    after: count("Lines to show after each match."),
    context: count("Lines to show before and after each match."),
    multiline: { type: "boolean" },
    head_limit: {
      type: "integer",
      minimum: 1,
      description: `Lines or files to show; default ${defaultLimit}.`,
    },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const

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
  const path = shownPath(cwd, file.path)
  if (mode === "files") return [path]
  if (mode === "count") return [`${path}:${file.lines.filter(({ isMatch }) => isMatch).length}`]
  let last: number | undefined
  return file.lines.flatMap(({ number, text, isMatch }) => {
    const mark = isMatch ? ":" : "-"
    const gap =
      last !== undefined && number > last + 1 && file.lines.some((line) => !line.isMatch) ? ["--"] : []
    last = number
    const shown = text.length > longestLine ? `${cutText(text, longestLine)} […line cut]` : text
    return [...gap, `${path}${mark}${numbers === "shown" ? `${number}${mark}` : ""}${shown}`]
  })
}

/** What is shown of the result. */
class Page {
  readonly #limit: number
  readonly #lines: string[] = []
  #characters = 0
  #isFull = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** False when there is no room for more. */
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
