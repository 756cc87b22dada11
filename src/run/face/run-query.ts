import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { isRunId } from "../log/id.ts"
import type { RunHead, RunQuery } from "../log/store.ts"

/** The filter of a query, so that every store reads it in the same way. */
export function matches(head: RunHead, query: RunQuery): boolean {
  const { agent, status, outcome, model, since, before, task } = query
  if (agent !== undefined && head.agent !== agent) return false
  if (status !== undefined && head.status !== status) return false
  if (outcome !== undefined && head.outcome !== outcome) return false
  if (model !== undefined && head.model !== model) return false
  if (since !== undefined && head.startedAt < since) return false
  if (before !== undefined && head.startedAt >= before) return false
  return task === undefined || hasWords(head.task ?? "", task)
}

function hasWords(line: string, words: string): boolean {
  const lower = line.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** The roots in the order of a query, from its cursor on. Their ids sort by time. */
export function orderRoots(roots: readonly string[], { order, cursor }: RunQuery): readonly string[] {
  const sorted = [...roots].sort()
  if (order !== "oldest") sorted.reverse()
  if (cursor === undefined) return sorted
  return sorted.filter((root) => (order === "oldest" ? root > cursor : root < cursor))
}

/** Those of a tree that come after the cursor. */
export function afterCursor<Head extends { readonly run: string }>(
  heads: readonly Head[],
  { cursor }: RunQuery,
): readonly Head[] {
  return cursor === undefined ? heads : heads.slice(heads.findIndex(({ run }) => run === cursor) + 1)
}

/** What cannot be understood in a query must not come out as a list of everything, or of nothing. */
export function requireQuery(query: RunQuery): void {
  requireKnownOptions("list", query, runQuery)
  const { limit, status, order } = query
  for (const id of [query.root, query.cursor])
    if (id !== undefined && !(typeof id === "string" && isRunId(id)))
      throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(String(id).slice(0, 100))} is not a run id.`)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw wrong("limit", limit, "a whole number from 0 on")
  requireOneOf("status", status, ["open", "ended"])
  requireOneOf("order", order, ["newest", "oldest"])
  for (const name of ["since", "before"] as const)
    if (query[name] !== undefined && !Number.isFinite(query[name]))
      throw wrong(name, query[name], "a time in milliseconds since 1970")
  for (const name of ["agent", "outcome", "model", "task"] as const)
    if (query[name] !== undefined && typeof query[name] !== "string") throw wrong(name, query[name], "a text")
}

function requireOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value)) throw wrong(name, value, known.join(" or "))
}

const wrong = (name: string, value: unknown, expected: string): CadreError =>
  new CadreError(
    "OPTION_INVALID",
    `\`${name}\` of a list of runs must be ${expected}, but it is ${JSON.stringify(value)}.`,
  )

const runQuery: KnownOptions<RunQuery> = {
  root: "known",
  agent: "known",
  status: "known",
  outcome: "known",
  model: "known",
  since: "known",
  before: "known",
  task: "known",
  order: "known",
  limit: "known",
  cursor: "known",
}
