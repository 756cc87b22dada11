import type { ClockName, Outcome } from "../log/event-outcome.ts"
import { List } from "../log/list.ts"
import { failedBy, outOfTurns } from "../state/end-codes.ts"
import { goesOn, hasNews } from "../state/moments.ts"
import { endRepeats } from "../state/repeats.ts"
import { isAtWork, isPlanDue, type PlanState, type RunState } from "../state/state.ts"
import { delegationResult, describe, unknownOutcome } from "../words/prompt.ts"
import type { Action } from "./action.ts"
import { conclude, leftBy, rejectedTwice, unresolved } from "./conclude.ts"
import { endCall, nextOfCall, skipCall } from "./decide-call.ts"
import { nearClock } from "./near-limits.ts"
import { stirringCalls } from "./order.ts"
import { withResource } from "./resource.ts"
import { elapsed, isResting, standsStill, worked } from "./resting.ts"
import { answerRecorded } from "./reuse.ts"
import { awaitsRepair, verify } from "./verify.ts"
import { withMoments } from "./with-moments.ts"

/** What the clocks say. */
interface Times {
  readonly now: number
  /** When a model or tool of this run was last heard of. */
  readonly heard: number
}

/** How long a child may take to answer a cancel before its parent ends without it. */
const stopGrace = 900

/** Deaths of the process in a row without a new recorded result. */
const maxDeaths = 3

/** Chooses what a run does next. Pure and total: limits, rights and guards are read here and nowhere else. */
export function decide(state: RunState, times: Times): readonly Action[] {
  if (state.end || !state.start) return [{ type: "done" }]
  const chosen = state.failed
    ? [...state.failed.map((child): Action => ({ type: "fall-back", child })), ...choose(state, times)]
    : choose(state, times)
  const asked = state.moments ? withMoments(state, chosen, times.now) : chosen
  const actions = asked.length > 0 ? asked : [waiting(state, times)]
  return state.start.isolation ? withResource(state, actions) : actions
}

function choose(state: RunState, times: Times): readonly Action[] {
  if (state.stop) return windDown(state, state.stop, times)
  const clock = expired(state, times)
  if (clock) return [{ type: "stop", outcome: { type: "timed-out", clock } }]
  if (state.deaths > maxDeaths)
    return finish(state, {
      type: "failed",
      reason: `the process died ${state.deaths} times in a row before a new result was recorded`,
    })
  if (state.repeats.count >= endRepeats)
    return finish(state, { type: "loop", reason: describeRepeats(state.repeats) })
  const { phase } = state
  if (phase.type === "calling" || phase.type === "compacting" || phase.type === "checking")
    return [waiting(state, times)]
  if (phase.type === "overflow")
    return [{ type: "compact", turn: state.turn, attempt: phase.attempt, error: phase.error }]
  if (phase.type === "backoff" && times.now < phase.notBefore) return [waiting(state, times)]
  if (phase.type !== "idle") return [callModel(state, state.turn, phase.attempt + 1)]
  if (state.plan) return followPlan(state, state.plan, times)
  if (state.calls.length > 0) return progress(state, times)
  return nextTurn(state, times)
}

/** A run that no model drives does what was planned, and has more planned after every result. */
function followPlan(state: RunState, plan: PlanState, times: Times): readonly Action[] {
  const recorded = answerRecorded(state)
  if (recorded) return [recorded]
  const uncertain = state.lost?.unchecked && unresolved(state)
  if (uncertain) return finish(state, uncertain)
  const isOpen = state.calls.length > 0
  if (!isOpen && state.callCount > state.start!.limits.maxToolCalls)
    return finish(state, { type: "limit", limit: "tool-calls" })
  if (isPlanDue(state)) return [{ type: "plan" }, ...(isOpen ? progress(state, times) : [])]
  if (isOpen) return progress(state, times)
  if (state.children.length > 0) return [waiting(state, times)]
  if (!plan.end)
    return finish(state, { type: "failed", reason: "nothing was planned, and nothing is at work" })
  const { outcome, ...left } = plan.end
  const certain = outcome.type === "completed" ? (unresolved(state) ?? outcome) : outcome
  return [verify(state, { type: "end", outcome: certain, ...left })]
}

function nextTurn(state: RunState, times: Times): readonly Action[] {
  const { limits } = state.start!
  if (state.failure) return finish(state, failedBy(state, "model", state.failure.message))
  const isWanted = goesOn(state)
  if (state.submitted !== undefined && !awaitsRepair(state) && !isWanted) {
    const outcome = unresolved(state) ?? { type: "completed" as const }
    const action = verify(state, { type: "end", outcome, ...leftBy(state) })
    return action.type === "end" ? finish(state, action.outcome) : [action]
  }
  const recorded = answerRecorded(state)
  if (recorded) return [recorded]
  const rejected = rejectedTwice(state)
  if (rejected) return finish(state, rejected)
  if (isWanted && !hasNews(state)) return [waiting(state, times)]
  if (state.final && !hasNews(state)) {
    if (state.children.length > 0) return [waiting(state, times)]
    const action = conclude(state, state.final)
    return [action.type === "end" ? verify(state, action) : action]
  }
  if (state.callCount > limits.maxToolCalls) return finish(state, { type: "limit", limit: "tool-calls" })
  if (state.turn >= limits.maxTurns) return finish(state, outOfTurns(state))
  return [callModel(state, state.turn + 1, 1)]
}

const callModel = (state: RunState, turn: number, attempt: number): Action => ({
  type: "call-model",
  turn,
  attempt,
  closing: turn >= state.start!.limits.maxTurns,
})

/**
 * So many children are on their way at a time, and each that begins has it decided again. All at once, thousands would be
 * looked at whenever one of those before them ends.
 */
const mostHandedOver = 64

/** Moves every call of the turn one step on. */
function progress(state: RunState, times: Times): readonly Action[] {
  const { ready, ordered, expiring, watching } = state.tally
  if (ready + ordered + expiring + watching === 0) return [waiting(state, times)]
  const actions: Action[] = []
  let submitted = false
  let handedOver = 0
  for (const { call, number, order } of stirringCalls(state)) {
    const action = submitted
      ? skipCall(call, "Not run: the result was submitted before it.")
      : call.kind !== "submit" && number > state.start!.limits.maxToolCalls
        ? skipCall(
            call,
            `Not run: the run's limit of ${state.start!.limits.maxToolCalls} tool calls is reached.`,
          )
        : nextOfCall(state, call, times.now, order)
    if (action) actions.push(action)
    if (action?.type === "start-call" && call.kind === "delegation" && ++handedOver === mostHandedOver) break
    if (call.kind === "submit" && call.problem === undefined) submitted = true
  }
  return actions.length > 0 ? actions : [waiting(state, times)]
}

/** Ends now, or stops first where something is still open. What the run has said is kept. */
function finish(state: RunState, outcome: Outcome, left = leftBy(state)): readonly Action[] {
  if (isAtWork(state) || state.calls.length > 0 || state.children.length > 0)
    return [{ type: "stop", outcome }]
  return [{ type: "end", outcome, ...left }]
}

/** After a stop: what has not started never will, what is at work is told to stop, children are cancelled. */
function windDown(state: RunState, stop: NonNullable<RunState["stop"]>, { now }: Times): readonly Action[] {
  const reason = describe(stop.outcome)
  const until = stop.at + stopGrace
  const actions: Action[] = []
  for (const call of state.calls) {
    if (call.status === "ended") continue
    if (call.report) actions.push({ type: "end-call", call, result: delegationResult(call) })
    else if (call.status === "started" && call.kind !== "control" && call.kind !== "pause") {
      if (call.child !== undefined && now >= until)
        actions.push(
          endCall(call, "unknown", `The subagent (run ${call.child}) did not stop in time: ${reason}.`),
        )
    } else if (call.status === "interrupted" && call.effect !== "read")
      actions.push({ type: "end-call", call, result: unknownOutcome(call.tool) })
    else actions.push(endCall(call, "skipped", `Not run: ${reason}.`))
  }
  if (isAtWork(state)) actions.push({ type: "abort" })
  if (state.children.length > 0 && now < until) actions.push({ type: "cancel-children", reason })
  const wait: Action = { type: "wait", ...(state.children.length > 0 && now < until && { until }) }
  if (actions.length > 0 || state.calls.length > 0) return [...actions, wait]
  return finish({ ...state, children: List.empty() }, stop.outcome, stop.left)
}

function expired(state: RunState, { now, heard }: Times): ClockName | undefined {
  const { limits, within } = state.start!
  const { timeout, idleTimeout } = limits
  if (timeout !== undefined && worked(state, now) >= timeout) return "timeout"
  if (within !== undefined && elapsed(state, now) >= within) return "timeout"
  if (idleTimeout !== undefined && isAtWork(state) && now - Math.max(heard, state.lastAt) >= idleTimeout)
    return "idleTimeout"
  return undefined
}

const describeRepeats = ({ period, count }: RunState["repeats"]): string =>
  `the same ${period > 1 ? `${period} turns` : "turn"} came ${count} times in a row`

function waiting(state: RunState, { heard, now }: Times): Action {
  const until = nextClock(state, heard, now)
  return { type: isResting(state) ? "rest" : "wait", ...(until !== undefined && { until }) }
}

/** The earliest time at which the decision could be another one. */
export function nextClock(state: RunState, heard: number, now: number): number | undefined {
  if (!state.start) return undefined
  const { timeout, idleTimeout } = state.start!.limits
  const resting = isResting(state)
  let first = Number.POSITIVE_INFINITY
  if (state.tally.expiring + state.tally.watching > 0)
    for (const call of state.calls) {
      const isTimed = call.status === "asking" || call.kind === "pause"
      const expires = isTimed ? call.expires : (call.waits ?? call.asks)?.expires
      if (expires !== undefined && call.status !== "ended") first = Math.min(first, expires)
    }
  const { within } = state.start
  if (!resting && timeout !== undefined && !standsStill(state))
    first = Math.min(first, state.lastAt + timeout + (state.waited ?? 0) - state.active)
  if (!resting && within !== undefined) first = Math.min(first, state.lastAt + within - state.active)
  if (!resting && state.moments) first = Math.min(first, nearClock(state, now) ?? Number.POSITIVE_INFINITY)
  if (idleTimeout !== undefined && isAtWork(state))
    first = Math.min(first, Math.max(heard, state.lastAt) + idleTimeout)
  if (state.phase.type === "backoff") first = Math.min(first, state.phase.notBefore)
  return first === Number.POSITIVE_INFINITY ? undefined : first
}

export const asksModel = ({ type }: Action): boolean => type === "call-model" || type === "compact"
