import { type Ways, waysOf } from "../../agent/ways.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { RunState } from "./state.ts"

/** A failure, with the code that the format of the agent has for it. */
export const failedBy = (
  state: RunState,
  by: "model" | "result",
  reason: string,
): Extract<Outcome, { type: "failed" }> => {
  const codes = codesOf(state)
  return { type: "failed", reason: codes ? `${codes[by]}: ${reason}` : reason }
}

/** The end of a run that has used its turns up. */
export const outOfTurns = (state: RunState): Extract<Outcome, { type: "limit" }> => {
  const codes = codesOf(state)
  return {
    type: "limit",
    limit: "turns",
    ...(codes && { reason: `${codes.turns}: Turn limit ${state.start!.limits.maxTurns} exceeded` }),
  }
}

const codesOf = ({ start }: RunState): Ways["endCodes"] => waysOf(start!.origin?.format).endCodes
