import { type FormatTraits, traitsOfFormat } from "../../agent/format-traits.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { RunState } from "./state.ts"

/** A failure, with the code that the agent's format has for it. */
export const createFailure = (
  state: RunState,
  by: "model" | "result",
  reason: string,
): Extract<RunOutcome, { type: "failed" }> => {
  const codes = codesOf(state)
  return { type: "failed", reason: codes ? `${codes[by]}: ${reason}` : reason }
}

/** The end of a run that has used up its turns. */
export const createTurnLimit = (state: RunState): Extract<RunOutcome, { type: "limit" }> => {
  const codes = codesOf(state)
  return {
    type: "limit",
    limit: "turns",
    ...(codes && { reason: `${codes.turns}: Turn limit ${state.start!.limits.maxTurns} exceeded` }),
  }
}

const codesOf = ({ start }: RunState): FormatTraits["endCodes"] =>
  traitsOfFormat(start!.origin?.format).endCodes
