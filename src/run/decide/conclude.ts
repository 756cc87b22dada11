import type { RunEnd } from "../log/event-run.ts"
import { failedBy, outOfTurns } from "../state/end-codes.ts"
import type { Final, RunState } from "../state/state.ts"
import { nudge, pointerNudge, submitName, submitNudge } from "../words/prompt.ts"
import type { Action } from "./action.ts"

/** What a reply without calls comes to: the end of the run, or one more turn to get an answer out of the model. */
export function conclude(state: RunState, final: Final): Action {
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
  if (final.stop === "other") return end(failedBy(state, "model", unknownEnd(final)))
  if (tools.includes(submitName)) {
    if (mayNudge) return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: submitNudge }
    if (final.closing) return end(outOfTurns(state))
    return end(failedBy(state, "result", "the model ended without calling submit_result"))
  }
  if (output.trim() === "") {
    if (mayNudge) return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: nudge }
    return end({ type: "no-output" })
  }
  if (mayNudge && pointsBack(final.text))
    return { type: "add-message", key: `${nudgePrefix}${state.turn}`, text: pointerNudge }
  if (final.closing && state.askedBefore) return end(outOfTurns(state))
  const uncertain = unresolved(state)
  if (uncertain) return end(uncertain)
  if (state.evidence.denied.length > 0 && Object.keys(state.evidence.calls).length === 0)
    return end({ type: "denied", reason: "every call it made was refused" })
  return end({ type: "completed" })
}

/** A second result in a row that does not fit its schema: one chance to mend it was enough. */
export const rejectedTwice = (state: RunState): RunEnd["outcome"] | undefined =>
  state.rejected && state.rejected.count >= 2
    ? failedBy(state, "result", `the result was not valid twice in a row: ${state.rejected.problem}`)
    : undefined

/** What a run leaves that ends here: the value, the text of one that was not taken, or the last thing it said. */
export function leftBy(state: RunState): Pick<RunEnd, "output" | "value"> {
  const { submitted, rejected, lastText } = state
  if (submitted !== undefined) return { output: JSON.stringify(submitted), value: submitted }
  return { output: rejected && rejected.count >= 2 ? rejected.text : lastText }
}

function lengthReason({ text, cutCalls, thought }: Final): { readonly reason?: string } {
  if (cutCalls !== undefined) return { reason: cutInCall }
  return text.trim() === "" ? { reason: thought ? thoughtOnly : nothingWritten } : {}
}

const cutInCall =
  "the reply was cut while it asked for tools, so none of them ran; a higher maxOutputTokens leaves room"

const thoughtOnly =
  "thinking used up all the tokens of the reply before anything was written; a lower effort or a higher maxOutputTokens leaves room for an answer"

const nothingWritten = "the tokens of the reply were used up before anything was written"

function unknownEnd({ finish }: Final): string {
  if (finish === undefined)
    return "the provider did not say why the reply ended, so nobody knows whether it is whole"
  const ended = `the provider ended the reply with ${JSON.stringify(finish)}`
  return callWords.includes(finish)
    ? `${ended}, as if it asked for tools, and it asks for none: the answer may be cut`
    : `${ended}, a word that cadre does not know: the answer may be cut`
}

/** The words that providers end a reply with which has calls. */
const callWords: readonly string[] = ["tool_calls", "tool_use", "function_call"]

export const nudgePrefix = "nudge-"

/** "See above." is all that whoever asked would get. */
const pointsBack = (text: string): boolean =>
  text.length < 200 &&
  /^\W*(?:please )?(?:see|refer to|as|(?:the )?(?:full |whole |complete |final )?(?:report|summary|answer|findings?|results?|analysis|review))\b.*\b(?:above|earlier|previous(?:ly)?|already (?:given|delivered|reported))\b[^a-z]*$/is.test(
    text,
  )

/** The outcome of a run that leaves an opaque call's outcome unknown. */
export function unresolved(state: RunState): RunEnd["outcome"] | undefined {
  if (state.lost?.unchecked)
    return {
      type: "uncertain",
      reason: "events of its log were lost, and what happened in them was not checked",
    }
  if (state.unresolved.length === 0) return undefined
  const calls = state.unresolved.map(({ tool, call }) => `${tool} (${call})`).join(", ")
  return { type: "uncertain", reason: `the outcome of ${calls} is unknown and was not checked` }
}
