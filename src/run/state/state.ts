import type { CommandConfinement } from "../../agent/confinement.ts"
import type { IsolationReport } from "../../agent/isolation.ts"
import type { ModelError } from "../../agent/model.ts"
import type { ToolEvidence } from "../../agent/tool.ts"
import type { Json, Message } from "../../ground/message.ts"
import type { CallResult, CompactionStart, ModelEnd, ModelStart, PlannedEnd, RunStep } from "../log/event.ts"
import type { ModelWait } from "../log/event-model.ts"
import type { RunOutcome, UsageByModel } from "../log/event-outcome.ts"
import type { DecisionCause, LackBelow, RuleSet } from "../log/event-rights.ts"
import type { PostconditionResult, RunStart, RunStop } from "../log/event-run.ts"
import { SharedList } from "../log/list.ts"
import { Row } from "../log/row.ts"
import { SharedMap } from "../log/shared-map.ts"
import type { Unsettled } from "../log/unsettled.ts"
import type { Child, ChildReport } from "./child.ts"
import type { Moments } from "./moment-state.ts"
import type { OpenCall } from "./open-call.ts"
import type { WorktreeChanges } from "./overlap.ts"
import { emptyTally, type Tally } from "./tally.ts"

/** A run as its log tells it. Plain JSON, immutable; only `apply` makes a new state. */
export interface RunState extends Begun, Conversed, Called, Delegated, Hooked, Ending {}

/** The facts of the first event, how the run was resumed, and the losses of its log. */
interface Begun {
  readonly run: string
  /** Undefined only before the first event. */
  readonly start: RunStart | undefined
  /**
   * The rules of the run, its ancestors, and every configuration it has run under. The strictest decision
   * wins.
   */
  readonly rights: readonly RuleSet[]
  /** The strictest confinement that the run has had. */
  readonly confinement?: CommandConfinement | undefined
  /** The time at which a process last resumed the run. */
  readonly resumedAt?: number
  /** Milliseconds counted so far, without time at rest and time without an owner. */
  readonly active: number
  /** The part of `active` in which the run only waited for children; counted only for runs that need it. */
  readonly waited?: number
  readonly lastAt: number
  /** Its last owner let go of it, and no process has resumed it since. */
  readonly released?: true | undefined
  /** The number of times the process died since the last recorded result. */
  readonly deaths: number
  readonly differences: readonly string[]
  /** For a root: the log of its tree was damaged and repaired. */
  readonly mended?: true
  /** Events of its log are lost. */
  readonly lost?: LostEvents
}

/** The run's exchange with its model: history, usage, fallbacks and failures. */
interface Conversed {
  /** The history, always well formed: the results of a turn are added when its last call has ended. */
  readonly messages: SharedList<Message>
  /** Messages that join the history at the next turn. */
  readonly inbox: readonly InboxNote[]
  readonly turn: number
  /** The index of the model that the run asks now, among those it may use. */
  readonly model: number
  /** The attempt of this turn after which that model took over. */
  readonly fellBackAfter: number
  /** The history was shortened, and no reply has come since. */
  readonly compacted: boolean
  readonly phase: Phase
  /** Set when the last reply had no calls: the run may end. */
  readonly final?: FinalReply | undefined
  readonly failure?: ModelError
  /** The last text that was not blank. */
  readonly lastText: string
  readonly nudged: boolean
  /** How often the last turns were repeated, and with which period. */
  readonly repeats: {
    readonly signatures: readonly string[]
    readonly period: number
    readonly count: number
    /** The last turn that counted. A turn with only pollers does not count. */
    readonly turn: number
  }
  readonly usage: UsageByModel
  /** Reservations of model calls whose process died: they may have been billed. */
  readonly unsettled: Unsettled
  /** The model that was asked last. After a fallback this is not the first of the list. */
  readonly requestedModel?: string
  readonly reported: readonly string[]
  /** Models that the run asked for and the provider did not report. */
  readonly mismatches: readonly { readonly asked: string; readonly reported: string }[]
  /** Models that failed before any tool had run, so that the run asked the next one. */
  readonly fallbacks: readonly { readonly from: string; readonly reason: string }[]
  readonly inputTokens: number
  /** The number of messages in the last answered request. Later messages are new to the provider. */
  readonly answered: number
}

/** The calls of the run's turns, and their results. */
interface Called {
  /** The calls of the current turn; empty when all of them have ended. */
  readonly calls: Row<OpenCall>
  /** For a run without a model: the state of its plan. */
  readonly plan?: PlanState
  readonly tally: Tally
  readonly callCount: number
  /** The use of the model by programs in the middle of calls, by program. */
  readonly sampled?: { readonly [from: string]: { readonly requests: number; readonly tokens: number } }
  readonly submitted?: Json | undefined
  /** The last result that was submitted and rejected. `count` is the number of such turns in a row. */
  readonly rejected?:
    | { readonly turn: number; readonly count: number; readonly text: string; readonly problem: string }
    | undefined
  readonly askedBefore: boolean
  /** Calls with an unknown outcome, until a call of a later turn succeeds. */
  readonly unresolved: readonly { readonly call: string; readonly tool: string; readonly turn: number }[]
  readonly evidence: {
    readonly calls: { readonly [tool: string]: number }
    readonly denied: SharedList<{
      readonly call: string
      readonly tool: string
      readonly reason: string
      readonly by?: DecisionCause
    }>
    readonly unknown: SharedList<{ readonly call: string; readonly tool: string }>
    readonly files: SharedList<NonNullable<ToolEvidence["files"]>[number]>
    readonly commands: SharedList<NonNullable<ToolEvidence["commands"]>[number]>
  }
  /** The hashes of files as the run last read or wrote them. */
  readonly seen: SharedMap<string>
}

/** The runs that this run has handed work to. */
interface Delegated {
  readonly children: SharedList<Child>
  /** Failed children whose task another agent is to get. */
  readonly failed?: readonly string[] | undefined
  /** The tools that the model has searched for. They are offered from the next turn on. */
  readonly loaded?: readonly string[] | undefined
  /** The highest child number so far. */
  readonly lastChild: number
  readonly usageBelow: UsageByModel
  /** The tools that runs below went without. */
  readonly lacksBelow?: readonly LackBelow[]
  /** Requests of runs below that were lost when a process died. */
  readonly unsettledBelow?: Unsettled
  /** The files that ended children changed in their own worktrees. */
  readonly changes?: readonly WorktreeChanges[]
}

/** The effects of hooks, and the step of the workflow. */
interface Hooked {
  readonly hooks: readonly string[]
  /** Set where hooks are asked at moments. */
  readonly moments?: Moments
  /** The current values. */
  readonly variables: { readonly [name: string]: Json }
  /** The step of the workflow that the run is in. */
  readonly step?: RunStep
  /** Agents that the run has activated, with their workflows. */
  readonly activated?: readonly { readonly agent: string; readonly workflow?: Json }[]
  /** The call that hooks blocked last, and how often in a row. */
  readonly blocked?:
    | {
        readonly tool: string
        readonly arguments: string
        readonly count: number
        readonly hook?: string
      }
    | undefined
  /**
   * The hook that last started a command to judge a command of the postcondition check. Cleared when the
   * check ends.
   */
  readonly hookingCheck?: string | undefined
  /** Problems of hooks that could not do their work. */
  readonly warnings?: readonly string[]
}

/** The end of the run, and the steps before it. */
interface Ending {
  /** The model was told once which postconditions do not hold. */
  readonly repaired: boolean
  /** The last check of the postconditions, and the turn before it. */
  readonly check?: { readonly turn: number; readonly results: readonly PostconditionResult[] }
  /** The run's own worktree: opened or closed. */
  readonly resource?:
    | { readonly status: "open" }
    | { readonly status: "closed"; readonly report: IsolationReport }
    | undefined
  /** The run changed something or was told more than its task, so its result is not recorded for reuse. */
  readonly unrepeatable?: true
  /** Nothing new may start. The run ends when everything in flight has settled. */
  readonly stop?: { readonly at: number; readonly outcome: RunOutcome; readonly left?: RunStop["left"] }
  readonly end?: {
    readonly outcome: RunOutcome
    readonly output: string
    readonly value?: Json
    readonly at: number
    readonly cached?: { readonly run: string }
  }
}

export interface LostEvents {
  readonly events: number
  /** The sequence number of the last lost event, and the reason why the first was lost. */
  readonly seq: number
  readonly reason: string
  /** Children up to this number may have worked, though their events are lost. */
  readonly children?: number
  /** Something may have happened that the model does not know of. */
  readonly untold?: true
  /** The number of lost events when the model was last told. */
  readonly told?: number
  /**
   * The model was told after this turn, and has made no call to look since. `refused`: calls that were
   * refused once, so that the model reconsiders them.
   */
  readonly unchecked?: { readonly turn: number; readonly refused: readonly string[] }
}

export interface InboxNote {
  readonly key: string
  readonly from: string
  readonly text: string
  /** The note is the report of a child. */
  readonly report?: true
  /** The note joins the next turn, but does not cause one. */
  readonly passive?: true
}

export type Phase =
  | { readonly type: "idle" }
  | { readonly type: "calling"; readonly start: ModelStart; readonly since: number }
  | {
      readonly type: "backoff"
      readonly attempt: number
      readonly notBefore: number
      readonly wait: ModelWait
    }
  /** The postconditions are being checked. */
  | { readonly type: "checking" }
  /** The history did not fit and must be shortened. */
  | { readonly type: "overflow"; readonly attempt: number; readonly error: ModelError }
  | {
      readonly type: "compacting"
      readonly start: CompactionStart
      readonly error: ModelError
    }
  /** The process died during the request. */
  | { readonly type: "interrupted"; readonly attempt: number }

export interface PlanState {
  /** The results of calls, in the order in which the calls ended. */
  readonly results: SharedList<PlannedResult>
  /** The number of results that the last plan is based on. */
  readonly readResults: number
  readonly end?: PlannedEnd
}

export interface PlannedResult {
  readonly key: string
  readonly call: string
  readonly status: CallResult["status"]
  /** The report of the child, or the result of the call itself. */
  readonly text: string
  /** The output that a failed call had produced by then. */
  readonly partial?: string
  readonly child?: string
  readonly agent?: string
  readonly report?: ChildReport
  readonly limit?: CallResult["limit"]
}

/** Whether there are new results since the last plan, and room for more calls. */
export const isPlanDue = ({ plan, callCount, start }: RunState): boolean =>
  plan !== undefined &&
  plan.end === undefined &&
  plan.results.length > plan.readResults &&
  callCount <= start!.limits.maxToolCalls

/**
 * The state of a run before its first event. `applyRunEvent` folds events into it.
 *
 * @example
 * ```ts
 * import { applyRunEvent, emptyRunState, type RunEvent } from "cadre"
 *
 * const stateOf = (run: string, events: readonly RunEvent[]) =>
 *   events.filter((event) => event.run === run).reduce(applyRunEvent, emptyRunState(run))
 * ```
 */
export const emptyRunState = (run: string, history?: SharedList<Message>): RunState => ({
  run,
  ...nothing,
  messages: history ?? nothing.messages,
})

/** Shared by all new runs, so that a run takes memory only for the parts it uses. */
const nothing: Omit<RunState, "run"> = {
  start: undefined,
  rights: [],
  hooks: [],
  variables: {},
  messages: SharedList.empty(),
  inbox: [],
  turn: 0,
  model: 0,
  fellBackAfter: 0,
  compacted: false,
  phase: { type: "idle" },
  calls: Row.of<OpenCall>([]),
  tally: emptyTally,
  callCount: 0,
  children: SharedList.empty(),
  lastChild: 0,
  lastText: "",
  nudged: false,
  repaired: false,
  askedBefore: false,
  unresolved: [],
  repeats: { signatures: [], period: 0, count: 0, turn: 0 },
  usage: {},
  usageBelow: {},
  unsettled: { calls: 0, tokens: 0, cost: 0 },
  reported: [],
  mismatches: [],
  fallbacks: [],
  inputTokens: 0,
  answered: 0,
  evidence: {
    calls: {},
    denied: SharedList.empty(),
    unknown: SharedList.empty(),
    files: SharedList.empty(),
    commands: SharedList.empty(),
  },
  seen: SharedMap.empty(),
  active: 0,
  lastAt: 0,
  deaths: 0,
  differences: [],
  final: undefined,
}

/** The child that works on the task of this run: the run itself, or the one that took over. */
export const findChildFor = ({ children }: RunState, run: string): Child | undefined =>
  children.find(
    (child) => child.run === run || child.fallback?.tried.some((tried) => tried.run === run) === true,
  )

/** Whether a model call, a tool function or a check of this run is in progress. */
export const hasWorkInProgress = (state: RunState): boolean =>
  state.phase.type === "calling" ||
  state.phase.type === "compacting" ||
  state.phase.type === "checking" ||
  state.tally.atWork > 0

/** A reply without calls. */
export interface FinalReply extends Pick<ModelEnd, "text" | "stop" | "finish" | "cutCalls"> {
  readonly closing: boolean
  /** The model produced reasoning before the reply. */
  readonly thought?: boolean
}
