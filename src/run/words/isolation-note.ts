import { type IsolationReport, isBeyondMerge } from "../../agent/isolation.ts"
import type { ChildIsolation } from "../state/overlap.ts"
import { onOneLine } from "./text.ts"

/** The line at the end of a child's report; nothing for one that worked in place. */
export function isolationNote(isolation: ChildIsolation | undefined): string {
  if (!isolation) return ""
  const { overlaps = [] } = isolation
  const shared = [...new Set(overlaps.map(({ run }) => run))].map(
    (run) =>
      ` Also changed by run ${run}: ${listed(overlaps.flatMap((overlap) => (overlap.run === run ? [named(overlap.path)] : [])))}.`,
  )
  return `\n\n[${isolationText(isolation)}${shared.join("")}]`
}

/** One sentence or two, for people and models alike. */
export function isolationText(report: IsolationReport): string {
  const { branch, path, commits, files, more = 0, insertions, deletions, kept, problem } = report
  const why = problem === undefined ? "" : ` (${onOneLine(problem)})`
  const total = files.length + more
  if (kept === "removed") return "Its worktree had no changes and was removed."
  const place = path === undefined ? `branch ${branch}` : `branch ${branch}, kept in ${path}`
  if (total === 0 && commits === 0) return `Its worktree: ${place}${why}.`
  const counts = [
    `${count(total, "file")} changed`,
    count(insertions, "insertion"),
    count(deletions, "deletion"),
    commits === 0 ? "nothing committed" : count(commits, "commit"),
  ]
  const names = files.map((file) => `${named(file.path)} (${file.status})`)
  return `Its worktree: ${place}${why}: ${counts.join(", ")}. ${listed(names, more)}`
    .trimEnd()
    .replace(/[^.]$/, "$&.")
    .concat(leftBehind(report))
}

/** Whoever merges the branch and removes the folder, as is usual, would lose these. */
function leftBehind({ files, path }: IsolationReport): string {
  const names = files.filter(isBeyondMerge).map((file) => named(file.path))
  if (names.length === 0) return ""
  const where = path === undefined ? "" : ` out of ${path}`
  return ` A merge of the branch does not bring ${listed(names)}, which git leaves out: copy what you want to keep${where} first.`
}

/** The names of files are the child's own words, and stand outside of its envelope: whatever is not plainly a name is quoted. */
const named = (path: string): string =>
  /^[\p{L}\p{N}_./@+~=-]{1,200}$/u.test(path)
    ? path
    : JSON.stringify(onOneLine(path).slice(0, 200).toWellFormed()).replaceAll("<", "\\u003c")

const mostListed = 20

function listed(names: readonly string[], more = 0): string {
  const left = names.length - mostListed + more
  const shown = names.slice(0, mostListed).join(", ")
  return names.length > mostListed || more > 0 ? `${shown} and ${Math.max(left, more)} more` : shown
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`
