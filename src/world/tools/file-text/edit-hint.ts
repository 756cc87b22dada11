/** What stands in the file where a text was meant that differs only in white space, quotes or dashes; for the model. */
export function nearestText(file: string, wanted: string): string | undefined {
  const lines = file.slice(0, longestSearched).split(/\r?\n/)
  const parts = trimBlank(wanted.split(/\r?\n/)).map(loosely)
  if (parts.every((part) => part === "")) return undefined
  const loose = lines.map(loosely)
  for (let start = 0; start + parts.length <= loose.length; start++) {
    if (!parts.every((part, index) => fits(loose[start + index]!, part, parts.length))) continue
    const found = lines.slice(start, start + parts.length)
    const shown = found.slice(0, 20).map((line) => line.slice(0, 500).toWellFormed())
    return `Text that differs only in white space, quotes or dashes is at line ${start + 1}:\n${shown.join("\n")}`
  }
  return undefined
}

const longestSearched = 2_000_000

/** A single line may be meant as a part of one. */
const fits = (line: string, part: string, count: number): boolean =>
  count === 1 ? line.includes(part) : line === part

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "")
  const last = lines.findLastIndex((line) => line.trim() !== "")
  return lines.slice(first, last + 1)
}

/** Also for lines of a patch: all that a model changes without meaning to. */
export function loosely(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
}
