/** A markdown table whose columns line up. Cells that begin with a digit are set to the right. */
export function table(head, rows) {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => String(row[column] ?? "").length)),
  )
  const line = (cells) =>
    `| ${cells.map((cell, column) => padded(String(cell ?? ""), widths[column])).join(" | ")} |`
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join(
    "\n",
  )
}

function padded(cell, width) {
  return /^-?[\d.]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}
