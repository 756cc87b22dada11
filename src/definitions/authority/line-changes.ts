/** One line that was removed or added. */
export interface LineChange {
  readonly type: "removed" | "added"
  readonly text: string
}

/** The most pairs of lines to compare. A longer list of changes would be too long to read. */
const mostPairs = 4_000_000

/** The lines that differ between two texts, in order; undefined if the texts are too long to compare. */
export function compareLines(before: string, after: string): readonly LineChange[] | undefined {
  const [old, now] = [before.split("\n"), after.split("\n")]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  const [left, right] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  return left.length * right.length > mostPairs ? undefined : walk(left, right, commonLengths(left, right))
}

/** For each pair of lines: the length of the longest common subsequence of the lines from there on. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      rows[row]![column] =
        left[row] === right[column]
          ? rows[row + 1]![column + 1]! + 1
          : Math.max(rows[row + 1]![column]!, rows[row]![column + 1]!)
  return rows
}

function walk(
  left: readonly string[],
  right: readonly string[],
  lengths: readonly Uint32Array[],
): readonly LineChange[] {
  const changes: LineChange[] = []
  let [row, column] = [0, 0]
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      row++
      column++
    } else if (
      column >= right.length ||
      (row < left.length && lengths[row + 1]![column]! >= lengths[row]![column + 1]!)
    )
      changes.push({ type: "removed", text: left[row++]! })
    else changes.push({ type: "added", text: right[column++]! })
  }
  return changes
}
