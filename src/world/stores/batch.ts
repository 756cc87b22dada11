import { CadreError } from "../../ground/errors.ts"
import { findParentRun, getRootRun, isRunId } from "../../run/log/id.ts"
import type { StoredEvent, StoreRefusal } from "../../run/log/store.ts"

/**
 * Says why these events cannot be the next ones of their tree, or returns undefined. `nextOf` gives the seq that a run
 * expects. An event with seq 0 of an unknown run creates that run. A wrong seq is a fault of the caller, so it throws.
 */
export function checkBatch(
  root: string,
  events: readonly StoredEvent[],
  nextOf: (run: string) => number | undefined,
): StoreRefusal | undefined {
  if (events.length === 1) return checkNext(root, events[0]!, nextOf)
  const nextSeqs = new Map<string, number>()
  const nextInBatch = (run: string) => nextSeqs.get(run) ?? nextOf(run)
  for (const event of events) {
    const refusal = checkNext(root, event, nextInBatch)
    if (refusal !== undefined) return refusal
    nextSeqs.set(event.run, event.seq + 1)
  }
  return undefined
}

/** Ids come from files, command lines and models, so every id is checked before it becomes part of a path. */
export function requireRunId(run: string): void {
  if (typeof run !== "string" || !isRunId(run))
    throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(String(run).slice(0, 100))} is not a run id.`)
}

export function requireFirst(first: StoredEvent): void {
  requireRunId(first.run)
  if (first.seq !== 0)
    throw new CadreError("STORE_FAILED", `Run ${first.run} must be created with event 0, not ${first.seq}.`)
}

export const createUnknownRunError = (run: string): CadreError =>
  new CadreError("RUN_UNKNOWN", `There is no run ${run} in this store. \`list\` shows all runs.`)

export const createNotClaimedError = (run: string): CadreError =>
  new CadreError(
    "RUN_OWNED",
    `Run ${run} cannot be created: its tree is not claimed by this store. Claim ${getRootRun(run)} first: only the owner of a tree can add to it.`,
  )

/** The answer to a creation by the result of the append that made the run. Throws if the append was refused. */
export function toCreateResult(run: string, result: "ok" | "exists" | StoreRefusal): "created" | "exists" {
  if (result === "ok") return "created"
  if (result === "exists") return "exists"
  switch (result.type) {
    case "limit":
      throw new CadreError("STORE_FAILED", result.message)
    case "unknown-run":
      throw createUnknownRunError(findParentRun(run)!)
    default:
      throw createNotClaimedError(run)
  }
}

function checkNext(
  root: string,
  event: StoredEvent,
  nextOf: (run: string) => number | undefined,
): StoreRefusal | undefined {
  const next = nextOf(event.run)
  if (next === undefined && !canStart(root, event, nextOf)) return { type: "unknown-run" }
  if (event.seq === (next ?? 0)) return undefined
  throw new CadreError(
    "STORE_FAILED",
    `Event ${event.seq} of run ${event.run} cannot be appended: the next one is ${next ?? 0}. ` +
      "Two drivers may be recording the same run; nothing was written.",
  )
}

function canStart(root: string, event: StoredEvent, nextOf: (run: string) => number | undefined): boolean {
  if (event.seq !== 0 || !isRunId(event.run) || getRootRun(event.run) !== root) return false
  const parent = findParentRun(event.run)
  return parent !== undefined && nextOf(parent) !== undefined
}
