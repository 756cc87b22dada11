import type { RunOutcome } from "../log/event-outcome.ts"
import type { RunStop } from "../log/event-run.ts"
import type { RunState } from "./state.ts"

/** Marks a run as stopping: nothing new may start. The first reason stays. */
export const stopRun = (
  state: RunState,
  outcome: RunOutcome,
  at: number,
  result?: RunStop["left"],
): RunState =>
  state.stop || state.end ? state : { ...state, stop: { at, outcome, ...(result && { left: result }) } }
