import path from "node:path"
import { buildCodeFrame, type FrameLine } from "./code-frame.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { toDisplayPath } from "./display-path.ts"
import { escapeLines, escapeText } from "./escape-text.ts"
import { fixLines } from "./fix-lines.ts"
import { groupRepeated } from "./group-repeated.ts"
import { type Colour, createPainter, type Paint } from "./paint.ts"
import { renderSummary } from "./render-summary.ts"

export interface TextOptions {
  /** The text of a file as it was checked; without it no code is shown. */
  source(file: string): string | undefined
  readonly colour: Colour
  /** The columns of the terminal. Default: 100; at least 40. */
  readonly width?: number
  /** The folder that paths are shown relative to. */
  readonly base?: string
  /** The number of checked files, for the summary. */
  readonly files?: number
  /** The command that applies fixes, if `--fix` is not an option of the same command. */
  readonly fixWith?: string
}

/** The format for people: file by file, each finding with its place in the code, and a summary at the end. */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions): string {
  const paint = createPainter(options.colour)
  const width = Math.max(options.width ?? 100, 40)
  const repeated = new Map(
    groupRepeated(inOrder(diagnostics)).map(({ diagnostic, also }) => [diagnostic, also]),
  )
  const blocks = groupByFile([...repeated.keys()]).flatMap(([file, group]) => {
    const text = file === undefined ? undefined : options.source(file)
    const lines = text?.split("\n") ?? []
    return group.map((diagnostic) => {
      const also = repeated.get(diagnostic)!
      const head = [
        heading(diagnostic, options.base, paint),
        ...indent(escapeLines(diagnostic.message).split("\n")),
      ]
      if (also.length > 0) return [...head, ...indent([alsoIn(also, options.base)])].join("\n")
      return [
        ...head,
        ...frame(buildCodeFrame(lines, diagnostic.range, width - gutterWidth(diagnostic)), diagnostic, paint),
        ...indent(fixLines(diagnostic, text, { width: width - 2, paint })),
      ].join("\n")
    })
  })
  const summary = paint("strong", renderSummary(diagnostics, options.files, options.fixWith))
  return `${[...blocks, summary].join("\n\n")}\n`
}

/** The number of files that are named; the others are counted. */
const mostNamed = 3

function alsoIn(files: readonly string[], base: string | undefined): string {
  const firstNames = files.slice(0, mostNamed).map((file) => escapeText(path.basename(file)))
  const rest = files.length - firstNames.length
  const names = rest > 0 ? `${firstNames.join(", ")} and ${rest} more` : firstNames.join(", ")
  const folder = escapeText(toDisplayPath(path.dirname(files[0]!), base))
  return `The same in ${files.length} more ${files.length === 1 ? "file" : "files"} of ${folder}: ${names}.`
}

type Group = readonly [file: string | undefined, diagnostics: readonly Diagnostic[]]

/** Files in the order of their first finding; within a file from top to bottom. */
function groupByFile(diagnostics: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<string | undefined, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const group = groups.get(diagnostic.file)
    if (group) group.push(diagnostic)
    else groups.set(diagnostic.file, [diagnostic])
  }
  for (const group of groups.values()) group.sort(byPlace)
  return [...groups]
}

const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  groupByFile(diagnostics).flatMap(([, group]) => group)

function byPlace({ range: { start: left } }: Diagnostic, { range: { start: right } }: Diagnostic): number {
  return left.line - right.line || left.column - right.column
}

function heading(
  { file, range, severity, code }: Diagnostic,
  base: string | undefined,
  paint: Paint,
): string {
  const label = `${paint(severity, severity)} ${paint("strong", escapeText(code))}`
  if (file === undefined) return label
  return `${escapeText(toDisplayPath(file, base))}:${range.start.line}:${range.start.column} ${label}`
}

function frame(lines: readonly FrameLine[], diagnostic: Diagnostic, paint: Paint): readonly string[] {
  if (lines.length === 0) return []
  const digits = digitsOf(diagnostic)
  const rows = lines.map((line) => {
    const label = line.type === "code" ? String(line.number) : ""
    const gutter = paint("faint", `  ${label.padStart(digits)} │`)
    if (line.type === "code") return line.text === "" ? gutter : `${gutter} ${line.text}`
    return `${gutter} ${" ".repeat(line.indent)}${paint(diagnostic.severity, `${"^".repeat(line.carets)}${line.note}`)}`
  })
  return ["", ...rows]
}

/** The columns before the code: two spaces, the number, a space, a bar and a space. */
function gutterWidth(diagnostic: Diagnostic): number {
  return digitsOf(diagnostic) + 5
}

function digitsOf({ range }: Diagnostic): number {
  return String(range.start.line + 1).length
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`))
}
