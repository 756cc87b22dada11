import { clip } from "../diagnostics/cells.ts"
import type { Paint } from "../diagnostics/paint.ts"
import { type DiffHunk, findHunks } from "./find-hunks.ts"

export interface ShowOptions {
  readonly paint: Paint
  /** Longer lines are cut to so many columns. Absent: no line is cut. */
  readonly columns?: number
  /** Unchanged lines around each change. Default: 3. */
  readonly context?: number
  /** The most lines; the rest is counted in a last line. Absent: all. */
  readonly mostLines?: number
}

/**
 * Shows the difference of two texts to a person, as the lines of a unified diff without file names. Control characters
 * are escaped, tabs are spaces, so the lines are no patch. Empty: the texts are the same.
 */
export async function showChanges(
  before: string,
  after: string,
  { context, ...options }: ShowOptions,
): Promise<readonly string[]> {
  return showHunks(await findHunks(before, after, context), options)
}

export function showHunks(
  hunks: readonly DiffHunk[],
  { paint, columns, mostLines = Number.POSITIVE_INFINITY }: Omit<ShowOptions, "context">,
): readonly string[] {
  const lines = hunks.flatMap((hunk) => [writeHunkHeader(hunk), ...hunk.lines])
  const shown = lines.length <= mostLines ? lines : lines.slice(0, Math.max(0, mostLines - 1))
  const rest = lines.length - shown.length
  return [
    ...shown.map((line) => paintLine(line, columns ?? Number.MAX_SAFE_INTEGER, paint)),
    ...(rest > 0 ? [paint("faint", `… and ${rest} more lines`)] : []),
  ]
}

/** The line of a unified diff that says where a hunk is. A count of one is left out, as git does. */
export const writeHunkHeader = ({ oldStart, oldLines, newStart, newLines }: DiffHunk): string =>
  `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`

const rangeText = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)

function paintLine(line: string, columns: number, paint: Paint): string {
  const text = clip(line, columns)
  switch (line[0]) {
    case "+":
      return paint("added", text)
    case "-":
      return paint("removed", text)
    case "@":
      return paint("cyan", text)
    case "\\":
      return paint("faint", text)
    default:
      return text
  }
}
