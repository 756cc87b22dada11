import type { Confinement } from "../../agent/confinement.ts"
import type { IsolationReport } from "../../agent/isolation.ts"
import type { ModelError } from "../../agent/model.ts"
import type { Evidence } from "../../agent/tool.ts"
import type { Json, Message } from "../../ground/message.ts"
import type { CallResult, CompactionStart, ModelEnd, ModelStart, PlannedEnd, RunStep } from "../log/event.ts"
import type { ModelWait } from "../log/event-model.ts"
import type { Outcome, UsageByModel } from "../log/event-outcome.ts"
import type { LackBelow, RuleSet } from "../log/event-rights.ts"
import type { PostconditionResult, RunStart, RunStop } from "../log/event-run.ts"
import { List } from "../log/list.ts"
import { Row } from "../log/row.ts"
import { SharedMap } from "../log/shared-map.ts"
import type { Unsettled } from "../log/unsettled.ts"
import type { Child, Report } from "./child.ts"
import type { Moments } from "./moment-state.ts"
import type { OpenCall } from "./open-call.ts"
import type { Changes } from "./overlap.ts"
import { noTally, type Tally } from "./tally.ts"

/** A run as its log tells it. Plain JSON, immutable; `apply` is the only thing that makes a new one. */
export interface RunState extends Begun, Conversed, Called, Delegated, Hooked, Ending {}

/** What its first event settled, how it was taken up again, and what its log has lost. */
interface Begun {
  readonly run: string
  /** Undefined only before the first event. */
  readonly start: RunStart | undefined
  /** Its own rules, its ancestors', and those of every configuration it has run under: the strictest holds. */
  readonly rights: readonly RuleSet[]
  /** The strictest that it has run under. */
  readonly confinement?: Confinement | undefined
  /** When a process last took it up again. */
  readonly resumedAt?: number
  /** Milliseconds counted so far: time at rest and time without an owner are not. */
  readonly active: number
  /** Of these, those in which it did nothing but wait for children; counted where that matters. */
  readonly waited?: number
  readonly lastAt: number
  /** Times the process died since the last recorded result. */
  readonly deaths: number
  readonly differences: readonly string[]
  /** Of a root: the log of its tree was damaged once. */
  readonly mended?: true
  /** Events of its log are lost. */
  readonly lost?: Lost
}

/** What its model has read, written, cost and failed at. */
interface Conversed {
  /** What the model has read and written, always well formed: a turn's results join when its last call has ended. */
  readonly messages: List<Message>
  /** Messages that join the history at the next turn. */
  readonly inbox: readonly Note[]
  readonly turn: number
  /** Which of the models it may use it asks now. */
  readonly model: number
  /** The attempt of this turn after which that one took over. */
  readonly fellBackAfter: number
  /** The history was made shorter, and no reply has come since. */
  readonly compacted: boolean
  readonly phase: Phase
  /** The last reply asked for no call: the run may end. */
  readonly final?: Final | undefined
  readonly failure?: ModelError
  /** The last text that was not blank. */
  readonly lastText: string
  readonly nudged: boolean
  /** How often the last turns repeated themselves, and with which period. */
  readonly repeats: {
    readonly signatures: readonly string[]
    readonly period: number
    readonly count: number
    /** The last turn that counted: one of pollers alone does not. */
    readonly turn: number
  }
  readonly usage: UsageByModel
  /** Reservations of model calls whose process died: they may have been billed. */
  readonly unsettled: Unsettled
  /** The model that was asked last: after a fallback, no longer the first of the list. */
  readonly asked?: string
  readonly reported: readonly string[]
  /** Models that were asked for where the provider reports others. */
  readonly mismatches: readonly { readonly asked: string; readonly reported: string }[]
  /** Models that failed before any tool had run, so that the next one was asked. */
  readonly fallbacks: readonly { readonly from: string; readonly reason: string }[]
  readonly inputTokens: number
  /** How many messages the last answered request held; what follows them is new to the provider. */
  readonly answered: number
}

/** The calls of its turns, and what they came to. */
interface Called {
  /** The calls of the current turn; empty once all have ended. */
  readonly calls: Row<OpenCall>
  /** Of a run that no model drives: what its planner knows. */
  readonly plan?: PlanState
  readonly tally: Tally
  readonly callCount: number
  readonly submitted?: Json | undefined
  /** What was handed in last and not taken; `count` such turns came in a row. */
  readonly rejected?:
    | { readonly turn: number; readonly count: number; readonly text: string; readonly problem: string }
    | undefined
  readonly askedBefore: boolean
  /** Calls whose outcome nobody knows, until a later turn has a call that worked. */
  readonly unresolved: readonly { readonly call: string; readonly tool: string; readonly turn: number }[]
  readonly evidence: {
    readonly calls: { readonly [tool: string]: number }
    readonly denied: List<{ readonly call: string; readonly tool: string; readonly reason: string }>
    readonly unknown: List<{ readonly call: string; readonly tool: string }>
    readonly files: List<NonNullable<Evidence["files"]>[number]>
    readonly commands: List<NonNullable<Evidence["commands"]>[number]>
  }
  /** Hashes of files as the run last read or wrote them. */
  readonly seen: SharedMap<string>
}

/** Whom it has handed work to. */
interface Delegated {
  readonly children: List<Child>
  /** Those of them that have failed, and whose task another agent is to get. */
  readonly failed?: readonly string[] | undefined
  /** The highest number a child has had. */
  readonly lastChild: number
  readonly usageBelow: UsageByModel
  /** What runs below went without. */
  readonly lacksBelow?: readonly LackBelow[]
  /** The same of runs below. */
  readonly unsettledBelow?: Unsettled
  /** What children that ended changed in worktrees of theirs. */
  readonly changes?: readonly Changes[]
}

/** What hooks have said and set, and where it is in its workflow. */
interface Hooked {
  readonly hooks: readonly string[]
  /** Where hooks are asked at moments that are not calls. */
  readonly moments?: Moments
  /** As they are now. */
  readonly variables: { readonly [name: string]: Json }
  /** Where it is in its workflow. */
  readonly step?: RunStep
  /** Agents that it has taken on, with the workflow that came with them. */
  readonly activated?: readonly { readonly agent: string; readonly workflow?: Json }[]
  /** The call that hooks blocked last, and how often in a row. */
  readonly blocked?: { readonly tool: string; readonly arguments: string; readonly count: number } | undefined
  /** The hook whose command was last begun in such a look, to judge one of its commands; until the look is over. */
  readonly hookingCheck?: string | undefined
  /** What hooks wanted and did not get. */
  readonly warnings?: readonly string[]
}

/** How it comes to its end. */
interface Ending {
  /** It was told once what does not hold that must. */
  readonly repaired: boolean
  /** The last look at what must hold, and the turn it came after. */
  readonly check?: { readonly turn: number; readonly results: readonly PostconditionResult[] }
  /** The worktree of its start, as far as it has come. */
  readonly resource?:
    | { readonly status: "open" }
    | { readonly status: "closed"; readonly report: IsolationReport }
    | undefined
  /** It did more than look, or was told more than its task: what it came to is not recorded for others. */
  readonly unrepeatable?: true
  /** Nothing new may start; the run ends when everything in flight has settled. */
  readonly stop?: { readonly at: number; readonly outcome: Outcome; readonly left?: RunStop["left"] }
  readonly end?: {
    readonly outcome: Outcome
    readonly output: string
    readonly value?: Json
    readonly at: number
    readonly cached?: { readonly run: string }
  }
}

export interface Lost {
  readonly events: number
  /** The last one, and why the first is. */
  readonly seq: number
  readonly reason: string
  /** Children up to this number may have worked, though nothing of it is left. */
  readonly children?: number
  /** Something may have happened that its model does not know of. */
  readonly untold?: true
  /** How many were lost when its model was last told. */
  readonly told?: number
  /** The model was told after this turn, and has not looked since; calls that it is to think over. */
  readonly unchecked?: { readonly turn: number; readonly refused: readonly string[] }
}

export interface Note {
  readonly key: string
  readonly from: string
  readonly text: string
  /** What a child came to. */
  readonly report?: true
  /** It joins the next turn, and is no reason for one. */
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
  /** What must hold at the end is looked at. */
  | { readonly type: "checking" }
  /** The history did not fit; it is to be made shorter. */
  | { readonly type: "overflow"; readonly attempt: number; readonly error: ModelError }
  | {
      readonly type: "compacting"
      readonly start: CompactionStart
      readonly error: ModelError
    }
  /** The process died inside the request. */
  | { readonly type: "interrupted"; readonly attempt: number }

export interface PlanState {
  /** What calls came to, in the order in which they ended. */
  readonly results: List<PlannedResult>
  /** How many of them the last plan was made from. */
  readonly known: number
  readonly end?: PlannedEnd
}

export interface PlannedResult {
  readonly key: string
  readonly call: string
  readonly status: CallResult["status"]
  /** What the child reported, or the result itself. */
  readonly text: string
  /** What a call that failed had come to by then. */
  readonly partial?: string
  readonly child?: string
  readonly agent?: string
  readonly report?: Report
  readonly limit?: CallResult["limit"]
}

/** Something has ended since the last plan was made, and there may be more calls. */
export const isPlanDue = ({ plan, callCount, start }: RunState): boolean =>
  plan !== undefined &&
  plan.end === undefined &&
  plan.results.length > plan.known &&
  callCount <= start!.limits.maxToolCalls

export const emptyState = (run: string, history?: List<Message>): RunState => ({
  run,
  ...nothing,
  messages: history ?? nothing.messages,
})

/** Shared by every run that has not got to the point: a live run costs what it has, not what it might. */
const nothing: Omit<RunState, "run"> = {
  start: undefined,
  rights: [],
  hooks: [],
  variables: {},
  messages: List.empty(),
  inbox: [],
  turn: 0,
  model: 0,
  fellBackAfter: 0,
  compacted: false,
  phase: { type: "idle" },
  calls: Row.of<OpenCall>([]),
  tally: noTally,
  callCount: 0,
  children: List.empty(),
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
    denied: List.empty(),
    unknown: List.empty(),
    files: List.empty(),
    commands: List.empty(),
  },
  seen: SharedMap.empty(),
  active: 0,
  lastAt: 0,
  deaths: 0,
  differences: [],
  final: undefined,
}

/** The child that does what this one was to do: itself, or the one that has its task now. */
export const childFor = ({ children }: RunState, run: string): Child | undefined =>
  children.find(
    (child) => child.run === run || child.fallback?.tried.some((tried) => tried.run === run) === true,
  )

/** Whether a model call, a tool function or a check of this run is at work. */
export const isAtWork = (state: RunState): boolean =>
  state.phase.type === "calling" ||
  state.phase.type === "compacting" ||
  state.phase.type === "checking" ||
  state.tally.atWork > 0

/** A reply that asked for no call. */
export interface Final extends Pick<ModelEnd, "text" | "stop" | "finish" | "cutCalls"> {
  readonly closing: boolean
  /** Something was thought before it. */
  readonly thought?: boolean
}
