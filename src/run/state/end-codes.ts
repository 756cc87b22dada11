import { type FormatTraits, getFormatTraits } from "../../agent/format-traits.ts"
import type { OutcomeFault, RunOutcome } from "../log/event-outcome.ts"
import type { RunState } from "./state.ts"

/** The causes of a failure that formats have codes for. */
export type FailureCause = "model" | "result-missing" | "result-invalid"

/** A failure, with the code that the agent's format has for it. */
export function createFailure(
  state: RunState,
  cause: FailureCause,
  reason: string,
): Extract<RunOutcome, { type: "failed" }> {
  const codes = codesOf(state)
  if (!codes) return { type: "failed", reason }
  const code = codes[cause === "model" ? "model" : "result"]
  return { type: "failed", reason: `${code}: ${reason}`, fault: { code, phase: phaseOf(state, cause) } }
}

/** The end of a run that has used up its turns. */
export function createTurnLimit(state: RunState): Extract<RunOutcome, { type: "limit" }> {
  const codes = codesOf(state)
  if (!codes) return { type: "limit", limit: "turns" }
  return {
    type: "limit",
    limit: "turns",
    reason: `${codes.turns}: Turn limit ${state.start!.limits.maxTurns} exceeded`,
    fault: { code: codes.turns, phase: "loop" },
  }
}

function phaseOf({ turn }: RunState, cause: FailureCause): OutcomeFault["phase"] {
  if (cause === "result-invalid") return "merge"
  return cause === "model" && turn <= 1 ? "model_load" : "loop"
}

const codesOf = ({ start }: RunState): FormatTraits["endCodes"] =>
  getFormatTraits(start!.origin?.format).endCodes
