import type { ClockName, RunOutcome } from "../log/event-outcome.ts"
import { SharedList } from "../log/list.ts"
import { createFailure, createTurnLimit } from "../state/end-codes.ts"
import { hasNews, mustGoOn } from "../state/moments.ts"
import { endRepeats } from "../state/repeats.ts"
import { hasWorkInProgress, isPlanDue, type PlanState, type RunState } from "../state/state.ts"
import { createDelegationResult, createUnknownResult, describeOutcome } from "../words/prompt.ts"
import type { Action } from "./action.ts"
import { conclude, failAfterRejections, findUncertainty, getFinalOutput } from "./conclude.ts"
import { endCall, findNextCallAction, skipCall } from "./decide-call.ts"
import { findNearClock } from "./near-limits.ts"
import { listCallsToDecide } from "./order.ts"
import { withResource } from "./resource.ts"
import { computeElapsedTime, computeWorkedTime, isClockStopped, isResting } from "./resting.ts"
import { answerRecorded } from "./reuse.ts"
import { awaitsRepair, verify } from "./verify.ts"
import { withMoments } from "./with-moments.ts"

/** The times that a decision depends on. */
interface Times {
  readonly now: number
  /** The last time at which a model or tool of this run gave a sign of life. */
  readonly lastSign: number
}

/** The milliseconds that a cancelled child has to stop before its parent ends without it. */
const stopGrace = 900

/** The most deaths of the process in a row without a new recorded result. */
const maxDeaths = 3

/** Chooses the next actions of a run. Pure and total: limits, rights and guards are read here and nowhere else. */
export function decide(state: RunState, times: Times): readonly Action[] {
  if (state.end || !state.start) return [{ type: "done" }]
  const choice = state.failed
    ? [...state.failed.map((child): Action => ({ type: "fall-back", child })), ...choose(state, times)]
    : choose(state, times)
  const withHookActions = state.moments ? withMoments(state, choice, times.now) : choice
  const actions = withHookActions.length > 0 ? withHookActions : [waitOrRest(state, times)]
  return state.start.isolation ? withResource(state, actions) : actions
}

function choose(state: RunState, times: Times): readonly Action[] {
  if (state.stop) return windDown(state, state.stop, times)
  const clock = findExpiredClock(state, times)
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
    return [waitOrRest(state, times)]
  if (phase.type === "overflow")
    return [{ type: "compact", turn: state.turn, attempt: phase.attempt, error: phase.error }]
  if (phase.type === "backoff" && times.now < phase.notBefore) return [waitOrRest(state, times)]
  if (phase.type !== "idle") return [callModel(state, state.turn, phase.attempt + 1)]
  if (state.plan) return followPlan(state, state.plan, times)
  if (state.calls.length > 0) return progress(state, times)
  return nextTurn(state, times)
}

/** A run that no model drives follows its plan, and asks its planner again after every result. */
function followPlan(state: RunState, plan: PlanState, times: Times): readonly Action[] {
  const recorded = answerRecorded(state)
  if (recorded) return [recorded]
  const uncertain = state.lost?.unchecked && findUncertainty(state)
  if (uncertain) return finish(state, uncertain)
  const isOpen = state.calls.length > 0
  if (!isOpen && state.callCount > state.start!.limits.maxToolCalls)
    return finish(state, { type: "limit", limit: "tool-calls" })
  if (isPlanDue(state)) return [{ type: "plan" }, ...(isOpen ? progress(state, times) : [])]
  if (isOpen) return progress(state, times)
  if (state.children.length > 0) return [waitOrRest(state, times)]
  if (!plan.end)
    return finish(state, { type: "failed", reason: "the planner planned nothing, and nothing is at work" })
  const { outcome, ...result } = plan.end
  const certain = outcome.type === "completed" ? (findUncertainty(state) ?? outcome) : outcome
  return [verify(state, { type: "end", outcome: certain, ...result })]
}

function nextTurn(state: RunState, times: Times): readonly Action[] {
  const { limits } = state.start!
  if (state.failure) return finish(state, createFailure(state, "model", state.failure.message))
  const isWanted = mustGoOn(state)
  if (state.submitted !== undefined && !awaitsRepair(state) && !isWanted) {
    const outcome = findUncertainty(state) ?? { type: "completed" as const }
    const action = verify(state, { type: "end", outcome, ...getFinalOutput(state) })
    return action.type === "end" ? finish(state, action.outcome) : [action]
  }
  const recorded = answerRecorded(state)
  if (recorded) return [recorded]
  const rejected = failAfterRejections(state)
  if (rejected) return finish(state, rejected)
  if (isWanted && !hasNews(state)) return [waitOrRest(state, times)]
  if (state.final && !hasNews(state)) {
    if (state.children.length > 0) return [waitOrRest(state, times)]
    const action = conclude(state, state.final)
    return [action.type === "end" ? verify(state, action) : action]
  }
  if (state.callCount > limits.maxToolCalls) return finish(state, { type: "limit", limit: "tool-calls" })
  if (state.turn >= limits.maxTurns) return finish(state, createTurnLimit(state))
  return [callModel(state, state.turn + 1, 1)]
}

const callModel = (state: RunState, turn: number, attempt: number): Action => ({
  type: "call-model",
  turn,
  attempt,
  closing: turn >= state.start!.limits.maxTurns,
  ...(state.loaded && { loaded: state.loaded }),
})

/**
 * The most children that one decision starts. Each start causes another decision, which starts the next ones. If thousands
 * were started at once, all of them would be looked at again whenever one ends.
 */
const mostHandedOver = 64

/** Chooses the next action for every call of the turn. */
function progress(state: RunState, times: Times): readonly Action[] {
  const { ready, ordered, expiring, watching } = state.tally
  if (ready + ordered + expiring + watching === 0) return [waitOrRest(state, times)]
  const actions: Action[] = []
  let submitted = false
  let handedOver = 0
  for (const { call, number, order } of listCallsToDecide(state)) {
    const action = submitted
      ? skipCall(call, "Not run: the result was submitted before it.")
      : call.kind !== "submit" && number > state.start!.limits.maxToolCalls
        ? skipCall(
            call,
            `Not run: the run's limit of ${state.start!.limits.maxToolCalls} tool calls is reached.`,
          )
        : findNextCallAction(state, call, times.now, order)
    if (action) actions.push(action)
    if (action?.type === "start-call" && call.kind === "delegation" && ++handedOver === mostHandedOver) break
    if (call.kind === "submit" && call.problem === undefined) submitted = true
  }
  return actions.length > 0 ? actions : [waitOrRest(state, times)]
}

/** Ends the run, or stops it first where something is still open. Its output so far is kept. */
function finish(state: RunState, outcome: RunOutcome, result = getFinalOutput(state)): readonly Action[] {
  if (hasWorkInProgress(state) || state.calls.length > 0 || state.children.length > 0)
    return [{ type: "stop", outcome }]
  return [{ type: "end", outcome, ...result }]
}

/** Ends a stopped run: waiting calls are skipped, effects at work are told to stop, and children are cancelled. */
function windDown(state: RunState, stop: NonNullable<RunState["stop"]>, { now }: Times): readonly Action[] {
  const reason = describeOutcome(stop.outcome)
  const until = stop.at + stopGrace
  const actions: Action[] = []
  for (const call of state.calls) {
    if (call.status === "ended") continue
    if (call.report) actions.push({ type: "end-call", call, result: createDelegationResult(call) })
    else if (call.status === "sampling" && call.sampling?.start) continue
    else if (call.status === "started" && call.kind !== "control" && call.kind !== "pause") {
      if (call.child !== undefined && now >= until)
        actions.push(
          endCall(call, "unknown", `The subagent (run ${call.child}) did not stop in time: ${reason}.`),
        )
    } else if (
      (call.status === "interrupted" || call.programQuestion || call.sampling) &&
      call.effect !== "read"
    )
      actions.push({ type: "end-call", call, result: createUnknownResult(call.tool) })
    else actions.push(endCall(call, "skipped", `Not run: ${reason}.`))
  }
  if (hasWorkInProgress(state)) actions.push({ type: "abort" })
  if (state.children.length > 0 && now < until) actions.push({ type: "cancel-children", reason })
  const wait: Action = { type: "wait", ...(state.children.length > 0 && now < until && { until }) }
  if (actions.length > 0 || state.calls.length > 0) return [...actions, wait]
  return finish({ ...state, children: SharedList.empty() }, stop.outcome, stop.left)
}

function findExpiredClock(state: RunState, { now, lastSign }: Times): ClockName | undefined {
  const { limits, within } = state.start!
  const { timeout, idleTimeout } = limits
  if (timeout !== undefined && computeWorkedTime(state, now) >= timeout) return "timeout"
  if (within !== undefined && computeElapsedTime(state, now) >= within) return "timeout"
  if (
    idleTimeout !== undefined &&
    hasWorkInProgress(state) &&
    now - Math.max(lastSign, state.lastAt) >= idleTimeout
  )
    return "idleTimeout"
  return undefined
}

const describeRepeats = ({ period, count }: RunState["repeats"]): string =>
  `the same ${period > 1 ? `${period} turns` : "turn"} came ${count} times in a row`

function waitOrRest(state: RunState, { lastSign, now }: Times): Action {
  const until = findNextClock(state, lastSign, now)
  return { type: isResting(state) ? "rest" : "wait", ...(until !== undefined && { until }) }
}

/** The earliest time at which the clock alone could change the decision. */
export function findNextClock(state: RunState, lastSign: number, now: number): number | undefined {
  if (!state.start) return undefined
  const { timeout, idleTimeout } = state.start!.limits
  const resting = isResting(state)
  let first = Number.POSITIVE_INFINITY
  if (state.tally.expiring + state.tally.watching > 0 || state.sampled)
    for (const call of state.calls) {
      if (call.sampling?.notBefore !== undefined && call.status === "sampling")
        first = Math.min(first, call.sampling.notBefore)
      const isTimed = call.status === "asking" || call.kind === "pause"
      const expires = isTimed ? call.expires : (call.waits ?? call.asks)?.expires
      if (expires !== undefined && call.status !== "ended") first = Math.min(first, expires)
    }
  const { within } = state.start
  if (!resting && timeout !== undefined && !isClockStopped(state))
    first = Math.min(first, state.lastAt + timeout + (state.waited ?? 0) - state.active)
  if (!resting && within !== undefined) first = Math.min(first, state.lastAt + within - state.active)
  if (!resting && state.moments)
    first = Math.min(first, findNearClock(state, now) ?? Number.POSITIVE_INFINITY)
  if (idleTimeout !== undefined && hasWorkInProgress(state))
    first = Math.min(first, Math.max(lastSign, state.lastAt) + idleTimeout)
  if (state.phase.type === "backoff") first = Math.min(first, state.phase.notBefore)
  return first === Number.POSITIVE_INFINITY ? undefined : first
}

export const asksModel = ({ type }: Action): boolean =>
  type === "call-model" || type === "compact" || type === "sample"
