/** One place where two texts differ, as in a unified diff: line numbers count from 1. */
export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** The lines with their marks: ` `, `-`, `+`, or `\` for the note about a missing final newline. */
  readonly lines: readonly string[]
}

/** Texts that differ in more lines are not compared line by line: that would take too long. */
const mostEdits = 3_000

/** The places where two texts differ, with lines of context. Every line counts with its line ending. */
export async function findHunks(before: string, after: string, context = 3): Promise<readonly DiffHunk[]> {
  if (before === after) return []
  // Beside a missing text there is nothing to compare.
  if (before === "" || after === "") return [wholeHunk(before, after)]
  const { structuredPatch } = await import("diff")
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context,
    maxEditLength: mostEdits,
  })
  return patch?.hunks ?? [wholeHunk(before, after)]
}

/** The number of lines that hunks add and remove. */
export function countLines(hunks: readonly DiffHunk[]): { readonly added: number; readonly removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const having = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  return { added: having("+"), removed: having("-") }
}

/** Removes one text and adds the other. */
function wholeHunk(before: string, after: string): DiffHunk {
  const [old, now] = [markLines("-", before), markLines("+", after)]
  return {
    oldStart: old.count === 0 ? 0 : 1,
    oldLines: old.count,
    newStart: now.count === 0 ? 0 : 1,
    newLines: now.count,
    lines: [...old.lines, ...now.lines],
  }
}

function markLines(
  mark: "-" | "+",
  text: string,
): { readonly lines: readonly string[]; readonly count: number } {
  if (text === "") return { lines: [], count: 0 }
  const isWhole = text.endsWith("\n")
  const lines = (isWhole ? text.slice(0, -1) : text).split("\n").map((line) => mark + line)
  return { lines: isWhole ? lines : [...lines, noNewline], count: lines.length }
}

/** The note of a unified diff below a last line without a newline. */
const noNewline = "\\ No newline at end of file"
