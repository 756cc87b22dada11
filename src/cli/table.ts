import { displayWidth } from "../diagnostics/display-width.ts"
import { escapeText } from "../diagnostics/escape-text.ts"

/** Columns that line up. The last one is not padded; control characters never reach the terminal. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(escapeText))
  const widths = shown.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, displayWidth(cell))),
    [],
  )
  return shown
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : `${cell}${" ".repeat(widths[column]! - displayWidth(cell))}`,
        )
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
