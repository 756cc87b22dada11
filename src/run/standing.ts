import { apply } from "./apply.ts"
import type { RunResult } from "./proof.ts"
import { isResting } from "./resting.ts"
import { emptyState, type RunState } from "./state.ts"
import type { Store } from "./store.ts"
import { upcast } from "./upcast.ts"

/** How an open run stands, from its log alone: a list asks for no more of it. */
export async function standingOf(store: Store, run: string): Promise<Pick<RunResult, "status" | "waits">> {
  let state: RunState = emptyState(run)
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event) state = apply(state, event)
  }
  if (state.end) return { status: "ended" }
  if (isResting(state)) return { status: "resting" }
  return { status: "open", ...(state.phase.type === "backoff" && { waits: state.phase.wait }) }
}
