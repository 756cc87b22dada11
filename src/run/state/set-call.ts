import type { OpenCall } from "./open-call.ts"
import type { RunState } from "./state.ts"
import { changeTally } from "./tally.ts"

/** Changes a call of the turn that has not ended, where it is in that status. */
export const setCall = (
  state: RunState,
  id: string,
  fields: Partial<OpenCall>,
  only?: OpenCall["status"],
): RunState => {
  const index = indexOf(state, id)
  const call = state.calls.at(index)
  if (!call || call.status === "ended" || (only !== undefined && call.status !== only)) return state
  const changed = { ...call, ...fields }
  return { ...state, calls: state.calls.with(index, changed), tally: changeTally(state.tally, call, changed) }
}

/** The calls of a turn are numbered in a row. */
export const indexOf = (state: RunState, id: string): number => {
  const index = Number(id.slice(1)) - (state.callCount - state.calls.length + 1)
  return state.calls.at(index)?.id === id ? index : -1
}

/** Calls are numbered on from the last one that is known, also where replies before it are lost. */
export const callCountAfter = (state: RunState, calls: readonly { readonly id: string }[]): number => {
  const last = calls.at(-1)
  return state.lost && last ? Math.max(state.callCount, numberOf(last.id)) : state.callCount + calls.length
}

/** Of `c5` 5; 0 for what is no call of a reply. */
export const numberOf = (call: string): number => (/^c\d+$/.test(call) ? Number(call.slice(1)) : 0)

/** A call of the turn, whatever its status. */
export const callOf = (state: RunState, id: string): OpenCall | undefined =>
  state.calls.at(indexOf(state, id))
