import type { RunEnd } from "./event-run.ts"
import type { AskedCall } from "./event-tools.ts"

/**
 * What a run that no model drives does next, as its kind's planner has it: calls that join those in flight, or the end, once
 * all of them have ended. Nothing at all where it can only wait for more results.
 */
export interface PlanEnd {
  readonly type: "plan-end"
  /** How many results it was made from. */
  readonly after: number
  readonly calls?: readonly AskedCall[]
  readonly end?: PlannedEnd
}

export type PlannedEnd = Pick<RunEnd, "outcome" | "output" | "value">
