/**
 * Tells a model where the file has a text that differs from `oldText` only in white space, quotes or dashes. `file` is the
 * text of the file.
 */
export function describeNearestText(file: string, oldText: string): string | undefined {
  const lines = file.slice(0, longestSearched).split(/\r?\n/)
  const parts = trimBlank(oldText.split(/\r?\n/)).map(normalizeLine)
  if (parts.every((part) => part === "")) return undefined
  const loose = lines.map(normalizeLine)
  for (let start = 0; start + parts.length <= loose.length; start++) {
    if (!parts.every((part, index) => fits(loose[start + index]!, part, parts.length))) continue
    const matches = lines.slice(start, start + parts.length)
    const excerpt = matches.slice(0, 20).map((line) => line.slice(0, 500).toWellFormed())
    return `A text that differs from it only in white space, quotes or dashes is at line ${start + 1}:\n${excerpt.join("\n")}`
  }
  return undefined
}

const longestSearched = 2_000_000

/** An `oldText` of one line may stand inside of a longer line. */
const fits = (line: string, part: string, count: number): boolean =>
  count === 1 ? line.includes(part) : line === part

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "")
  const last = lines.findLastIndex((line) => line.trim() !== "")
  return lines.slice(first, last + 1)
}

/** Removes differences that a model makes by mistake. The patch tool uses it, too. */
export function normalizeLine(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
}
