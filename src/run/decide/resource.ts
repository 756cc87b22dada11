import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"

/** A run with a worktree opens it before it asks its model or calls a tool, and has closed it when it ends. */
export function withResource(state: RunState, actions: readonly Action[]): readonly Action[] {
  const status = state.resource?.status
  const wants = (...types: readonly Action["type"][]) => actions.some(({ type }) => types.includes(type))
  // Closed, too: a message that came since has it go on.
  // Hooks at the end of one that could not have its worktree do without.
  const begins = wants("call-model", "start-call", "check") || (wants("ask-hooks", "spawn-at") && !state.stop)
  if (status !== "open" && begins) return [{ type: "open-resource" }]
  if (status !== "closed" && wants("end")) return [{ type: "close-resource" }]
  return actions
}
