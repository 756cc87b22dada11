import type { CallResult, ChildAsk, ChildEnd, HookStart, RunEvent, Waiting } from "../log/event.ts"
import type { RunResume, RunStart } from "../log/event-run.ts"
import { isOfCheck, readFallbackKey } from "../log/id.ts"
import { List } from "../log/list.ts"
import { Row } from "../log/row.ts"
import { addUnsettled } from "../log/unsettled.ts"
import type { Child, Report } from "../state/child.ts"
import { inShape } from "../state/in-shape.ts"
import { noMoments } from "../state/moment-state.ts"
import { momentOf } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { compareChanges } from "../state/overlap.ts"
import { indexOf, setCall } from "../state/set-call.ts"
import { isAtWork, type RunState } from "../state/state.ts"
import { stop } from "../state/stop.ts"
import { changeTally, noTally, tallyCalls } from "../state/tally.ts"
import { childUncertain } from "../words/lost-text.ts"
import { childQuestion, hookLost } from "../words/prompt.ts"
import { takeOn } from "./apply-activation.ts"
import { mayFallBack, withChild, withFailed, withJudged, withLacks, withoutChild } from "./apply-children.ts"
import { endHooks, isBeside, seen, spawned, unhooked } from "./apply-hooks.ts"
import { bridge, loseEvent, modeAfterLoss, noteRepair, tellLoss, withLook } from "./apply-lost.ts"
import {
  addAll,
  answer,
  callModel,
  endCompaction,
  fallBack,
  retry,
  startCompaction,
  withWarnings,
} from "./apply-model.ts"
import { cutShort, endMoment, letGo, resumeMoments, spawnedAt, startCommand } from "./apply-moments.ts"
import { endPlan, startPlan, withResult } from "./apply-plan.ts"
import { handIn, results, see, stillUnresolved } from "./apply-result.ts"
import { nudgePrefix } from "./conclude.ts"
import { hear } from "./hear.ts"
import { isResting, waitsForChildren } from "./resting.ts"
import { isUnrepeatable } from "./reuse.ts"
import { repairPrefix } from "./verify.ts"

/** Folds one event into the state of a run. Pure: the loop, resume, `show` and a browser all use it. */
export function apply(state: RunState, event: RunEvent): RunState {
  // Time before a resume had no owner, and time at rest belongs to a person: neither counts.
  const counted =
    event.type === "run-start" || event.type === "run-resume" || state.end || isResting(state)
      ? 0
      : Math.max(0, event.at - state.lastAt)
  const changed = change(state.lost ? bridge(state, event, endCall) : state, event)
  const next = inShape(changed)
  next.active = state.active + counted
  if (counted > 0 && state.start?.within !== undefined && waitsForChildren(state))
    next.waited = (state.waited ?? 0) + counted
  next.lastAt = event.at
  return next as RunState
}

function change(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "run-start":
      return start(state, event)
    case "run-resume":
      return resume(state, event)
    case "model-start":
      return callModel(state, event)
    case "model-retry":
      return retry(state, event)
    case "model-fallback":
      return fallBack(state, event)
    case "compaction-start":
      return startCompaction(state, event)
    case "compaction-end":
      return endCompaction(state, event)
    case "model-end":
      return answer(state, event)
    case "plan-end":
      return endPlan(state, event)
    case "hook-start":
      return startHook(state, event)
    case "hook-end":
      return endHooks(state, event)
    case "moment-end":
      return endMoment(state, event)
    case "approval-start":
      return setCall(state, event.call, {
        status: "asking",
        ...(event.expires !== undefined && { expires: event.expires }),
      })
    case "approval-end":
      return setCall(
        state,
        event.call,
        event.decision === "allow"
          ? { status: "approved", ...(event.note !== undefined && { reason: event.note }) }
          : { status: "refused", reason: event.note ?? "The person asked said no." },
        "asking",
      )
    case "tool-start":
      return setCall(
        event.sends === undefined ? state : changeChild(state, event.sends, { asks: undefined }),
        event.call,
        {
          status: "started",
          startedAt: event.at,
          ...(event.waits && { waits: event.waits }),
          ...(event.asks && { asks: event.asks }),
        },
      )
    case "tool-end":
      return withWarnings(
        seen(takeOn(endCall(state, event.call, event.result), event), event),
        event.warnings ?? [],
      )
    case "child-start": {
      const mode = modeAfterLoss(state, event)
      return {
        ...(event.hook
          ? (momentOf(event.call) ? spawnedAt : spawned)(state, event)
          : isBeside(state, event)
            ? state
            : setCall(state, event.call, {
                status: "started",
                child: event.child,
                agent: event.agent,
                mode,
                startedAt: event.at,
              })),
        ...withChild(state, mode === event.mode ? event : { ...event, mode }),
        ...(event.lacks && withLacks(state.lacksBelow, [{ agent: event.agent, lacks: event.lacks }])),
        lastChild: Math.max(state.lastChild, Number(event.child.slice(event.child.lastIndexOf(".") + 1))),
      }
    }
    case "child-rest":
    case "child-wake":
      return changeChild(state, event.child, { resting: event.type === "child-rest" })
    case "child-ask":
      return askParent(state, event)
    case "child-end":
      return endChild(state, event)
    case "fallback-end": {
      const child = state.children.find((child) => child.run === event.child)
      return child?.failed
        ? hear({ ...state, ...withoutChild(state, child) }, child, child.failed, event.at, event.skipped)
        : state
    }
    case "resource-open":
      return { ...state, resource: { status: "open" } }
    case "resource-close":
      return { ...state, resource: { status: "closed", report: event.report } }
    case "message-add":
      if (event.answers !== undefined) return setCall(state, event.answers, { answer: event.text })
      return {
        ...state,
        inbox: [...state.inbox, { key: event.key, from: event.from, text: event.text }],
        ...(event.from !== "runtime" && { unrepeatable: true }),
        nudged: state.nudged || (event.from === "runtime" && event.key.startsWith(nudgePrefix)),
        repaired: state.repaired || (event.from === "runtime" && event.key.startsWith(repairPrefix)),
      }
    case "check-start":
      return { ...state, phase: { type: "checking" } }
    case "check-end":
      return {
        ...state,
        phase: { type: "idle" },
        check: { turn: event.turn, results: event.results },
        hookingCheck: undefined,
        deaths: 0,
      }
    case "cancel-request":
      return stop(cutShort(state), { type: "cancelled", reason: event.reason }, event.at)
    case "run-stop":
      return stop(state, event.outcome, event.at, event.left)
    case "run-end":
      return {
        ...state,
        phase: { type: "idle" },
        end: {
          outcome: event.outcome,
          output: event.output,
          at: event.at,
          ...("value" in event && { value: event.value }),
          ...(event.cached && { cached: event.cached }),
        },
      }
    case "event-lost":
      return loseEvent(state, event)
    case "log-repair":
      return noteRepair(state, event)
  }
}

const start = (state: RunState, event: RunStart): RunState => ({
  ...state,
  start: event,
  rights: event.rights,
  hooks: event.hooks ?? [],
  ...(event.moments && { moments: { ...noMoments, hooks: event.moments } }),
  ...(event.confinement && { confinement: event.confinement }),
  variables: event.variables,
  messages: state.messages.append({
    role: "user",
    text: event.opening ?? event.task,
    ...(event.attachments && { attachments: event.attachments }),
  }),
  ...startPlan(event),
})

/** Whatever was in flight belonged to a process that is gone. */
function resume(
  before: RunState,
  { at, differences = [], rights, hooks = [], moments, confinement }: RunResume & { readonly at: number },
): RunState {
  const state = resumeMoments(before, moments, at)
  const { phase } = state
  const lost = phase.type === "calling" || phase.type === "compacting" ? phase.start : undefined
  const calls = state.calls
    .toArray()
    .map(
      (call): OpenCall =>
        call.status === "started" && call.child === undefined && call.kind !== "pause"
          ? { ...call, status: "interrupted" }
          : unhooked(call),
    )
  return tellLoss({
    ...state,
    phase:
      phase.type === "compacting"
        ? { type: "overflow", attempt: phase.start.attempt, error: phase.error }
        : lost
          ? { type: "interrupted", attempt: lost.attempt }
          : phase.type === "checking"
            ? { type: "idle" }
            : phase,
    unsettled: lost
      ? {
          calls: state.unsettled.calls + 1,
          tokens: state.unsettled.tokens + lost.reserved.inputTokens + lost.reserved.outputTokens,
          cost: state.unsettled.cost + (lost.reserved.cost ?? 0),
        }
      : state.unsettled,
    calls: Row.of(calls),
    tally: tallyCalls(calls),
    // It may have been about to be closed; opening what is open changes nothing.
    ...(state.resource?.status === "open" && { resource: undefined }),
    // Its children have yet to hear of it from a process that lives.
    ...(state.stop && { stop: { ...state.stop, at } }),
    rights: rights ? [...state.rights, rights] : state.rights,
    hooks: [...new Set([...state.hooks, ...hooks])],
    ...(confinement && { confinement }),
    deaths: isAtWork(state) ? state.deaths + 1 : state.deaths,
    resumedAt: at,
    differences: [...new Set([...state.differences, ...differences])],
  })
}

/** Ends a call; the last one of its turn puts all results into the history, in call order. */
function endCall(state: RunState, id: string, result: CallResult): RunState {
  const index = indexOf(state, id)
  const call = state.calls.at(index)
  if (!call || call.status === "ended") return state
  const ended: OpenCall = { ...call, status: "ended", result }
  const calls = state.calls.with(index, ended)
  const tally = changeTally(state.tally, call, ended)
  const done = tally.open === 0
  const { evidence } = state
  return {
    ...state,
    calls: done ? noCalls : calls,
    tally: done ? noTally : tally,
    ...(state.plan
      ? withResult(state.plan, call, result)
      : done && { messages: state.messages.append(...results(state, calls.toArray())) }),
    unresolved: stillUnresolved(state, call, result),
    ...(state.lost && withLook(state, call, result)),
    deaths: 0,
    ...(call.waits && { children: reminded(state, call.waits) }),
    ...(result.evidence && { seen: see(state.seen, result.evidence) }),
    ...(result.usage && { usage: addAll(state.usage, result.usage) }),
    ...(call.kind === "submit" && handIn(state, call, result)),
    ...(isUnrepeatable(call, result) && { unrepeatable: true }),
    evidence: {
      calls:
        call.startedAt === undefined
          ? evidence.calls
          : { ...evidence.calls, [call.tool]: countOf(evidence.calls, call.tool) + 1 },
      denied:
        result.status === "denied"
          ? evidence.denied.append({ call: id, tool: call.tool, reason: result.text })
          : evidence.denied,
      unknown:
        result.status === "unknown"
          ? evidence.unknown.append({ call: id, tool: call.tool })
          : evidence.unknown,
      files: evidence.files.append(...(result.evidence?.files ?? [])),
      commands: evidence.commands.append(...(result.evidence?.commands ?? [])),
    },
  }
}

/** A tool may be called `constructor`. */
const countOf = (calls: Readonly<Record<string, number>>, tool: string): number =>
  Object.hasOwn(calls, tool) ? calls[tool]! : 0

function endChild(state: RunState, event: ChildEnd & { readonly at: number }): RunState {
  const child = state.children.find((child) => child.run === event.child)
  if (!child) return state
  const usageBelow = addAll(state.usageBelow, event.usage)
  const compared = event.isolation && compareChanges(state.changes ?? [], event.child, event.isolation)
  const next = {
    ...state,
    ...withoutChild(state, child),
    ...(compared && { changes: compared.changes }),
    usageBelow,
    ...(event.unsettled && { unsettledBelow: addUnsettled(state.unsettledBelow, event.unsettled) }),
    ...(event.lacks && withLacks(state.lacksBelow, event.lacks)),
    ...((event.unrepeatable || event.outcome.type !== "completed") && { unrepeatable: true as const }),
    deaths: 0,
  }
  if (state.end) return next
  const { outcome, output, length, objection } = event
  const told = outcome.type === "uncertain" ? withUncertain(next, child, outcome.reason) : next
  const report: Report = {
    outcome,
    output,
    ...(length !== undefined && { length }),
    ...("value" in event && { value: event.value }),
    ...(objection && { objection }),
    ...(child.lacks && { lacks: child.lacks }),
    ...(event.untold && event.lacks && { lacksBelow: event.lacks }),
    ...(compared && { isolation: compared.isolation }),
  }
  return child.fallback?.next.length && mayFallBack(outcome) && !state.stop
    ? { ...next, ...withFailed(state, child, { key: event.key, report }) }
    : hear(told, child, { key: event.key, report }, event.at)
}

/** Nobody knows whether something below took effect: as with a call of its own, somebody has to look. */
const withUncertain = (state: RunState, { agent, run }: Child, reason: string): RunState => ({
  ...withWarnings(state, [childUncertain(agent, run, reason)]),
  ...(!state.plan && { unresolved: [...state.unresolved, { call: run, tool: agent, turn: state.turn }] }),
})

/** Whoever waits for a child cannot answer it: from here the child goes on in the background. */
function askParent(state: RunState, { child: run, key, question }: ChildAsk): RunState {
  const child = state.children.find((child) => child.run === run)
  if (!child || state.end) return state
  const asking = changeChild(state, run, { asks: "open", mode: "background" })
  const isCall = child.mode === "wait" && !momentOf(child.call)
  if (isCall) return setCall(asking, child.call, { question })
  const next = child.mode === "wait" ? letGo(asking, child.call) : asking
  return { ...next, inbox: [...state.inbox, { key, from: run, text: childQuestion(child, question) }] }
}

/** Whoever waits again leaves a question to its time. */
const reminded = ({ children }: RunState, { runs }: Waiting): RunState["children"] =>
  List.of(
    [...children].map((child) =>
      child.asks && runs.some(({ run }) => run === child.run) ? { ...child, asks: "told" } : child,
    ),
  )

/** A command of a hook begins. Results do not tell all that it did. */
function startHook(before: RunState, event: HookStart): RunState {
  const state: RunState = { ...before, unrepeatable: true }
  const { call, hook: hooking } = event
  if (momentOf(call)) return startCommand(state, event)
  if (isOfCheck(call)) return { ...state, hookingCheck: hooking }
  const next = readFallbackKey(call)
  return next
    ? { ...state, ...withJudged(state, next, hookLost(hooking)) }
    : setCall(state, call, { hooking })
}

const changeChild = (state: RunState, run: string, fields: Partial<Child>): RunState => ({
  ...state,
  children: List.of(
    [...state.children].map((child) => (child.run === run ? { ...child, ...fields } : child)),
  ),
})

const noCalls = Row.of<OpenCall>([])
