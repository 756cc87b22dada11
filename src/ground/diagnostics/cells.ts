import { displayWidth, splitGraphemes } from "./display-width.ts"
import { escapeText } from "./escape-text.ts"

/** One visible unit of a line, and the part of the line that it shows. */
export interface Cell {
  /** UTF-16 offsets in the line; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** The first column on the screen, and the number of columns. */
  readonly column: number
  readonly width: number
}

const tab = "    "

export function splitCells(line: string): readonly Cell[] {
  const cells: Cell[] = []
  let start = 0
  let column = 0
  for (const unit of splitGraphemes(line).flatMap(visibleUnits)) {
    const text = showUnit(unit)
    const width = displayWidth(text)
    cells.push({ start, end: start + unit.length, text, column, width })
    start += unit.length
    column += width
  }
  return cells
}

/** Cuts the end of a line that is wider than `width`. */
export function clip(line: string, width: number): string {
  const cells = splitCells(line.slice(0, width * 4))
  const end = cells.at(-1)
  if (line.length <= width * 4 && (!end || end.column + end.width <= width))
    return cells.map(({ text }) => text).join("")
  const visible = cells.filter((cell) => cell.column + cell.width < width)
  return `${visible.map(({ text }) => text).join("")}…`
}

/** Splits a grapheme that has something hidden in it, so that each piece can be pointed at. */
function visibleUnits(grapheme: string): readonly string[] {
  return escapeText(grapheme) === grapheme ? [grapheme] : [...grapheme]
}

function showUnit(unit: string): string {
  if (unit === "\t") return tab
  // A combining mark without a letter would be drawn on the character to its left.
  if (/^\p{M}/u.test(unit)) return escapeText(unit) === unit ? `◌${unit}` : escapeText(unit)
  return escapeText(unit)
}
