import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"

/** A run opens its worktree before it calls its model or a tool, and closes it before it ends. */
export function withResource(state: RunState, actions: readonly Action[]): readonly Action[] {
  const status = state.resource?.status
  const wants = (...types: readonly Action["type"][]) => actions.some(({ type }) => types.includes(type))
  // A closed worktree is opened again, because a message may make the run go on.
  // After a stop, hooks do without the worktree: it may be the reason for the stop.
  const begins = wants("call-model", "start-call", "check") || (wants("ask-hooks", "spawn-at") && !state.stop)
  if (status !== "open" && begins) return [{ type: "open-resource" }]
  if (status !== "closed" && wants("end")) return [{ type: "close-resource" }]
  return actions
}
