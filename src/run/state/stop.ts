import type { Outcome } from "../log/event-outcome.ts"
import type { RunStop } from "../log/event-run.ts"
import type { RunState } from "./state.ts"

/** Nothing new may start from here. The first reason stands. */
export const stop = (state: RunState, outcome: Outcome, at: number, left?: RunStop["left"]): RunState =>
  state.stop || state.end ? state : { ...state, stop: { at, outcome, ...(left && { left }) } }
