import type { Message, TokenUsage } from "../../ground/message.ts"
import { addUsage } from "../../ground/usage.ts"
import type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
} from "../log/event.ts"
import { toModelWait } from "../log/event-model.ts"
import type { UsageByModel } from "../log/event-outcome.ts"
import { describeUnseen } from "../log/hidden-attachments.ts"
import { Row } from "../log/row.ts"
import type { OpenCall } from "../state/open-call.ts"
import { countRepeats } from "../state/repeats.ts"
import { callCountAfter } from "../state/set-call.ts"
import type { FinalReply, RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { shortenHistory } from "./compaction.ts"

/** Folds the events of model calls into the state of a run. */

export function applyModelStart(state: RunState, event: ModelStart & { readonly at: number }): RunState {
  const { inbox } = state
  const { unseen = [] } = event
  return {
    ...(unseen.length === 0
      ? state
      : withWarnings(
          state,
          unseen.map((one) => describeUnseen(one, event.model)),
        )),
    final: undefined,
    ...(state.submitted !== undefined && { submitted: undefined }),
    turn: event.turn,
    requestedModel: event.model,
    phase: { type: "calling", start: event, since: event.at },
    messages:
      inbox.length === 0
        ? state.messages
        : state.messages.append(...inbox.map((note): Message => ({ role: "user", text: note.text }))),
    inbox: inbox.length === 0 ? inbox : [],
    // After a message from outside, the same calls again are no loop.
    repeats: inbox.some(({ from }) => from !== "runtime")
      ? { signatures: [], period: 0, count: 0, turn: 0 }
      : state.repeats,
  }
}

/** Adds each warning once, because its cause may occur again. */
export function withWarnings(state: RunState, warnings: readonly string[]): RunState {
  const newWarnings = warnings.filter((warning) => !state.warnings?.includes(warning))
  return newWarnings.length === 0
    ? state
    : { ...state, warnings: [...(state.warnings ?? []), ...newWarnings] }
}

export function applyAnswer(state: RunState, event: ModelEnd): RunState {
  const closing = state.phase.type === "calling" && state.phase.start.closing === true
  const next: { -readonly [Name in keyof RunState]: RunState[Name] } = {
    ...state,
    phase: { type: "idle" },
    usage: addTo(state.usage, modelName(state), event.usage),
    reported:
      event.reported === undefined || state.reported.includes(event.reported)
        ? state.reported
        : [...state.reported, event.reported],
    mismatches: event.asked === undefined ? state.mismatches : addMismatch(state.mismatches, event),
    inputTokens: event.usage.inputTokens ?? 0,
    answered: state.messages.length,
    deaths: 0,
  }
  // `next` is not shared yet, so it is changed in place: every turn has an answer, and copies cost time.
  if (event.error) {
    next.failure = event.error
    return next
  }
  const spoken = event.text.trim() !== ""
  // An empty reply does not join the history: some providers refuse to read it back.
  if (spoken || event.calls.length > 0)
    next.messages = state.messages.append({
      role: "assistant",
      text: event.text,
      calls: event.calls.map(({ id, wire, tool, arguments: text }) => ({ id, wire, tool, arguments: text })),
      ...(event.provider !== undefined && { provider: event.provider }),
    })
  if (spoken) next.lastText = event.text
  next.fellBackAfter = 0
  next.compacted = false
  const toldEvents = state.lost?.told
  next.calls = Row.of(
    event.calls.map(
      (call): OpenCall => ({ ...call, status: "asked", ...(toldEvents && { afterLoss: toldEvents }) }),
    ),
  )
  next.tally = tallyCalls(next.calls)
  next.callCount = callCountAfter(state, event.calls)
  if (event.calls.length > 0) next.askedBefore = true
  else next.final = finalOf(event, closing)
  if (event.signature !== undefined)
    next.repeats = countRepeats(state.repeats.signatures, event.signature, event.turn)
  return next
}

function finalOf({ text, stop, finish, cutCalls, usage, provider }: ModelEnd, closing: boolean): FinalReply {
  const thought = (usage.reasoningTokens ?? 0) > 0 || provider !== undefined
  return {
    text,
    stop,
    closing,
    ...(finish !== undefined && { finish }),
    ...(cutCalls !== undefined && { cutCalls }),
    ...(thought && { thought }),
  }
}

/** Replaces the history by the shortened one. For the provider, the next request is a new one. */
export function endCompaction(state: RunState, event: CompactionEnd): RunState {
  const usage = event.usage ? addTo(state.usage, modelName(state), event.usage) : state.usage
  if (event.error) return { ...state, phase: { type: "idle" }, usage, failure: event.error }
  return {
    ...state,
    usage,
    phase: { type: "interrupted", attempt: event.attempt },
    compacted: true,
    messages: shortenHistory(state.messages, event),
    inputTokens: 0,
    answered: 0,
    deaths: 0,
  }
}

function addMismatch(
  mismatches: RunState["mismatches"],
  { asked, reported }: ModelEnd,
): RunState["mismatches"] {
  const mismatch = { asked: asked!, reported: reported! }
  return mismatches.some((one) => one.asked === asked && one.reported === reported)
    ? mismatches
    : [...mismatches, mismatch]
}

/** A history that did not fit is shortened before it is sent again. After other errors the run only waits. */
export const applyRetry = (state: RunState, event: ModelRetry): RunState => ({
  ...state,
  phase:
    event.error.kind === "overflow"
      ? { type: "overflow", attempt: event.attempt, error: event.error }
      : {
          type: "backoff",
          attempt: event.attempt,
          notBefore: event.notBefore,
          wait: toModelWait(event, state.requestedModel ?? state.start!.model.resolved),
        },
  ...(event.usage && { usage: addTo(state.usage, modelName(state), event.usage) }),
  deaths: 0,
})

export const applyModelFallback = (state: RunState, event: ModelFallback): RunState => ({
  ...state,
  phase: { type: "interrupted", attempt: event.attempt },
  model: state.model + 1,
  fallbacks: [...state.fallbacks, { from: event.from, reason: event.error.message }],
  fellBackAfter: event.attempt,
  // Another model has another window.
  compacted: false,
  ...(event.usage && { usage: addTo(state.usage, modelName(state), event.usage) }),
  deaths: 0,
})

export const startCompaction = (state: RunState, event: CompactionStart): RunState =>
  state.phase.type === "overflow"
    ? { ...state, phase: { type: "compacting", start: event, error: state.phase.error } }
    : state

/** The model at work, to which the reply and its usage belong. */
const modelName = ({ phase, start }: RunState): string =>
  phase.type === "calling" || phase.type === "compacting"
    ? phase.start.model
    : (start?.model.resolved ?? "unknown")

export function addAll(total: UsageByModel, added: UsageByModel): UsageByModel {
  let sum = total
  for (const [model, usage] of Object.entries(added)) sum = addTo(sum, model, usage)
  return sum
}

function addTo(total: UsageByModel, model: string, added: TokenUsage): UsageByModel {
  const usage = Object.hasOwn(total, model) ? total[model] : undefined
  return { ...total, [model]: usage ? addUsage(usage, added) : added }
}
