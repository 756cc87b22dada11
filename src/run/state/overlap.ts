import { type IsolationReport, isBeyondMerge } from "../../agent/isolation.ts"

/** The files that an ended child changed in its own worktree. */
export interface WorktreeChanges {
  readonly run: string
  readonly files: readonly string[]
}

/** A child's report on its worktree, with the files that other children changed, too. */
export interface ChildIsolation extends IsolationReport {
  readonly overlaps?: readonly { readonly path: string; readonly run: string }[]
}

/** Compares a child's changes with those of siblings that ended before it. */
export function compareChanges(
  earlier: readonly WorktreeChanges[],
  run: string,
  report: IsolationReport,
): { readonly isolation: ChildIsolation; readonly changes: readonly WorktreeChanges[] } {
  // Files that no merge brings along cannot conflict with another merge.
  const files = report.files.filter((file) => !isBeyondMerge(file)).map(({ path }) => path)
  const paths = new Set(files)
  const overlaps = earlier.flatMap((other) =>
    other.files.filter((path) => paths.has(path)).map((path) => ({ path, run: other.run })),
  )
  return {
    isolation: overlaps.length > 0 ? { ...report, overlaps } : report,
    changes: files.length > 0 ? [...earlier, { run, files }] : earlier,
  }
}
