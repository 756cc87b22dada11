import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { FileDiff } from "../../../run/explain/file-diffs.ts"
import type { CommandContext } from "../command.ts"
import { formatTable } from "../terminal/table.ts"
import { nameIn } from "./patch-text.ts"
import type { RunDiff } from "./read-run-diff.ts"

/** One line a file with the number of added and removed lines, and a line with their sums. */
export function writeStatLines(
  { diffs, base }: RunDiff,
  { colour }: Pick<CommandContext, "colour">,
): readonly string[] {
  if (diffs.length === 0) return []
  const paint = createPainter(colour)
  const rows = diffs.map((diff) => [nameOf(diff, base), ...countsOf(diff)])
  const styles = ["strong", "added", "removed"] as const
  const lines = formatTable(rows, (text, { column }) => (column === 0 ? text : paint(styles[column]!, text)))
  const sum = (side: "added" | "removed") =>
    diffs.reduce((total, { counts }) => total + (counts?.[side] ?? 0), 0)
  const files = `${diffs.length} ${diffs.length === 1 ? "file" : "files"}`
  return [...lines.split("\n"), `${files}, +${sum("added")} -${sum("removed")} lines`]
}

const nameOf = ({ change, renamedFrom }: FileDiff, base: string): string => {
  const name = nameIn(base, change.path)
  return renamedFrom ? `${nameIn(base, renamedFrom.path)} → ${name}` : name
}

function countsOf({ counts, change, renamedFrom }: FileDiff): readonly [string, string] {
  if (!counts) return ["?", change.before ? (change.after ? "changed" : "deleted") : "new"]
  if (renamedFrom) return ["+0", "-0"]
  return [`+${counts.added}`, `-${counts.removed}`]
}
