import { nextOfCall } from "./decide-call.ts"
import { fileUse } from "./file-use.ts"
import type { OpenCall, RunState } from "./state.ts"
import { countedAs } from "./tally.ts"

/**
 * Tells of each call of a turn, given in their order, whether it has to wait for one before it. They run side by side,
 * but a test must not run before the edit that it is for: what may change files or runs commands has its turn alone
 * among all that look at files. And a result is handed in when all before it have ended.
 */
export function inOrder({ plan }: Pick<RunState, "plan">): (call: OpenCall) => boolean {
  let isOpen = false
  let isLooking = false
  let isChanging = false
  return (call) => {
    const use = plan ? "nothing" : fileUse(call)
    const isHeld =
      call.kind === "submit" ? isOpen : use === "changes" ? isLooking : use === "looks" && isChanging
    if (call.status !== "ended") {
      isOpen = true
      isLooking ||= use !== "nothing"
      isChanging ||= use === "changes"
    }
    return isHeld
  }
}

/** Whatever has its place in an order waits for a call before it, and has nothing to do until then. */
export function isAllHeld(state: RunState): boolean {
  const isHeld = inOrder(state)
  for (const call of state.calls) {
    const order = isHeld(call) ? "held" : "free"
    if (countedAs(call) === "ordered" && nextOfCall(state, call, 0, order)) return false
  }
  return true
}
