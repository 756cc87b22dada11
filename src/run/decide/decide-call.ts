import type { CallResult, HookSpawn } from "../log/event.ts"
import { judgeSpawn } from "../rights/judge-spawn.ts"
import { judge } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import { childFor, type RunState } from "../state/state.ts"
import { thinkFirst } from "../words/lost-text.ts"
import {
  blockedTwice,
  childQuestion,
  defaultAnswer,
  delegationResult,
  describeAccess,
  hookedResult,
  noAnswer,
  startedInBackground,
  unknownOutcome,
  waitedFor,
} from "../words/prompt.ts"
import type { Action } from "./action.ts"
import { mustBeThoughtOver } from "./apply-lost.ts"

type EndCall = Extract<Action, { type: "end-call" }>

/** Where a call goes from where it is; undefined where it waits for something. `held`: for a call before it. */
export function nextOfCall(
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
      if (mustBeThoughtOver(state, call)) return endCall(call, "skipped", thinkFirst(call.tool))
      if (state.hooks.length === 0) return judged(state, call)
      return isStuck(state, call) ? endCall(call, "denied", blockedTwice) : { type: "judge-hooks", call }
    case "hooked":
      return call.spawns?.length ? handOver(state, call, call.spawns[0]!) : judged(state, call)
    case "asking":
      if (call.expires === undefined || now < call.expires) return undefined
      return endCall(call, "denied", "Not permitted: the approval this call needs was not given in time.")
    case "refused":
      return endCall(call, "denied", `Not permitted: ${call.reason}`)
    // Rules may have come since that deny it.
    case "approved":
      if (call.kind === "approval") return endCall(call, "ok", call.reason ?? "Approved.")
      return denied(state, call) ?? start
    case "interrupted": {
      const forbidden = denied(state, call)
      return call.effect === "opaque" || (forbidden && call.effect !== "read")
        ? shown(state, { type: "end-call", call, result: unknownOutcome(call.tool) })
        : (forbidden ?? start)
    }
    case "started": {
      const ended = endOf(state, call, now)
      return ended && shown(state, ended)
    }
    case "ended":
      return undefined
  }
}

/** How a call ends that no tool function is at work on; undefined where it does not yet. */
function endOf(state: RunState, call: OpenCall, now: number): EndCall | undefined {
  if (call.kind === "pause") return now < call.expires! ? undefined : endCall(call, "ok", "")
  if (call.kind === "control") return watched(state, call, now)
  if (call.report)
    return {
      type: "end-call",
      call,
      result: call.spawns?.length ? hookedResult(call) : delegationResult(call),
    }
  if (call.question !== undefined)
    return endCall(call, "ok", childQuestion({ run: call.child!, agent: call.agent ?? "" }, call.question))
  return call.mode === "background" ? endCall(call, "ok", startedInBackground(call.child!)) : undefined
}

/** Hooks see what came of a call that has run; what took the place of one has not. */
const shown = ({ hooks }: RunState, ended: EndCall): Action =>
  hooks.length === 0 || ended.call.kind === "pause" || ended.call.spawns?.length
    ? ended
    : { ...ended, type: "show-result" }

function judged(state: RunState, call: OpenCall): Action {
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

function denied(state: RunState, call: OpenCall): Action | undefined {
  const action = judged(state, call)
  return action.type === "end-call" ? action : undefined
}

/** The third time in a row that hooks would block one and the same call. */
const isStuck = ({ blocked }: RunState, { tool, arguments: text }: OpenCall): boolean =>
  blocked !== undefined && blocked.count > 1 && blocked.tool === tool && blocked.arguments === text

/** What a hook hands to an agent is judged like a call of that agent; the call itself is judged when its turn comes. */
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
function watched(state: RunState, call: OpenCall, now: number): EndCall | undefined {
  const { asks, waits, answer } = call
  if (answer !== undefined) return endCall(call, "ok", answer)
  if (asks && now >= asks.expires)
    return asks.otherwise === undefined
      ? endCall(call, "error", noAnswer)
      : endCall(call, "ok", defaultAnswer(asks.otherwise))
  if (!waits) return undefined
  const runs = waits.runs.map(({ run, agent }) => ({ run, agent, child: childFor(state, run) }))
  const atWork = runs.flatMap(({ child }) => child ?? [])
  const isOver = waits.until === "all" ? atWork.length === 0 : atWork.length < waits.runs.length
  const isLate = waits.expires !== undefined && now >= waits.expires
  // Whoever asks would wait for it in turn.
  const isWanted =
    state.inbox.some(({ report, passive }) => !report && !passive) ||
    atWork.some(({ asks }) => asks === "open")
  return isOver || isLate || isWanted ? endCall(call, "ok", waitedFor(runs)) : undefined
}

export const endCall = (call: OpenCall, status: CallResult["status"], text: string): EndCall => ({
  type: "end-call",
  call,
  result: { status, text },
})

export const skipCall = (call: OpenCall, text: string): Action | undefined =>
  call.status === "ended" || call.status === "started" ? undefined : endCall(call, "skipped", text)
