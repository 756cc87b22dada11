import { applyRunEvent } from "../decide/apply.ts"
import { isResting } from "../decide/resting.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import type { RunResult } from "./proof.ts"

/** The status of an open run, from its log alone. A list of runs shows no more of it. */
export async function readRunStatus(store: Store, run: string): Promise<Pick<RunResult, "status" | "waits">> {
  let state: RunState = emptyRunState(run)
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event) state = applyRunEvent(state, event)
  }
  if (state.end) return { status: "ended" }
  if (isResting(state)) return { status: "resting" }
  return { status: "open", ...(state.phase.type === "backoff" && { waits: state.phase.wait }) }
}
