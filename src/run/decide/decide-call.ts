import type { CallResult, HookSpawn } from "../log/event.ts"
import { isStuck } from "../rights/find-cause.ts"
import { judgeSpawn } from "../rights/judge-spawn.ts"
import { judge } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import { findChildFor, type RunState } from "../state/state.ts"
import { reconsiderText } from "../words/lost-text.ts"
import {
  blockedTwiceText,
  createDelegationResult,
  createHookedResult,
  createUnknownResult,
  describeAccess,
  describeBackgroundStart,
  describeWaitedRuns,
  noAnswerText,
  writeChildQuestion,
  writeDefaultAnswer,
} from "../words/prompt.ts"
import type { Action } from "./action.ts"
import { mustBeReconsidered } from "./apply-lost.ts"
import { decideSampling } from "./decide-sampling.ts"

type EndCall = Extract<Action, { type: "end-call" }>

/** The next action for a call; undefined if it waits for something. `held`: it waits for an earlier call. */
export function findNextCallAction(
  state: RunState,
  call: OpenCall,
  now: number,
  order: "held" | "free",
): Action | undefined {
  const action = stepOf(state, call, now)
  if (order === "free") return action
  const begins = action?.type === "start-call" || (call.kind === "submit" && call.problem === undefined)
  return begins ? undefined : action
}

function stepOf(state: RunState, call: OpenCall, now: number): Action | undefined {
  const start: Action = { type: "start-call", call }
  switch (call.status) {
    case "asked":
      if (call.problem !== undefined) return endCall(call, call.refused ? "denied" : "error", call.problem)
      if (call.kind === "submit") return endCall(call, "ok", "Accepted.")
      if (call.kind === "approval") return { type: "ask-approval", call }
      if (mustBeReconsidered(state, call)) return endCall(call, "skipped", reconsiderText(call.tool))
      if (state.hooks.length === 0) return judgeCall(state, call)
      return isStuck(state, call) ? endCall(call, "denied", blockedTwiceText) : { type: "judge-hooks", call }
    case "hooked":
      return call.spawns?.length ? handOver(state, call, call.spawns[0]!) : judgeCall(state, call)
    case "asking":
      if (call.expires === undefined || now < call.expires) return undefined
      // The program is told that there is no answer.
      if (call.programQuestion) return start
      return endCall(call, "denied", "Not permitted: the approval this call needs was not given in time.")
    case "refused":
      return endCall(call, "denied", `Not permitted: ${call.reason}`)
    // Rules that were added since may deny the call.
    case "approved":
      if (call.kind === "approval") return endCall(call, "ok", call.reason ?? "Approved.")
      return call.programQuestion ? goOn(state, call) : (denyCall(state, call) ?? start)
    case "sampling":
      return decideSampling(state, call, now)
    case "sampled":
      return goOn(state, call)
    case "interrupted": {
      const forbidden = denyCall(state, call)
      return call.effect === "opaque" || (forbidden && call.effect !== "read")
        ? showToHooks(state, { type: "end-call", call, result: createUnknownResult(call.tool) })
        : (forbidden ?? start)
    }
    case "started": {
      const end = endOf(state, call, now)
      return end && showToHooks(state, end)
    }
    case "ended":
      return undefined
  }
}

/** The end of a call that no tool function works on; undefined if it has not ended yet. */
function endOf(state: RunState, call: OpenCall, now: number): EndCall | undefined {
  if (call.kind === "pause") return now < call.expires! ? undefined : endCall(call, "ok", "")
  if (call.kind === "control") return endWaiting(state, call, now)
  if (call.report)
    return {
      type: "end-call",
      call,
      result: call.spawns?.length ? createHookedResult(call) : createDelegationResult(call),
    }
  if (call.question !== undefined)
    return endCall(
      call,
      "ok",
      writeChildQuestion({ run: call.child!, agent: call.agent ?? "" }, call.question),
    )
  return call.mode === "background" ? endCall(call, "ok", describeBackgroundStart(call.child!)) : undefined
}

/** Hooks see the result of a call that has run, but not the result of an agent that replaced the call. */
const showToHooks = ({ hooks }: RunState, end: EndCall): Action =>
  hooks.length === 0 || end.call.kind === "pause" || end.call.spawns?.length
    ? end
    : { ...end, type: "show-result" }

function judgeCall(state: RunState, call: OpenCall): Action {
  const { decision, of, about } = judge(state.rights, call, state.start!.moved)
  switch (decision) {
    case "allow":
      return { type: "start-call", call }
    case "ask":
      return { type: "ask-approval", call }
    case "deny":
      return endCall(
        call,
        "denied",
        `Not permitted: ${call.tool}${about ? ` (${describeAccess(about)})` : ""} is denied by the rules of ${of}. Go on without it.`,
      )
  }
}

/** A call that was answered, or got a reply of the model, has started before. If a rule denies it now, its outcome is unknown. */
const goOn = (state: RunState, call: OpenCall): Action =>
  denyCall(state, call)
    ? { type: "end-call", call, result: createUnknownResult(call.tool) }
    : { type: "start-call", call }

function denyCall(state: RunState, call: OpenCall): Action | undefined {
  const action = judgeCall(state, call)
  return action.type === "end-call" ? action : undefined
}

/** An agent that a hook starts is judged like a called agent. The call itself is judged afterwards. */
function handOver(state: RunState, call: OpenCall, spawn: HookSpawn): Action {
  const { agent: name } = spawn
  const { decision, of } = judgeSpawn(state, spawn)
  if (decision === "allow") return { type: "start-call", call }
  if (decision === "ask") return { type: "ask-approval", call }
  return endCall(
    call,
    "denied",
    `Not permitted: a hook hands this ${call.tool} call to the agent ${name}, which is denied by the rules of ${of}. Go on without it.`,
  )
}

/** A call that waits for other runs ends when they have done what it waits for, or when its time is over. */
function endWaiting(state: RunState, call: OpenCall, now: number): EndCall | undefined {
  const { asks, waits, answer } = call
  if (answer !== undefined) return endCall(call, "ok", answer)
  if (asks && now >= asks.expires)
    return asks.otherwise === undefined
      ? endCall(call, "error", noAnswerText)
      : endCall(call, "ok", writeDefaultAnswer(asks.otherwise))
  if (!waits) return undefined
  const runs = waits.runs.map(({ run, agent }) => ({ run, agent, child: findChildFor(state, run) }))
  const atWork = runs.flatMap(({ child }) => child ?? [])
  const isOver = waits.until === "all" ? atWork.length === 0 : atWork.length < waits.runs.length
  const isLate = waits.expires !== undefined && now >= waits.expires
  // A child that asks a question waits for this run: both would wait for ever.
  const isWanted =
    state.inbox.some(({ report, passive }) => !report && !passive) ||
    atWork.some(({ asks }) => asks === "open")
  return isOver || isLate || isWanted ? endCall(call, "ok", describeWaitedRuns(runs)) : undefined
}

export const endCall = (call: OpenCall, status: CallResult["status"], text: string): EndCall => ({
  type: "end-call",
  call,
  result: { status, text },
})

export const skipCall = (call: OpenCall, text: string): Action | undefined =>
  call.status === "ended" || call.status === "started" ? undefined : endCall(call, "skipped", text)
