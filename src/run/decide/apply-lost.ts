import type { CallResult, ChildEnd, RunEvent } from "../log/event.ts"
import type { EventLost, LogRepair } from "../log/event-run.ts"
import { Row } from "../log/row.ts"
import type { OpenCall } from "../state/open-call.ts"
import { indexOf, numberOf } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { eventsLost, logRepaired, resultLost } from "../words/lost-text.ts"
import { withWarnings } from "./apply-model.ts"

/** What it means for a run that events of its log are lost. Whatever they may have told counts as having happened. */

type Stamped<Event> = Event & { readonly seq: number; readonly at: number }

export function loseEvent(before: RunState, event: Stamped<EventLost>): RunState {
  const { lost } = before
  const several = event.rest === true || lost?.seq === event.seq - 1
  const state = doubtMoments(before, several)
  const known = {
    ...lost,
    events: (lost?.events ?? 0) + 1,
    seq: event.seq,
    reason: lost?.reason ?? event.reason,
  }
  // It had come to its end: nothing but that can have followed.
  const isOver = state.final !== undefined && state.calls.length === 0 && state.children.length === 0
  if (!state.start || state.end || (isOver && !several)) return { ...state, lost: known, unrepeatable: true }
  const calls = state.calls.toArray().map((call) => suspected(state, call, event.at, several))
  return {
    ...state,
    lost: { ...known, untold: true, ...(event.rest && { children: state.lastChild }) },
    unrepeatable: true,
    calls: Row.of(calls),
    tally: tallyCalls(calls),
  }
}

/** The event may have been the start of a hook's command, or what became of it. */
function doubtMoments(state: RunState, several: boolean): RunState {
  const { moments, turn, lastChild } = state
  if (!moments) return state
  // Several may have told of another turn, and of a child.
  const doubt = { turn: several ? turn + 1 : turn, children: several ? lastChild + 1 : lastChild }
  return { ...state, moments: { ...moments, doubt } }
}

/** The event may have been the start of this call. One whose effect may be had twice needs no doubt. */
function suspected(state: RunState, call: OpenCall, at: number, several: boolean): OpenCall {
  const { kind, effect, status, child } = call
  if (status === "ended" || child !== undefined || (kind !== "function" && kind !== "delegation")) return call
  // Between what is asked and what it does there are other events.
  if (status === "asking" && !several) return call
  const hookMayHaveRun = state.hooks.length > 0 && status === "asked"
  if (kind === "function" && effect !== "opaque" && !hookMayHaveRun) return call
  return { ...call, effect: "opaque", status: "started", startedAt: call.startedAt ?? at }
}

/** Brings a state with gaps to where an event can follow that presumes what is lost. */
export function bridge(
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
      const closed = open.reduce((next, { id, tool }) => endCall(next, id, resultLost(tool)), state)
      return event.type === "model-end" && closed.turn < event.turn ? { ...closed, turn: event.turn } : closed
    }
    case "tool-start":
    case "tool-end":
    case "child-start": {
      const number = numberOf(event.call)
      return state.calls.length === 0 && number > state.callCount ? { ...state, callCount: number } : state
    }
    case "child-end":
      return state.children.find(({ run }) => run === event.child) ? state : withUnknownChild(state, event)
    default:
      return state
  }
}

/** A child whose start is lost ends: what it took counts all the same. */
const withUnknownChild = (state: RunState, { child: run }: ChildEnd): RunState => ({
  ...state,
  children: state.children.append({ run, call: "", agent: "", mode: "wait", resting: false }),
  lastChild: Math.max(state.lastChild, Number(run.slice(run.lastIndexOf(".") + 1))),
})

/** Nobody is there to wait for a child that a lost reply asked for: it reports to the next turn. */
export const modeAfterLoss = (
  state: RunState,
  { call, mode, hook }: Extract<RunEvent, { type: "child-start" }>,
): "wait" | "background" =>
  state.lost && !hook && mode === "wait" && indexOf(state, call) < 0 ? "background" : mode

/** A process takes the run up: from here its model knows that something is lost, and has to look into it. */
export function tellLoss(state: RunState): RunState {
  if (!state.lost?.untold) return state
  const { untold: _, ...lost } = state.lost
  return {
    ...state,
    lost: { ...lost, told: lost.events, unchecked: { turn: state.turn, refused: [] } },
    // Numbers that may have been used must not be used for something else.
    lastChild: state.lastChild + numbersSkipped,
    ...(!state.plan &&
      !state.stop && {
        inbox: [...state.inbox, { key: `lost-${lost.seq}`, from: "runtime", text: eventsLost(lost.events) }],
      }),
  }
}

const numbersSkipped = 1000

/** What a result says of the lost part: that somebody looked, or that a call is to be thought over. */
export function withLook(state: RunState, call: OpenCall, { status }: CallResult): Pick<RunState, "lost"> {
  const { lost } = state
  if (!lost?.unchecked) return {}
  const { turn, refused } = lost.unchecked
  if (status === "skipped" && mustBeThoughtOver(state, call))
    return { lost: { ...lost, unchecked: { turn, refused: [...refused, signature(call)] } } }
  if (status !== "ok" || call.kind === "submit" || turn >= state.turn) return {}
  const { unchecked: _, ...rest } = lost
  return { lost: rest }
}

/** Whether a call may repeat something that is lost from the log, and was not asked for twice. */
export function mustBeThoughtOver({ lost }: RunState, call: OpenCall): boolean {
  if (!lost?.unchecked || call.startedAt !== undefined) return false
  const isRepeatable = call.kind === "function" ? call.effect !== "opaque" : call.kind !== "delegation"
  return !isRepeatable && !lost.unchecked.refused.includes(signature(call))
}

const signature = ({ tool, arguments: text }: OpenCall): string => `${tool} ${text}`

export const noteRepair = (state: RunState, event: LogRepair): RunState => ({
  ...withWarnings(state, [logRepaired(event)]),
  mended: true,
})
