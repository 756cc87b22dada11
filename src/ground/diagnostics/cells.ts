import { displayWidth, graphemes } from "./display-width.ts"
import { escapeText } from "./escape-text.ts"

/** One thing that is seen on a line, and what of the line it stands for. */
export interface Cell {
  /** UTF-16 offsets in the line; `end` is not part of it. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** Where it begins on the screen, and how many columns it takes. */
  readonly column: number
  readonly width: number
}

const tab = "    "

export function cellsOf(line: string): readonly Cell[] {
  const cells: Cell[] = []
  let start = 0
  let column = 0
  for (const unit of graphemes(line).flatMap(visibleUnits)) {
    const text = shown(unit)
    const width = displayWidth(text)
    cells.push({ start, end: start + unit.length, text, column, width })
    start += unit.length
    column += width
  }
  return cells
}

/** A line that fits into a width: what does not is cut at its end. */
export function clip(line: string, width: number): string {
  const cells = cellsOf(line.slice(0, width * 4))
  const end = cells.at(-1)
  if (line.length <= width * 4 && (!end || end.column + end.width <= width))
    return cells.map(({ text }) => text).join("")
  const kept = cells.filter((cell) => cell.column + cell.width < width)
  return `${kept.map(({ text }) => text).join("")}…`
}

/** A grapheme with something hidden in it comes apart, so that each piece can be pointed at. */
function visibleUnits(grapheme: string): readonly string[] {
  return escapeText(grapheme) === grapheme ? [grapheme] : [...grapheme]
}

function shown(unit: string): string {
  if (unit === "\t") return tab
  // A mark without a letter would sit on whatever is left of it.
  if (/^\p{M}/u.test(unit)) return escapeText(unit) === unit ? `◌${unit}` : escapeText(unit)
  return escapeText(unit)
}
