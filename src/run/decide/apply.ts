import type { CallResult, ChildAsk, ChildEnd, HookStart, RunEvent, ToolEnd, Waiting } from "../log/event.ts"
import type { DecisionCause } from "../log/event-rights.ts"
import type { RunResume, RunStart } from "../log/event-run.ts"
import { isCheckKey, readFallbackKey } from "../log/id.ts"
import { SharedList } from "../log/list.ts"
import { Row } from "../log/row.ts"
import { addUnsettled } from "../log/unsettled.ts"
import type { Child, ChildReport } from "../state/child.ts"
import { normaliseShape } from "../state/in-shape.ts"
import { emptyMoments } from "../state/moment-state.ts"
import { readMomentName } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { compareChanges } from "../state/overlap.ts"
import { addNote, findCallIndex, setCall } from "../state/set-call.ts"
import { hasWorkInProgress, type RunState } from "../state/state.ts"
import { stopRun } from "../state/stop.ts"
import { changeTally, emptyTally, tallyCalls } from "../state/tally.ts"
import { describeUncertainChild } from "../words/lost-text.ts"
import { describeLostHook, writeChildQuestion } from "../words/prompt.ts"
import { applyActivation } from "./apply-activation.ts"
import {
  mayTryFallback,
  withChild,
  withFailed,
  withLacks,
  withoutChild,
  withVerdict,
} from "./apply-children.ts"
import { applyAfterHooks, endHooks, isBesideCall, refuseLostHook, startHookChild } from "./apply-hooks.ts"
import { addRepair, bridgeLoss, chooseChildMode, loseEvent, tellLoss, withLossCheck } from "./apply-lost.ts"
import {
  addAll,
  applyAnswer,
  applyModelFallback,
  applyModelStart,
  applyRetry,
  endCompaction,
  startCompaction,
  withWarnings,
} from "./apply-model.ts"
import {
  endMoment,
  resumeMoments,
  skipEndHooks,
  startCommand,
  startMomentChild,
  stopWaitingAtMoment,
} from "./apply-moments.ts"
import { endPlan, startPlan, withResult } from "./apply-plan.ts"
import { endApproval, startApproval } from "./apply-question.ts"
import { loseRequest } from "./apply-release.ts"
import { applySubmission, rememberFiles, updateUnresolved, writeResults } from "./apply-result.ts"
import { askForModel, endSampling, loseSamplings, retrySampling, startSampling } from "./apply-sampling.ts"
import { nudgePrefix } from "./conclude.ts"
import { deliverReport } from "./deliver-report.ts"
import { isResting, waitsForChildren } from "./resting.ts"
import { isUnrepeatable } from "./reuse.ts"
import { repairPrefix } from "./verify.ts"

/**
 * Folds one event into the state of a run. Pure: the loop, resume, `show` and a browser all use it.
 *
 * @example
 * ```ts
 * import { applyRunEvent, createRuntime, emptyRunState } from "cadre"
 *
 * const runtime = createRuntime()
 * const run = "01m7qma50kbnh0ghj10cexzy10"
 * let state = emptyRunState(run)
 * for await (const event of runtime.follow(run, AbortSignal.timeout(1_000)))
 *   if (event.run === run) state = applyRunEvent(state, event)
 * console.log(state.turn, state.usage)
 * ```
 */
export function applyRunEvent(state: RunState, event: RunEvent): RunState {
  // Neither the time without an owner before a resume counts, nor the time at rest.
  const countedTime =
    event.type === "run-start" || event.type === "run-resume" || state.end || isResting(state)
      ? 0
      : Math.max(0, event.at - state.lastAt)
  const changedState = change(state.lost ? bridgeLoss(state, event, endCall) : state, event)
  const next = normaliseShape(changedState)
  next.active = state.active + countedTime
  if (countedTime > 0 && state.start?.within !== undefined && waitsForChildren(state))
    next.waited = (state.waited ?? 0) + countedTime
  next.lastAt = event.at
  return next as RunState
}

function change(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "run-start":
      return start(state, event)
    case "run-resume":
      return resume(state, event)
    case "run-release":
      return { ...loseRequest(state), released: true }
    case "model-start":
      return applyModelStart(state, event)
    case "model-retry":
      return applyRetry(state, event)
    case "model-fallback":
      return applyModelFallback(state, event)
    case "compaction-start":
      return startCompaction(state, event)
    case "compaction-end":
      return endCompaction(state, event)
    case "model-end":
      return applyAnswer(state, event)
    case "plan-end":
      return endPlan(state, event)
    case "hook-start":
      return startHook(state, event)
    case "hook-end":
      return endHooks(state, event)
    case "moment-end":
      return endMoment(state, event)
    case "approval-start":
      return startApproval(state, event)
    case "approval-end":
      return endApproval(state, event)
    case "sampling-ask":
      return askForModel(state, event)
    case "sampling-start":
      return startSampling(state, event)
    case "sampling-retry":
      return retrySampling(state, event)
    case "sampling-end":
      return endSampling(state, event)
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
    // Only those who show or undo the changes of files read these.
    case "file-change":
    case "file-kept":
    case "changes-seen":
    case "changes-undone":
      return state
    case "tool-note":
      return addNote(state, event.call, event.note)
    case "tool-end":
      return withWarnings(
        applyAfterHooks(
          applyActivation(withLoaded(endCall(state, event.call, event.result, event.by), event), event),
          event,
        ),
        event.warnings ?? [],
      )
    case "child-start": {
      const mode = chooseChildMode(state, event)
      return {
        ...(event.hook
          ? (readMomentName(event.call) ? startMomentChild : startHookChild)(state, event)
          : isBesideCall(state, event)
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
        ? deliverReport(
            { ...state, ...withoutChild(state, child) },
            child,
            child.failed,
            event.at,
            event.skipped,
          )
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
      return stopRun(skipEndHooks(state), { type: "cancelled", reason: event.reason }, event.at)
    case "run-stop":
      return stopRun(state, event.outcome, event.at, event.left)
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
      return addRepair(state, event)
  }
}

const start = (state: RunState, event: RunStart): RunState => ({
  ...state,
  start: event,
  rights: event.rights,
  hooks: event.hooks ?? [],
  ...(event.moments && { moments: { ...emptyMoments, hooks: event.moments } }),
  ...(event.confinement && { confinement: event.confinement }),
  variables: event.variables,
  messages: state.messages.append({
    role: "user",
    text: event.opening ?? event.task,
    ...(event.attachments && { attachments: event.attachments }),
  }),
  ...startPlan(event),
})

/** A resumed run has lost every effect that was in flight, because its process is gone. */
function resume(
  previous: RunState,
  { at, differences = [], rights, hooks = [], moments, confinement }: RunResume & { readonly at: number },
): RunState {
  const state = loseSamplings(resumeMoments(previous, moments, at))
  const calls = state.calls
    .toArray()
    .map(
      (call): OpenCall =>
        call.status === "started" && call.child === undefined && call.kind !== "pause"
          ? { ...call, status: "interrupted" }
          : refuseLostHook(call),
    )
  return tellLoss({
    ...loseRequest(state),
    calls: Row.of(calls),
    tally: tallyCalls(calls),
    // The worktree may have been about to close. Opening an open one again changes nothing.
    ...(state.resource?.status === "open" && { resource: undefined }),
    // The new process has yet to cancel the children, so their time to stop begins now.
    ...(state.stop && { stop: { ...state.stop, at } }),
    rights: rights ? [...state.rights, rights] : state.rights,
    hooks: [...new Set([...state.hooks, ...hooks])],
    ...(confinement && { confinement }),
    deaths: hasWorkInProgress(previous) && !previous.released ? state.deaths + 1 : state.deaths,
    released: undefined,
    resumedAt: at,
    differences: [...new Set([...state.differences, ...differences])],
  })
}

/** Ends a call. The last call of a turn puts all results into the history, in call order. */
function endCall(state: RunState, id: string, result: CallResult, by?: DecisionCause): RunState {
  const index = findCallIndex(state, id)
  const call = state.calls.at(index)
  if (!call || call.status === "ended") return state
  const endedCall: OpenCall = { ...call, status: "ended", result }
  const calls = state.calls.with(index, endedCall)
  const tally = changeTally(state.tally, call, endedCall)
  const done = tally.open === 0
  const { evidence } = state
  return {
    ...state,
    calls: done ? Row.of<OpenCall>([]) : calls,
    tally: done ? emptyTally : tally,
    ...(state.plan
      ? withResult(state.plan, call, result)
      : done && { messages: state.messages.append(...writeResults(state, calls.toArray())) }),
    unresolved: updateUnresolved(state, call, result),
    ...(state.lost && withLossCheck(state, call, result)),
    deaths: 0,
    ...(call.waits && { children: withQuestionsLeft(state, call.waits) }),
    ...(result.evidence && { seen: rememberFiles(state.seen, result.evidence) }),
    ...(result.usage && { usage: addAll(state.usage, result.usage) }),
    ...(call.kind === "submit" && applySubmission(state, call, result)),
    ...(isUnrepeatable(call, result) && { unrepeatable: true }),
    evidence: {
      calls:
        call.startedAt === undefined
          ? evidence.calls
          : { ...evidence.calls, [call.tool]: countOf(evidence.calls, call.tool) + 1 },
      denied:
        result.status === "denied"
          ? evidence.denied.append({ call: id, tool: call.tool, reason: result.text, ...(by && { by }) })
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

const withLoaded = (state: RunState, { loads }: Pick<ToolEnd, "loads">): RunState =>
  loads ? { ...state, loaded: [...new Set([...(state.loaded ?? []), ...loads])] } : state

/** `Object.hasOwn`, because a tool may be named `constructor`. */
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
  const parentState = outcome.type === "uncertain" ? withUncertain(next, child, outcome.reason) : next
  const report: ChildReport = {
    outcome,
    output,
    ...(length !== undefined && { length }),
    ...("value" in event && { value: event.value }),
    ...(objection && { objection }),
    ...(child.lacks && { lacks: child.lacks }),
    ...(event.untold && event.lacks && { lacksBelow: event.lacks }),
    ...(compared && { isolation: compared.isolation }),
  }
  return child.fallback?.next.length && mayTryFallback(outcome) && !state.stop
    ? { ...next, ...withFailed(state, child, { key: event.key, report }) }
    : deliverReport(parentState, child, { key: event.key, report }, event.at)
}

/** A child's uncertain effect counts like an unknown outcome of the run's own call: the model has to check it. */
const withUncertain = (state: RunState, { agent, run }: Child, reason: string): RunState => ({
  ...withWarnings(state, [describeUncertainChild(agent, run, reason)]),
  ...(!state.plan && { unresolved: [...state.unresolved, { call: run, tool: agent, turn: state.turn }] }),
})

/** A call that waits for a child cannot answer its question, so the child goes on in the background. */
function askParent(state: RunState, { child: run, key, question }: ChildAsk): RunState {
  const child = state.children.find((child) => child.run === run)
  if (!child || state.end) return state
  const asking = changeChild(state, run, { asks: "open", mode: "background" })
  const isCall = child.mode === "wait" && !readMomentName(child.call)
  if (isCall) return setCall(asking, child.call, { question })
  const next = child.mode === "wait" ? stopWaitingAtMoment(asking, child.call) : asking
  return { ...next, inbox: [...state.inbox, { key, from: run, text: writeChildQuestion(child, question) }] }
}

/** A run that waits for the child again leaves the child's question open until it expires. */
const withQuestionsLeft = ({ children }: RunState, { runs }: Waiting): RunState["children"] =>
  SharedList.of(
    [...children].map((child) =>
      child.asks && runs.some(({ run }) => run === child.run) ? { ...child, asks: "told" } : child,
    ),
  )

/** Notes that a hook's command begins. A cached result would not repeat its effects. */
function startHook(previous: RunState, event: HookStart): RunState {
  const state: RunState = { ...previous, unrepeatable: true }
  const { call, hook: hooking } = event
  if (readMomentName(call)) return startCommand(state, event)
  if (isCheckKey(call)) return { ...state, hookingCheck: hooking }
  const next = readFallbackKey(call)
  return next
    ? { ...state, ...withVerdict(state, next, describeLostHook(hooking)) }
    : setCall(state, call, { hooking })
}

const changeChild = (state: RunState, run: string, fields: Partial<Child>): RunState => ({
  ...state,
  children: SharedList.of(
    [...state.children].map((child) => (child.run === run ? { ...child, ...fields } : child)),
  ),
})
