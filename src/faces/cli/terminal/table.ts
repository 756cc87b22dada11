import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"

/** Colours one cell, whose text is safe already. */
export type PaintCell = (text: string, at: { readonly row: number; readonly column: number }) => string

/** Columns that line up. The last one is not padded; control characters never reach the terminal. */
export function table(rows: readonly (readonly string[])[], paint: PaintCell = (text) => text): string {
  const shown = rows.map((row) => row.map(escapeText))
  const measured = shown.map((row) => row.map(displayWidth))
  const widths = measured.reduce<number[]>(
    (widest, row) => row.map((width, column) => Math.max(widest[column] ?? 0, width)),
    [],
  )
  return shown
    .map((cells, row) =>
      cells
        .map((cell, column) => {
          const padding = column === cells.length - 1 ? 0 : widths[column]! - measured[row]![column]!
          return `${paint(cell, { row, column })}${" ".repeat(padding)}`
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** One line, cut to a width. */
export function oneLine(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > width ? `${line.slice(0, width - 1).toWellFormed()}…` : line
}
