import type { SamplingRequest } from "../../agent/sampling.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { explainRequestsUsed, explainTokensUsed, modelGoneText } from "../words/sampling-text.ts"
import type { Action } from "./action.ts"
import { findSamplingUse } from "./apply-sampling.ts"

/** The next action for a call whose program waits for the model. The user's bounds for the program are read here. */
export function decideSampling(state: RunState, call: OpenCall, now: number): Action | undefined {
  const { sampling } = call
  if (!sampling || sampling.start || (sampling.notBefore ?? 0) > now) return undefined
  const refused = findRefusal(state, sampling.request)
  return { type: "sample", call, ...(refused !== undefined && { refused }) }
}

/** The tokens that the program may still have written, after those that its request is about to cost. */
export function countTokensLeft(
  state: Pick<RunState, "sampled">,
  { from, allowed, system = "", messages }: SamplingRequest,
): number {
  const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(system))
  return allowed.tokens - findSamplingUse(state, from).tokens - Math.ceil(bytes / bytesPerToken)
}

/** A rough estimate: the provider reports the real number. */
const bytesPerToken = 4

function findRefusal(state: RunState, request: SamplingRequest): string | undefined {
  const { from, allowed } = request
  if (state.plan || state.start!.model.uses.length === 0) return modelGoneText
  if (findSamplingUse(state, from).requests > allowed.requests) return explainRequestsUsed(allowed.requests)
  return countTokensLeft(state, request) < 1 ? explainTokensUsed(allowed.tokens) : undefined
}
