import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

/** Colours one cell. Its text is already safe. */
export type PaintCell = (text: string, at: { readonly row: number; readonly column: number }) => string

/** Aligns columns. The last column is not padded, and control characters are escaped. */
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

/** Joins a text into one line and cuts it to a width. */
export function oneLine(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > width ? `${line.slice(0, width - 1).toWellFormed()}…` : line
}
