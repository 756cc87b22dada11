import type { RunStep } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import { stepNote } from "../words/prompt.ts"

/** Takes a run to another step of its workflow, or to the workflow's end. The model is told in its next turn. */
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
    // A call that was blocked in the last step may be allowed in this one.
    ...(step.via && { blocked: undefined }),
  }
}
