import type { RunStep } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import { stepNote } from "../words/prompt.ts"

/** A run is in another step of its workflow, or the workflow is complete: its model is told with its next turn. */
export function takeStep(state: RunState, key: string, step: RunStep): RunState {
  const note = {
    key: `step:${key}`,
    from: "runtime",
    text: stepNote(step, state.step),
    passive: true as const,
  }
  return {
    ...state,
    step,
    inbox: [...state.inbox, note],
    // What was blocked there may be allowed here.
    ...(step.via && { blocked: undefined }),
  }
}
