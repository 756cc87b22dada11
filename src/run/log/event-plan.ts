import type { RunEnd } from "./event-run.ts"
import type { AskedCall } from "./event-tools.ts"

/**
 * The next step of a run that no model drives, decided by the planner of its kind. `calls` join the calls in
 * flight. `end` ends the run once all of them have ended. Without either, the run waits for more results.
 */
export interface PlanEnd {
  readonly type: "plan-end"
  /** The number of results that the plan is based on. */
  readonly after: number
  readonly calls?: readonly AskedCall[]
  readonly end?: PlannedEnd
}

export type PlannedEnd = Pick<RunEnd, "outcome" | "output" | "value">
