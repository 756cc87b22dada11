import type { RunEnd } from "../log/event-run.ts"
import { createFailure, createTurnLimit } from "../state/end-codes.ts"
import type { FinalReply, RunState } from "../state/state.ts"
import { nudge, pointerNudge, submitName, submitNudge } from "../words/prompt.ts"
import type { Action } from "./action.ts"

/** Decides after a reply without calls: the run ends, or one more turn asks the model for an answer. */
export function conclude(state: RunState, final: FinalReply): Action {
  const { tools, limits } = state.start!
  const output = final.text.trim() === "" ? state.lastText : final.text
  const end = (outcome: RunEnd["outcome"]): Action => ({ type: "end", outcome, output })
  const mayNudge = !state.nudged && state.turn < limits.maxTurns

  if (final.stop === "filter")
    return end({ type: "failed", reason: "the provider's content filter ended the reply" })
  if (final.stop === "length")
    return end({
      type: "limit",
      limit: "output",
      ...lengthReason(final),
    })
  if (final.stop === "other") return end(createFailure(state, "model", unknownEnd(final)))
  if (tools.includes(submitName)) {
    if (mayNudge) return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: submitNudge }
    if (final.closing) return end(createTurnLimit(state))
    return end(createFailure(state, "result-missing", "the model ended without calling submit_result"))
  }
  if (output.trim() === "") {
    if (mayNudge) return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: nudge }
    return end({ type: "no-output" })
  }
  if (mayNudge && pointsBack(final.text))
    return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: pointerNudge }
  if (final.closing && state.askedBefore) return end(createTurnLimit(state))
  const uncertain = findUncertainty(state)
  if (uncertain) return end(uncertain)
  if (state.evidence.denied.length > 0 && Object.keys(state.evidence.calls).length === 0)
    return end({ type: "denied", reason: "every call it made was refused" })
  return end({ type: "completed" })
}

/** The outcome after two invalid results in a row: a model gets one chance to correct its result. */
export const failAfterRejections = (state: RunState): RunEnd["outcome"] | undefined =>
  state.rejected && state.rejected.count >= 2
    ? createFailure(
        state,
        "result-invalid",
        `the result was not valid twice in a row: ${state.rejected.problem}`,
      )
    : undefined

/** The output of a run that ends now: its submitted value, its rejected result, or its last text. */
export function getFinalOutput(state: RunState): Pick<RunEnd, "output" | "value"> {
  const { submitted, rejected, lastText } = state
  if (submitted !== undefined) return { output: JSON.stringify(submitted), value: submitted }
  return { output: rejected && rejected.count >= 2 ? rejected.text : lastText }
}

function lengthReason({ text, cutCalls, thought }: FinalReply): { readonly reason?: string } {
  if (cutCalls !== undefined) return { reason: cutInCall }
  return text.trim() === "" ? { reason: thought ? thoughtOnly : nothingWritten } : {}
}

const cutInCall =
  "the reply was cut while it asked for tools, so none of them ran; a higher maxOutputTokens leaves room"

const thoughtOnly =
  "thinking used up all the tokens of the reply before anything was written; a lower effort or a higher maxOutputTokens leaves room for an answer"

const nothingWritten = "the tokens of the reply were used up before anything was written"

function unknownEnd({ finish }: FinalReply): string {
  if (finish === undefined)
    return "the provider did not say why the reply ended, so the answer may be cut off"
  const ending = `the provider ended the reply with ${JSON.stringify(finish)}`
  return callWords.includes(finish)
    ? `${ending}, which announces tool calls, but the reply has none: the answer may be cut off`
    : `${ending}, which cadre does not know: the answer may be cut off`
}

/** The finish reasons that providers give to a reply with calls. */
const callWords: readonly string[] = ["tool_calls", "tool_use", "function_call"]

export const nudgePrefix = "nudge-"

/** True for an answer such as "See above.": the caller gets only this text, not the earlier one. */
const pointsBack = (text: string): boolean =>
  text.length < 200 &&
  /^\W*(?:please )?(?:see|refer to|as|(?:the )?(?:full |whole |complete |final )?(?:report|summary|answer|findings?|results?|analysis|review))\b.*\b(?:above|earlier|previous(?:ly)?|already (?:given|delivered|reported))\b[^a-z]*$/is.test(
    text,
  )

/** The outcome of a run that leaves an opaque call's outcome unknown. */
export function findUncertainty(state: RunState): RunEnd["outcome"] | undefined {
  if (state.lost?.unchecked)
    return {
      type: "uncertain",
      reason: "events of its log were lost, and what happened in them was not checked",
    }
  if (state.unresolved.length === 0) return undefined
  const calls = state.unresolved.map(({ tool, call }) => `${tool} (${call})`).join(", ")
  return { type: "uncertain", reason: `the outcome of ${calls} is unknown and was not checked` }
}
