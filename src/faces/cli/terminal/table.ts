import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

/** Colours one cell. Control characters in its text are already escaped. */
export type PaintCell = (text: string, at: { readonly row: number; readonly column: number }) => string

/** Aligns the columns of rows with equal lengths. Lines have no spaces at their end. Control characters are escaped. */
export function table(rows: readonly (readonly string[])[], paint: PaintCell = (text) => text): string {
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

/** Writes a text as one line of at most so many characters. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line
}
