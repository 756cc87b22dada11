import { type IsolationReport, isBeyondMerge } from "../../agent/isolation.ts"

/** What a child that ended changed in a worktree of its own. */
export interface Changes {
  readonly run: string
  readonly files: readonly string[]
}

/** What a child left in its worktree, with what others had changed, too, in theirs. */
export interface ChildIsolation extends IsolationReport {
  readonly overlaps?: readonly { readonly path: string; readonly run: string }[]
}

/** Puts a child's report beside those of its siblings that ended before it. */
export function compareChanges(
  earlier: readonly Changes[],
  run: string,
  report: IsolationReport,
): { readonly isolation: ChildIsolation; readonly changes: readonly Changes[] } {
  // What no merge brings cannot get into the way of another one.
  const files = report.files.filter((file) => !isBeyondMerge(file)).map(({ path }) => path)
  const mine = new Set(files)
  const overlaps = earlier.flatMap((other) =>
    other.files.filter((path) => mine.has(path)).map((path) => ({ path, run: other.run })),
  )
  return {
    isolation: overlaps.length > 0 ? { ...report, overlaps } : report,
    changes: files.length > 0 ? [...earlier, { run, files }] : earlier,
  }
}
