import { CadreError } from "../../ground/errors.ts"
import { isRunId, parentOf, rootOf } from "../../run/log/id.ts"
import type { Refusal, Stored } from "../../run/log/store.ts"

/**
 * Why these events cannot be the next ones of their tree, or undefined. `nextOf` answers the seq a run expects.
 * An event with seq 0 of a run that is not there creates it. A wrong seq is a fault of the caller, so it throws.
 */
export function checkBatch(
  root: string,
  events: readonly Stored[],
  nextOf: (run: string) => number | undefined,
): Refusal | undefined {
  if (events.length === 1) return checkNext(root, events[0]!, nextOf)
  const within = new Map<string, number>()
  const expected = (run: string) => within.get(run) ?? nextOf(run)
  for (const event of events) {
    const refusal = checkNext(root, event, expected)
    if (refusal !== undefined) return refusal
    within.set(event.run, event.seq + 1)
  }
  return undefined
}

/** Ids come from files, command lines and models: none may reach a path before this. */
export function requireRunId(run: string): void {
  if (typeof run !== "string" || !isRunId(run))
    throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(String(run).slice(0, 100))} is not a run id.`)
}

export function requireFirst(first: Stored): void {
  requireRunId(first.run)
  if (first.seq !== 0)
    throw new CadreError("STORE_FAILED", `Run ${first.run} must be created with event 0, not ${first.seq}.`)
}

export const unknownRun = (run: string): CadreError =>
  new CadreError("RUN_UNKNOWN", `There is no run ${run} in this store. \`list\` gives the runs there are.`)

export const notClaimed = (run: string): CadreError =>
  new CadreError(
    "RUN_OWNED",
    `Run ${run} cannot be created: its tree is not claimed by this store. Claim ${rootOf(run)} first; only the owner of a tree adds to it.`,
  )

function checkNext(
  root: string,
  event: Stored,
  nextOf: (run: string) => number | undefined,
): Refusal | undefined {
  const next = nextOf(event.run)
  if (next === undefined && !canStart(root, event, nextOf)) return { type: "unknown-run" }
  if (event.seq === (next ?? 0)) return undefined
  throw new CadreError(
    "STORE_FAILED",
    `Event ${event.seq} of run ${event.run} cannot be appended: the next one is ${next ?? 0}. ` +
      "Two drivers may be recording the same run; nothing was written.",
  )
}

function canStart(root: string, event: Stored, nextOf: (run: string) => number | undefined): boolean {
  if (event.seq !== 0 || !isRunId(event.run) || rootOf(event.run) !== root) return false
  const parent = parentOf(event.run)
  return parent !== undefined && nextOf(parent) !== undefined
}
