import { apply } from "../decide/apply.ts"
import { isResting } from "../decide/resting.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import { emptyState, type RunState } from "../state/state.ts"
import type { RunResult } from "./proof.ts"

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
