import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { isRunId } from "../log/id.ts"
import type { RunHead, RunQuery } from "../log/store.ts"

/** True if a run matches the filter of a query. All stores share this function, so they agree. */
export function matchesQuery(head: RunHead, query: RunQuery): boolean {
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

/** The runs of a tree that come after the cursor. */
export function skipToCursor<Head extends { readonly run: string }>(
  heads: readonly Head[],
  { cursor }: RunQuery,
): readonly Head[] {
  return cursor === undefined ? heads : heads.slice(heads.findIndex(({ run }) => run === cursor) + 1)
}

/** Throws for an invalid query, because it must not silently list everything or nothing. */
export function requireQuery(query: RunQuery): void {
  requireKnownOptions("list", query, runQuery)
  const { limit, status, order } = query
  for (const id of [query.root, query.cursor])
    if (id !== undefined && !(typeof id === "string" && isRunId(id)))
      throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(String(id).slice(0, 100))} is not a run id.`)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw invalidOption("limit", limit, "a whole number from 0 on")
  requireOneOf("status", status, ["open", "ended"])
  requireOneOf("order", order, ["newest", "oldest"])
  for (const name of ["since", "before"] as const)
    if (query[name] !== undefined && !Number.isFinite(query[name]))
      throw invalidOption(name, query[name], "a time in milliseconds since 1970")
  for (const name of ["agent", "outcome", "model", "task"] as const)
    if (query[name] !== undefined && typeof query[name] !== "string")
      throw invalidOption(name, query[name], "a text")
}

function requireOneOf(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value)) throw invalidOption(name, value, choices.join(" or "))
}

const invalidOption = (name: string, value: unknown, expected: string): CadreError =>
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
