import type { PostconditionResult } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import { describeBroken, repairMessage, submitName } from "../words/prompt.ts"
import type { Action } from "./action.ts"

type End = Extract<Action, { type: "end" }>

/**
 * Stands before `completed`: what must hold is checked after the last turn. What does not hold can be mended once, then it
 * is checked again, and the run has failed where it still does not.
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

/** A value was handed in and what must hold did not: the model is to hear of it before anything ends. */
export const awaitsRepair = ({ check, inbox, turn }: RunState): boolean =>
  check?.turn === turn && inbox.some(({ key }) => key === repairKey(turn))

export const repairPrefix = "repair-"

const repairKey = (turn: number): string => `${repairPrefix}${turn}`

/** What nobody may look at stays so, whatever the model does; and one such is enough to fail. */
const isMendable = ({ refused }: PostconditionResult): boolean => refused !== true
