import type { Json } from "../../ground/message.ts"
import type { OpenCall } from "./open-call.ts"
import type { RunState } from "./state.ts"
import { changeTally } from "./tally.ts"

/**
 * Changes a call of the current turn. With `only`, just where the call has that status. An ended call stays
 * as it is.
 */
export const setCall = (
  state: RunState,
  id: string,
  fields: Partial<OpenCall>,
  only?: OpenCall["status"],
): RunState => {
  const index = findCallIndex(state, id)
  const call = state.calls.at(index)
  if (!call || call.status === "ended" || (only !== undefined && call.status !== only)) return state
  const changed = { ...call, ...fields }
  return { ...state, calls: state.calls.with(index, changed), tally: changeTally(state.tally, call, changed) }
}

/** Adds a note of its tool to a call of the current turn. */
export const addNote = (state: RunState, id: string, note: Json): RunState =>
  setCall(state, id, { notes: [...(findCall(state, id)?.notes ?? []), note] })

/** The position of a call in its turn; the ids of a turn's calls are consecutive. */
export const findCallIndex = (state: RunState, id: string): number => {
  const index = Number(id.slice(1)) - (state.callCount - state.calls.length + 1)
  return state.calls.at(index)?.id === id ? index : -1
}

/**
 * The number of calls after a reply. Numbers continue from the last call, even where earlier replies are
 * lost.
 */
export const callCountAfter = (state: RunState, calls: readonly { readonly id: string }[]): number => {
  const last = calls.at(-1)
  return state.lost && last ? Math.max(state.callCount, callNumber(last.id)) : state.callCount + calls.length
}

/** The number in a call id: 5 for `c5`; 0 for an id that is not of a reply's call. */
export const callNumber = (call: string): number => (/^c\d+$/.test(call) ? Number(call.slice(1)) : 0)

/** The call of this turn with that id, in any status. */
export const findCall = (state: RunState, id: string): OpenCall | undefined =>
  state.calls.at(findCallIndex(state, id))
