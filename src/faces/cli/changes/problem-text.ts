import type { UnseenChanges } from "../../../run/explain/changes.ts"
import type { DiffProblem } from "../../../run/explain/file-diffs.ts"
import { cutToOneLine } from "../terminal/table.ts"

/** The reason why a change cannot be shown or undone exactly, in words that follow a path. */
export const describeDiffProblem = (problem: DiffProblem): string => problems[problem]

const problems: Readonly<Record<DiffProblem, string>> = {
  size: "larger than 1 MB, so its content was not kept",
  binary: "not text in UTF-8, so its content was not kept",
  filter: "git stores it through a filter, so its earlier content is not known",
  unknown: "its content is not known",
  secret: "secrets in it were not kept",
  lost: "its content is not in the store any more",
  unclear: "a process died while it was being changed",
  mixed: "something else changed it between two calls of the run",
}

/** Changes that nothing saw, in one line. */
export function describeUnseenChanges({ tool, call, agent, detail, why, more }: UnseenChanges): string {
  const who = `${cutToOneLine(tool === "" ? "a command" : tool, 40)} (${cutToOneLine(call, 20)}, ${cutToOneLine(agent, 40)})`
  const reason = cutToOneLine(why, 200)
  if (call === "") return `Not all changes are known: ${reason}.`
  if (more !== undefined) return `${who} changed ${more} more files that were not looked at: ${reason}.`
  return detail === "names"
    ? `Earlier content of files that ${who} changed is not known: ${reason}.`
    : `Files that ${who} may have changed are not known: ${reason}.`
}
