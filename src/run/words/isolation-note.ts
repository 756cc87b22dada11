import { type IsolationReport, isBeyondMerge } from "../../agent/isolation.ts"
import type { ChildIsolation } from "../state/overlap.ts"
import { toOneLine } from "./text.ts"

/** The line at the end of a child's report; empty for a child that worked in place. */
export function writeIsolationNote(isolation: ChildIsolation | undefined): string {
  if (!isolation) return ""
  const { overlaps = [] } = isolation
  const shared = [...new Set(overlaps.map(({ run }) => run))].map(
    (run) =>
      ` Also changed by run ${run}: ${listed(overlaps.flatMap((overlap) => (overlap.run === run ? [named(overlap.path)] : [])))}.`,
  )
  return `\n\n[${describeIsolation(isolation)}${shared.join("")}]`
}

/** One or two sentences, for people and models alike. */
export function describeIsolation(report: IsolationReport): string {
  const { branch, path, commits, files, more = 0, insertions, deletions, kept, problem } = report
  const why = problem === undefined ? "" : ` (${toOneLine(problem)})`
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

/** Files that would be lost by merging the branch and removing the folder, as is usual. */
function leftBehind({ files, path }: IsolationReport): string {
  const names = files.filter(isBeyondMerge).map((file) => named(file.path))
  if (names.length === 0) return ""
  const where = path === undefined ? "" : ` out of ${path}`
  return ` A merge of the branch does not include ${listed(names)}, because git leaves them out. Copy the ones you want to keep${where} first.`
}

/**
 * The child chose the names of its files, and they are outside of its envelope. So all but plain names are
 * quoted.
 */
const named = (path: string): string =>
  /^[\p{L}\p{N}_./@+~=-]{1,200}$/u.test(path)
    ? path
    : JSON.stringify(toOneLine(path).slice(0, 200).toWellFormed()).replaceAll("<", "\\u003c")

const mostListed = 20

function listed(names: readonly string[], more = 0): string {
  const remaining = names.length - mostListed + more
  const first = names.slice(0, mostListed).join(", ")
  return names.length > mostListed || more > 0 ? `${first} and ${Math.max(remaining, more)} more` : first
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`
