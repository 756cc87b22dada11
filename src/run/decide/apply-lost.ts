import type { CallResult, ChildEnd, RunEvent } from "../log/event.ts"
import type { EventLost, LogRepair } from "../log/event-run.ts"
import { Row } from "../log/row.ts"
import type { OpenCall } from "../state/open-call.ts"
import { callNumber, findCallIndex } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { createLostResult, logRepairedText, writeLostEventsNote } from "../words/lost-text.ts"
import { withWarnings } from "./apply-model.ts"

/** Folds lost events into the state of a run. Everything that they may have recorded counts as having happened. */

type Stamped<Event> = Event & { readonly seq: number; readonly at: number }

export function loseEvent(previous: RunState, event: Stamped<EventLost>): RunState {
  const { lost } = previous
  const several = event.rest === true || lost?.seq === event.seq - 1
  const state = doubtMoments(previous, several)
  const loss = {
    ...lost,
    events: (lost?.events ?? 0) + 1,
    seq: event.seq,
    reason: lost?.reason ?? event.reason,
  }
  // The run was about to end, so the lost event can only be its end.
  const isOver = state.final !== undefined && state.calls.length === 0 && state.children.length === 0
  if (!state.start || state.end || (isOver && !several)) return { ...state, lost: loss, unrepeatable: true }
  const calls = state.calls.toArray().map((call) => suspectStart(state, call, event.at, several))
  return {
    ...state,
    lost: { ...loss, untold: true, ...(event.rest && { children: state.lastChild }) },
    unrepeatable: true,
    calls: Row.of(calls),
    tally: tallyCalls(calls),
  }
}

/** The lost event may have been the start of a hook's command, or its end. */
function doubtMoments(state: RunState, several: boolean): RunState {
  const { moments, turn, lastChild } = state
  if (!moments) return state
  // Several lost events may include another turn and a new child.
  const doubt = { turn: several ? turn + 1 : turn, children: several ? lastChild + 1 : lastChild }
  return { ...state, moments: { ...moments, doubt } }
}

/** The lost event may have been the start of this call. A call that may safely run twice stays as it is. */
function suspectStart(state: RunState, call: OpenCall, at: number, several: boolean): OpenCall {
  const { kind, effect, status, child } = call
  if (status === "ended" || child !== undefined || (kind !== "function" && kind !== "delegation")) return call
  // A call that waits for approval starts only after another event, so a single lost event is not its start.
  if (status === "asking" && !several) return call
  const hookMayHaveRun = state.hooks.length > 0 && status === "asked"
  if (kind === "function" && effect !== "opaque" && !hookMayHaveRun) return call
  return { ...call, effect: "opaque", status: "started", startedAt: call.startedAt ?? at }
}

/** Fills in what lost events would have changed, so that the next event fits the state. */
export function bridgeLoss(
  state: RunState,
  event: RunEvent,
  endCall: (state: RunState, call: string, result: CallResult) => RunState,
): RunState {
  switch (event.type) {
    case "model-start":
    case "model-end":
    case "compaction-start":
    case "check-start": {
      const open = state.plan ? [] : state.calls.toArray().filter(({ status }) => status !== "ended")
      const closed = open.reduce((next, { id, tool }) => endCall(next, id, createLostResult(tool)), state)
      return event.type === "model-end" && closed.turn < event.turn ? { ...closed, turn: event.turn } : closed
    }
    case "tool-start":
    case "tool-end":
    case "child-start": {
      const number = callNumber(event.call)
      return state.calls.length === 0 && number > state.callCount ? { ...state, callCount: number } : state
    }
    case "child-end":
      return state.children.find(({ run }) => run === event.child) ? state : withUnknownChild(state, event)
    default:
      return state
  }
}

/** Adds a child whose start is lost, so that its end and its usage count. */
const withUnknownChild = (state: RunState, { child: run }: ChildEnd): RunState => ({
  ...state,
  children: state.children.append({ run, call: "", agent: "", mode: "wait", resting: false }),
  lastChild: Math.max(state.lastChild, Number(run.slice(run.lastIndexOf(".") + 1))),
})

/** A child whose call is lost has no call that waits for it, so it reports to the next turn. */
export const chooseChildMode = (
  state: RunState,
  { call, mode, hook }: Extract<RunEvent, { type: "child-start" }>,
): "wait" | "background" =>
  state.lost && !hook && mode === "wait" && findCallIndex(state, call) < 0 ? "background" : mode

/** A resumed run tells its model that events are lost. The model then has to check what happened. */
export function tellLoss(state: RunState): RunState {
  if (!state.lost?.untold) return state
  const { untold: _, ...lost } = state.lost
  return {
    ...state,
    lost: { ...lost, told: lost.events, unchecked: { turn: state.turn, refused: [] } },
    // Lost events may have used the next numbers of children, which must not be used twice.
    lastChild: state.lastChild + numbersSkipped,
    ...(!state.plan &&
      !state.stop && {
        inbox: [
          ...state.inbox,
          { key: `lost-${lost.seq}`, from: "runtime", text: writeLostEventsNote(lost.events) },
        ],
      }),
  }
}

const numbersSkipped = 1000

/** Notes that a successful call has checked the loss, or that a risky call was sent back for a second thought. */
export function withLossCheck(
  state: RunState,
  call: OpenCall,
  { status }: CallResult,
): Pick<RunState, "lost"> {
  const { lost } = state
  if (!lost?.unchecked) return {}
  const { turn, refused } = lost.unchecked
  if (status === "skipped" && mustBeReconsidered(state, call))
    return { lost: { ...lost, unchecked: { turn, refused: [...refused, signature(call)] } } }
  if (status !== "ok" || call.kind === "submit" || turn >= state.turn) return {}
  const { unchecked: _, ...rest } = lost
  return { lost: rest }
}

/** True for a call that may repeat a lost effect, until the model asks for the same call again. */
export function mustBeReconsidered({ lost }: RunState, call: OpenCall): boolean {
  if (!lost?.unchecked || call.startedAt !== undefined) return false
  const isRepeatable = call.kind === "function" ? call.effect !== "opaque" : call.kind !== "delegation"
  return !isRepeatable && !lost.unchecked.refused.includes(signature(call))
}

const signature = ({ tool, arguments: text }: OpenCall): string => `${tool} ${text}`

export const addRepair = (state: RunState, event: LogRepair): RunState => ({
  ...withWarnings(state, [logRepairedText(event)]),
  mended: true,
})
