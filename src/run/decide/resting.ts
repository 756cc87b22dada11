import type { Child } from "../state/child.ts"
import type { Moments } from "../state/moment-state.ts"
import type { OpenCall } from "../state/open-call.ts"
import { findChildFor, isPlanDue, type RunState } from "../state/state.ts"
import { areOrderedCallsHeld } from "./order.ts"

/** True if a run waits only for people. It then has no process, no slot and no clock. */
export function isResting(state: RunState): boolean {
  if (state.end || state.stop || state.failed || state.phase.type !== "idle") return false
  if (isPlanDue(state)) return false
  const { ready, ordered, atWork, waiting, watching } = state.tally
  if (state.moments && isHeldUp(state.moments)) return restsAtMoment(state, state.moments)
  if (state.calls.length > 0)
    return (
      ready === 0 &&
      atWork === 0 &&
      waiting === countResting(state, "wait") &&
      (ordered === 0 || areOrderedCallsHeld(state)) &&
      (watching === 0 ||
        [...state.calls].every((call) => call.status !== "started" || watchesOnlyResting(state, call)))
    )
  if (state.final === undefined && state.moments?.goesOn !== state.turn) return false
  if (state.inbox.some(({ passive }) => !passive) || state.children.length === 0) return false
  return state.children.length === countResting(state, "wait") + countResting(state, "background")
}

/** The milliseconds on the run's own clock, which stands still at rest and without an owner. */
export const computeElapsedTime = (state: RunState, now: number): number =>
  state.active + (isResting(state) ? 0 : Math.max(0, now - state.lastAt))

/** The milliseconds that count against a run's `timeout`. */
export const computeWorkedTime = (state: RunState, now: number): number =>
  computeElapsedTime(state, now) -
  (state.waited ?? 0) -
  (isClockStopped(state) ? Math.max(0, now - state.lastAt) : 0)

/** True if only the run's own work counts against `timeout`, and it only waits for children. */
export const isClockStopped = (state: RunState): boolean =>
  state.start?.within !== undefined && !isResting(state) && waitsForChildren(state)

/** True if a run only waits for children: it has nothing to decide, and no effect of its own is at work. */
export function waitsForChildren(state: RunState): boolean {
  if (state.end || state.stop || state.failed || state.phase.type !== "idle") return false
  if (isPlanDue(state) || state.children.length === 0) return false
  const { ready, ordered, atWork, waiting, watching } = state.tally
  if (atWork > 0) return false
  if (state.moments && isHeldUp(state.moments))
    return state.moments.ended.length === 0 && state.moments.open.every(({ waits }) => waits)
  if (state.calls.length > 0)
    return ready === 0 && waiting + watching > 0 && (ordered === 0 || areOrderedCallsHeld(state))
  if (state.inbox.some(({ passive }) => !passive)) return false
  return state.final !== undefined || state.moments?.goesOn === state.turn
}

const isHeldUp = ({ open, ended }: Moments): boolean => open.length + ended.length > 0

/** True if a hook wants a child to complete first, and that child waits for a person. */
const restsAtMoment = ({ tally, children }: RunState, { open, ended }: Moments): boolean =>
  ended.length === 0 &&
  tally.atWork === 0 &&
  open.every(({ waits }) => waits) &&
  [...children].every(({ resting }) => resting)

/** True if a call only waits for runs that rest. A question to another run is not a question to a person. */
function watchesOnlyResting(state: RunState, { child, waits }: OpenCall): boolean {
  if (child !== undefined) return true
  return waits?.runs.every(({ run }) => findChildFor(state, run)?.resting !== false) ?? false
}

function countResting(state: RunState, mode: Child["mode"]): number {
  let count = 0
  for (const child of state.children) if (child.resting && child.mode === mode) count++
  return count
}
