import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

/** Colours one cell. Control characters in its text are already escaped. */
export type PaintCell = (text: string, at: { readonly row: number; readonly column: number }) => string

/** Aligns the columns of rows with equal lengths. Lines have no spaces at their end. Control characters are escaped. */
export function formatTable(rows: readonly (readonly string[])[], paint: PaintCell = (text) => text): string {
  const safeRows = rows.map((row) => row.map(escapeText))
  const cellWidths = safeRows.map((row) => row.map(displayWidth))
  const widths = cellWidths.reduce<number[]>(
    (widest, row) => row.map((width, column) => Math.max(widest[column] ?? 0, width)),
    [],
  )
  return safeRows
    .map((cells, row) =>
      cells
        .map((cell, column) => {
          const padding = column === cells.length - 1 ? 0 : widths[column]! - cellWidths[row]![column]!
          return `${paint(cell, { row, column })}${" ".repeat(padding)}`
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** A column that may be cut to so many characters. At 0 it is left out. */
export interface ColumnCut {
  readonly column: number
  readonly least: number
}

/**
 * Cuts the cells of rows so that a table of them fits a width. `cuts` names columns in the order in which they are cut, the
 * least important first, and maybe several times. Other columns stay whole. Without a width nothing is cut.
 */
export function fitColumns(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  cuts: readonly ColumnCut[],
): readonly (readonly string[])[] {
  if (columns === undefined) return rows
  const safe = rows.map((row) => row.map(escapeText))
  const widths = safe[0]!.map((_, column) => Math.max(...safe.map((row) => displayWidth(row[column]!))))
  const gone = new Set<number>()
  const total = () => {
    const kept = widths.filter((_, column) => !gone.has(column))
    return kept.reduce((sum, width) => sum + width, 0) + 2 * (kept.length - 1)
  }
  for (const { column, least } of cuts) {
    const excess = total() - columns
    if (excess <= 0) break
    if (least === 0) gone.add(column)
    else widths[column] = Math.max(Math.min(least, widths[column]!), widths[column]! - excess)
  }
  return safe.map((row) =>
    row.flatMap((cell, column) => (gone.has(column) ? [] : [cutCell(cell, widths[column]!)])),
  )
}

/** Cuts by display width, because Chinese and Japanese characters take two columns. */
function cutCell(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell
  let text = ""
  for (const character of cell) {
    if (displayWidth(text + character) > width - 1) break
    text += character
  }
  return `${text}…`
}

/** Writes a text as one line of at most so many characters. */
export function cutToOneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line
}
