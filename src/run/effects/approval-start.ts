import { readClock } from "../log/clock.ts"
import type { Fact } from "../log/event.ts"
import type { DecisionCause } from "../log/event-rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"

/** The event for a call that needs a person's approval, with the time at which it is over. */
export function createApprovalStart(
  { start }: RunState,
  { id, expires = Number.POSITIVE_INFINITY }: OpenCall,
  by: { readonly by?: DecisionCause },
): Fact {
  const { approvalTimeout } = start!.limits
  return {
    type: "approval-start",
    call: id,
    ...(approvalTimeout !== undefined && { expires: Math.min(expires, readClock() + approvalTimeout) }),
    ...by,
  }
}
