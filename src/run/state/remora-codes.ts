import type { Outcome } from "../log/event-outcome.ts"
import type { RunState } from "./state.ts"

/** Remora's codes for how a run of its agents ends: its users look for them. */
const codes = { model: "AGENT_002", result: "AGENT_003", turns: "AGENT_004" } as const

/** A failure, with Remora's code where the agent is one of Remora's. */
export const failedBy = (
  state: RunState,
  by: "model" | "result",
  reason: string,
): Extract<Outcome, { type: "failed" }> => ({
  type: "failed",
  reason: isRemora(state) ? `${codes[by]}: ${reason}` : reason,
})

/** The end of a run that has used its turns up. */
export const outOfTurns = (state: RunState): Extract<Outcome, { type: "limit" }> => ({
  type: "limit",
  limit: "turns",
  ...(isRemora(state) && { reason: `${codes.turns}: Turn limit ${state.start!.limits.maxTurns} exceeded` }),
})

const isRemora = ({ start }: RunState): boolean => start!.origin?.format === "remora"
