import type { TokenUsage } from "../../ground/message.ts"
import { sumTokens } from "../../ground/usage.ts"
import type { SamplingAsk, SamplingEnd, SamplingRetry, SamplingStart } from "../log/event.ts"
import { Row } from "../log/row.ts"
import type { OpenCall, Sampling } from "../state/open-call.ts"
import { findCall, setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { addAll } from "./apply-model.ts"

/** Folds the events of programs that ask for the model into the state of a run. */

export const askForModel = (state: RunState, { call, request }: SamplingAsk): RunState =>
  count(
    setCall(state, call, {
      status: "sampling",
      sampling: { request, attempt: 0 },
      programQuestion: undefined,
      answered: undefined,
    }),
    request.from,
    { requests: 1, tokens: 0 },
  )

export const startSampling = (state: RunState, event: SamplingStart): RunState =>
  change(state, event.call, { attempt: event.attempt, start: event })

export const retrySampling = (state: RunState, event: SamplingRetry): RunState => ({
  ...change(charge(state, event), event.call, {
    attempt: event.attempt,
    start: undefined,
    notBefore: event.notBefore,
  }),
  deaths: 0,
})

export function endSampling(state: RunState, event: SamplingEnd): RunState {
  const sampling = findCall(state, event.call)?.sampling
  const charged = charge(state, event)
  if (!sampling) return charged
  const { request, attempt } = sampling
  const fields = { status: "sampled", sampling: { request, attempt, reply: event.reply } } as const
  return { ...setCall(charged, event.call, fields, "sampling"), deaths: 0 }
}

/**
 * A process that died may have been billed for the requests that were at work. The reply for a program that died with it
 * would be lost, so its call counts as interrupted.
 */
export function loseSamplings(state: RunState): RunState {
  if (!state.sampled) return state
  let next = state
  for (const { sampling } of state.calls)
    if (sampling?.start) {
      const { inputTokens, outputTokens, cost = 0 } = sampling.start.reserved
      const tokens = inputTokens + outputTokens
      const { unsettled } = next
      next = count(
        {
          ...next,
          unsettled: {
            calls: unsettled.calls + 1,
            tokens: unsettled.tokens + tokens,
            cost: unsettled.cost + cost,
          },
        },
        sampling.request.from,
        { requests: 0, tokens },
      )
    }
  const calls = state.calls
    .toArray()
    .map((call) =>
      call.status === "sampling" && call.sampling ? interruptSampling(call, call.sampling) : call,
    )
  return { ...next, calls: Row.of(calls), tally: tallyCalls(calls) }
}

const interruptSampling = (call: OpenCall, sampling: Sampling): OpenCall =>
  sampling.request.lasts === "log"
    ? { ...call, sampling: { ...sampling, start: undefined } }
    : { ...call, status: "interrupted", sampling: undefined }

function change(state: RunState, id: string, fields: Partial<Sampling>): RunState {
  const sampling = findCall(state, id)?.sampling
  return sampling ? setCall(state, id, { sampling: { ...sampling, ...fields } }, "sampling") : state
}

function charge(
  state: RunState,
  { call, model, usage }: Pick<SamplingEnd, "call" | "model" | "usage">,
): RunState {
  if (!usage || model === undefined) return state
  const charged = { ...state, usage: addAll(state.usage, { [model]: usage }) }
  const sampling = findCall(state, call)?.sampling
  return sampling
    ? count(charged, sampling.request.from, { requests: 0, tokens: countTokens(sampling, usage) })
    : charged
}

/** A request whose usage is unknown counts as much as was reserved for it. */
const countTokens = ({ start }: Sampling, usage: TokenUsage): number =>
  sumTokens(usage) ?? (start ? start.reserved.inputTokens + start.reserved.outputTokens : 0)

/** The use of the model by one program so far. */
export const findSamplingUse = (
  { sampled = {} }: Pick<RunState, "sampled">,
  from: string,
): { readonly requests: number; readonly tokens: number } =>
  Object.hasOwn(sampled, from) ? sampled[from]! : { requests: 0, tokens: 0 }

function count(
  state: RunState,
  from: string,
  { requests, tokens }: { readonly requests: number; readonly tokens: number },
): RunState {
  const before = findSamplingUse(state, from)
  return {
    ...state,
    sampled: {
      ...state.sampled,
      [from]: { requests: before.requests + requests, tokens: before.tokens + tokens },
    },
  }
}
