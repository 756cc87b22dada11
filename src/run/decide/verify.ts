import type { PostconditionResult } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import { describeBroken, repairMessage, submitName } from "../words/prompt.ts"
import type { Action } from "./action.ts"

type End = Extract<Action, { type: "end" }>

/**
 * Has the postconditions checked before a run completes. The model gets one chance to repair those that do not hold. The
 * run fails where a second check finds that they still do not hold.
 */
export function verify(state: RunState, end: End): Action {
  const { postconditions, limits, tools } = state.start!
  if (!postconditions || end.outcome.type !== "completed") return end
  const { check, turn, hookingCheck: lost } = state
  if (check?.turn !== turn)
    return {
      type: "check",
      output: end.output,
      ...("value" in end && { value: end.value }),
      ...(lost !== undefined && { lost }),
    }
  const broken = check.results.filter(({ holds }) => !holds)
  if (broken.length === 0) return end
  if (!state.repaired && !state.plan && turn < limits.maxTurns && broken.every(isMendable))
    return {
      type: "add-message",
      key: repairKey(turn),
      text: repairMessage(broken, tools.includes(submitName) ? "submit" : "answer"),
    }
  return { ...end, outcome: { type: "failed", reason: describeBroken(broken) } }
}

/** True if a submitted result broke a postcondition, and the model has not read the repair message yet. */
export const awaitsRepair = ({ check, inbox, turn }: RunState): boolean =>
  check?.turn === turn && inbox.some(({ key }) => key === repairKey(turn))

export const repairPrefix = "repair-"

const repairKey = (turn: number): string => `${repairPrefix}${turn}`

/** A model cannot repair a postcondition that may not be checked. One of those is enough to fail. */
const isMendable = ({ refused }: PostconditionResult): boolean => refused !== true
