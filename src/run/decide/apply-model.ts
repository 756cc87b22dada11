import type { Message, Usage } from "../../ground/message.ts"
import { addUsage } from "../../ground/usage.ts"
import type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
} from "../log/event.ts"
import { modelWait } from "../log/event-model.ts"
import type { UsageByModel } from "../log/event-outcome.ts"
import { unseenWarning } from "../log/left-out.ts"
import { Row } from "../log/row.ts"
import type { OpenCall } from "../state/open-call.ts"
import { countRepeats } from "../state/repeats.ts"
import { callCountAfter } from "../state/set-call.ts"
import type { Final, RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { shortened } from "./compaction.ts"

/** What the events of model calls make of a run. */

export function callModel(state: RunState, event: ModelStart & { readonly at: number }): RunState {
  const { inbox } = state
  const { unseen = [] } = event
  return {
    ...(unseen.length === 0
      ? state
      : withWarnings(
          state,
          unseen.map((one) => unseenWarning(one, event.model)),
        )),
    final: undefined,
    ...(state.submitted !== undefined && { submitted: undefined }),
    turn: event.turn,
    asked: event.model,
    phase: { type: "calling", start: event, since: event.at },
    messages:
      inbox.length === 0
        ? state.messages
        : state.messages.append(...inbox.map((note): Message => ({ role: "user", text: note.text }))),
    inbox: inbox.length === 0 ? inbox : [],
    // What a person asks for again is not the model repeating itself.
    repeats: inbox.some(({ from }) => from !== "runtime")
      ? { signatures: [], period: 0, count: 0, turn: 0 }
      : state.repeats,
  }
}

/** Each once: the same may happen again. */
export function withWarnings(state: RunState, warnings: readonly string[]): RunState {
  const added = warnings.filter((warning) => !state.warnings?.includes(warning))
  return added.length === 0 ? state : { ...state, warnings: [...(state.warnings ?? []), ...added] }
}

export function answer(state: RunState, event: ModelEnd): RunState {
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
  // Nobody else holds it yet, so the rest goes into the same object: there is an answer in every turn.
  if (event.error) {
    next.failure = event.error
    return next
  }
  const spoken = event.text.trim() !== ""
  // A reply of nothing at all is no message: some providers refuse to read it back.
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
  const told = state.lost?.told
  next.calls = Row.of(
    event.calls.map((call): OpenCall => ({ ...call, status: "asked", ...(told && { afterLoss: told }) })),
  )
  next.tally = tallyCalls(next.calls)
  next.callCount = callCountAfter(state, event.calls)
  if (event.calls.length > 0) next.askedBefore = true
  else next.final = finalOf(event, closing)
  if (event.signature !== undefined)
    next.repeats = countRepeats(state.repeats.signatures, event.signature, event.turn)
  return next
}

function finalOf({ text, stop, finish, cutCalls, usage, provider }: ModelEnd, closing: boolean): Final {
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

/** What a history that was made shorter has left; the next request is then a new one to the provider. */
export function endCompaction(state: RunState, event: CompactionEnd): RunState {
  const usage = event.usage ? addTo(state.usage, modelName(state), event.usage) : state.usage
  if (event.error) return { ...state, phase: { type: "idle" }, usage, failure: event.error }
  return {
    ...state,
    usage,
    phase: { type: "interrupted", attempt: event.attempt },
    compacted: true,
    messages: shortened(state.messages, event),
    inputTokens: 0,
    answered: 0,
    deaths: 0,
  }
}

function addMismatch(known: RunState["mismatches"], { asked, reported }: ModelEnd): RunState["mismatches"] {
  const found = { asked: asked!, reported: reported! }
  return known.some((one) => one.asked === asked && one.reported === reported) ? known : [...known, found]
}

/** What did not fit is made shorter before it is sent again; everything else only waits. */
export const retry = (state: RunState, event: ModelRetry): RunState => ({
  ...state,
  phase:
    event.error.kind === "overflow"
      ? { type: "overflow", attempt: event.attempt, error: event.error }
      : {
          type: "backoff",
          attempt: event.attempt,
          notBefore: event.notBefore,
          wait: modelWait(event, state.asked ?? state.start!.model.resolved),
        },
  ...(event.usage && { usage: addTo(state.usage, modelName(state), event.usage) }),
  deaths: 0,
})

export const fallBack = (state: RunState, event: ModelFallback): RunState => ({
  ...state,
  phase: { type: "interrupted", attempt: event.attempt },
  model: state.model + 1,
  fallbacks: [...state.fallbacks, { from: event.from, reason: event.error.message }],
  fellBackAfter: event.attempt,
  // Another model, another window.
  compacted: false,
  ...(event.usage && { usage: addTo(state.usage, modelName(state), event.usage) }),
  deaths: 0,
})

export const startCompaction = (state: RunState, event: CompactionStart): RunState =>
  state.phase.type === "overflow"
    ? { ...state, phase: { type: "compacting", start: event, error: state.phase.error } }
    : state

/** The model that is at work; a reply belongs to nobody else. */
const modelName = ({ phase, start }: RunState): string =>
  phase.type === "calling" || phase.type === "compacting"
    ? phase.start.model
    : (start?.model.resolved ?? "unknown")

export function addAll(total: UsageByModel, added: UsageByModel): UsageByModel {
  let sum = total
  for (const [model, usage] of Object.entries(added)) sum = addTo(sum, model, usage)
  return sum
}

function addTo(total: UsageByModel, model: string, added: Usage): UsageByModel {
  const before = Object.hasOwn(total, model) ? total[model] : undefined
  return { ...total, [model]: before ? addUsage(before, added) : added }
}
