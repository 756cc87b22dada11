import type { Access } from "../tool.ts"
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
    const changes = !plan && has(call, changing)
    const looks = changes || (!plan && has(call, looking))
    const isHeld = call.kind === "submit" ? isOpen : isChanging ? looks : changes && isLooking
    if (call.status !== "ended") {
      isOpen = true
      isLooking ||= looks
      isChanging ||= changes
    }
    return isHeld
  }
}

/** Whatever could go on waits for a call before it. */
export function isAllHeld(state: RunState): boolean {
  const isHeld = inOrder(state)
  for (const call of state.calls) if (!isHeld(call) && countedAs(call) === "ready") return false
  return true
}

const changing: readonly Access["type"][] = ["write", "command", "unclear", "dangerous"]
const looking: readonly Access["type"][] = ["read"]

const has = ({ accesses }: OpenCall, types: readonly Access["type"][]): boolean =>
  accesses?.some(({ type }) => types.includes(type)) ?? false
