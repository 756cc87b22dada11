import { type Cell, splitCells } from "./cells.ts"
import type { TextRange } from "./position.ts"

/** A piece of a file to show: the lines around a place, and the marks under it. */
export type FrameLine =
  | { readonly type: "code"; readonly number: number; readonly text: string }
  | { readonly type: "mark"; readonly indent: number; readonly carets: number; readonly note: string }

/** Empty if the range is beyond the end: then the file has changed since it was read. */
export function buildCodeFrame(
  lines: readonly string[],
  range: TextRange,
  width: number,
): readonly FrameLine[] {
  const markedLine = lines[range.start.line - 1]
  if (markedLine === undefined) return []
  const view = viewOf(withoutReturn(markedLine), range, width)
  const code = (number: number): readonly FrameLine[] => {
    const line = lines[number - 1]
    // The text after the last line end counts as a line only if something points at it.
    if (line === undefined || (line === "" && number === lines.length && number > range.start.line)) return []
    return [{ type: "code", number, text: cut(withoutReturn(line), view) }]
  }
  const { line } = range.start
  return [...code(line - 1), ...code(line), markOf(view), ...code(line + 1)]
}

/** The visible part of the lines, and its marked columns. */
interface View {
  /** UTF-16 units that are skipped before anything is measured: a line can be as long as the file. */
  readonly skip: number
  readonly units: number
  readonly from: number
  readonly to: number
  readonly mark: Columns
  readonly note: string
}

interface Columns {
  readonly from: number
  readonly to: number
}

function viewOf(line: string, range: TextRange, width: number): View {
  const count = lineCount(range)
  const start = Math.max(0, Math.min(range.start.column - 1, line.length))
  const end = range.end.line > range.start.line ? line.length : Math.min(range.end.column - 1, line.length)
  const units = width * 8
  const skip = snap(line, Math.max(0, start - units / 2))
  const cells = splitCells(line.slice(skip, skip + units))
  const mark = markedColumns(cells, start - skip, end - skip)
  const note = count > 1 ? ` and ${count - 1} more ${count === 2 ? "line" : "lines"}` : ""
  // Two columns stay free for the signs of cut text.
  const space = width - 2
  const from = firstColumn({ from: mark.from, to: mark.to + note.length }, totalWidth(cells), space)
  return { skip, units, from, to: from + space, mark, note }
}

/** Puts the mark into the middle, or its beginning to the left if it does not fit. Uses all the space. */
function firstColumn(mark: Columns, total: number, space: number): number {
  if (mark.to <= space) return 0
  const spare = space - (mark.to - mark.from)
  const start = mark.from - Math.floor(spare > 0 ? spare / 2 : space / 8)
  return Math.max(0, Math.min(start, Math.max(total, mark.to) - space))
}

function markedColumns(cells: readonly Cell[], start: number, end: number): Columns {
  const cellsInRange = cells.filter((cell) => cell.end > start && cell.start < Math.max(end, start + 1))
  const first = cellsInRange[0]
  const last = cellsInRange.at(-1)
  if (first && last) return { from: first.column, to: last.column + last.width }
  const total = totalWidth(cells)
  return { from: total, to: total + 1 }
}

function totalWidth(cells: readonly Cell[]): number {
  const last = cells.at(-1)
  return last ? last.column + last.width : 0
}

function cut(line: string, view: View): string {
  const { skip, units, from, to } = view
  let text = line === "" ? "" : leftSign(view)
  for (const cell of splitCells(line.slice(snap(line, skip), skip + units))) {
    const end = cell.column + cell.width
    if (cell.column < from) text += " ".repeat(Math.max(0, Math.min(end, to) - from))
    else if (end <= to) text += cell.text
    else return `${text}…`
  }
  return line.length > skip + units ? `${text}…` : text.trimEnd()
}

function markOf(view: View): FrameLine {
  const { from, to, mark, note } = view
  return {
    type: "mark",
    indent: mark.from - from + leftSign(view).length,
    carets: Math.max(1, Math.min(mark.to, to - note.length) - mark.from),
    note,
  }
}

function leftSign({ skip, from }: View): "…" | "" {
  return skip > 0 || from > 0 ? "…" : ""
}

/** A range that ends at the beginning of a line has no part of that line. */
function lineCount({ start, end }: TextRange): number {
  return Math.max(1, end.line - start.line + (end.column > 1 ? 1 : 0))
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line
}

/** Moves a position out of a surrogate pair. */
function snap(line: string, at: number): number {
  return /^[\udc00-\udfff]/.test(line.slice(at, at + 1)) && at > 0 ? at + 1 : at
}
