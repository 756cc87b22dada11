import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { modelGoneText, requestsUsedText, tokensUsedText } from "../words/sampling-text.ts"
import type { Action } from "./action.ts"
import { sampledBy } from "./apply-sampling.ts"

/** The next action for a call whose program waits for the model. The user's bounds for the program are read here. */
export function nextSampling(state: RunState, call: OpenCall, now: number): Action | undefined {
  const { sampling } = call
  if (!sampling || sampling.start || (sampling.notBefore ?? 0) > now) return undefined
  const refused = findRefusal(state, sampling.request)
  return { type: "sample", call, ...(refused !== undefined && { refused }) }
}

function findRefusal(
  state: RunState,
  { from, allowed }: NonNullable<OpenCall["sampling"]>["request"],
): string | undefined {
  if (state.plan || state.start!.model.uses.length === 0) return modelGoneText
  const used = sampledBy(state, from)
  if (used.requests > allowed.requests) return requestsUsedText(allowed.requests)
  return used.tokens >= allowed.tokens ? tokensUsedText(allowed.tokens) : undefined
}
