import type { RunState } from "../state/state.ts"

/** The answer to a request in flight will not be recorded. The provider may bill it. Postconditions are checked again. */
export function loseRequest(state: RunState): RunState {
  const { phase, unsettled } = state
  if (phase.type === "checking") return { ...state, phase: { type: "idle" } }
  if (phase.type !== "calling" && phase.type !== "compacting") return state
  const { attempt, reserved } = phase.start
  return {
    ...state,
    phase:
      phase.type === "compacting"
        ? { type: "overflow", attempt, error: phase.error }
        : { type: "interrupted", attempt },
    unsettled: {
      calls: unsettled.calls + 1,
      tokens: unsettled.tokens + reserved.inputTokens + reserved.outputTokens,
      cost: unsettled.cost + (reserved.cost ?? 0),
    },
  }
}
