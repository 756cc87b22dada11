import type { IsolationReport, Worktree } from "../../agent/isolation.ts"
import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import type { ChildAsk, ChildEnd, ChildStart, FallbackEnd } from "./event-children.ts"
import type { ChangesSeen, ChangesUndone, FileChangeStart, FileKept } from "./event-files.ts"
import type { HookEnd, HookStart, MomentEnd } from "./event-hooks.ts"
import type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
} from "./event-model.ts"
import type { PlanEnd } from "./event-plan.ts"
import type { DecisionCause, LastingApproval } from "./event-rights.ts"
import type {
  CheckEnd,
  EventLost,
  LogRepair,
  MessageAdd,
  RunEnd,
  RunRelease,
  RunResume,
  RunStart,
  RunStop,
} from "./event-run.ts"
import type { SamplingAsk, SamplingEnd, SamplingRetry, SamplingStart } from "./event-sampling.ts"
import type { ToolEnd, ToolNote, ToolStart } from "./event-tools.ts"
import type { StoreCharge } from "./store.ts"

export type { Activation } from "./event-activation.ts"

export type { AgentAttempt, ChildAsk, ChildEnd, ChildStart, FallbackEnd } from "./event-children.ts"

export type {
  CallVerdict,
  HookEnd,
  HookSpawn,
  HookStart,
  MomentEnd,
  MomentHooks,
  MomentName,
  Objection,
  RunStep,
} from "./event-hooks.ts"

export type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
  UnseenAttachment,
} from "./event-model.ts"

export type { PlanEnd, PlannedEnd } from "./event-plan.ts"

export type { SamplingAsk, SamplingEnd, SamplingRetry, SamplingStart } from "./event-sampling.ts"

export type { AskedCall, CallResult, ToolEnd, ToolNote, ToolStart, Waiting } from "./event-tools.ts"

/** The version of new events. `upcast` turns older events into this shape. */
export const eventVersion = 2

/** One event of a run. The log of these is the run; everything else is derived from it. */
export type RunEvent = Stamp & Fact

/** Fields that the recorder adds. */
export interface Stamp {
  readonly run: string
  readonly seq: number
  readonly at: number
  readonly v: number
  readonly charge?: StoreCharge
  readonly settle?: StoreCharge
  readonly allowance?: StoreCharge
}

export type Fact =
  | RunStart
  | RunResume
  | RunRelease
  | ModelStart
  | ModelRetry
  | ModelFallback
  | ModelEnd
  | CompactionStart
  | CompactionEnd
  | PlanEnd
  | HookStart
  | HookEnd
  | MomentEnd
  /** A call waits for a person: it needs approval, or a program has a `question` in the middle of it. */
  | {
      readonly type: "approval-start"
      readonly call: string
      readonly expires?: number
      readonly question?: ToolQuestion
      /** The place of the question among those of its call, from 1. */
      readonly number?: number
      /** The cause that asks. */
      readonly by?: DecisionCause
    }
  | {
      readonly type: "approval-end"
      readonly call: string
      readonly key: string
      readonly decision: "allow" | "deny"
      readonly note?: string
      /** The person allowed this from now on. */
      readonly lasting?: LastingApproval
      /** The answer to the question. */
      readonly answer?: QuestionAnswer
    }
  | SamplingAsk
  | SamplingStart
  | SamplingRetry
  | SamplingEnd
  | ToolStart
  | ToolNote
  | FileChangeStart
  | FileKept
  | ChangesSeen
  | ToolEnd
  | ChildStart
  | { readonly type: "child-rest"; readonly child: string; readonly key: string }
  | { readonly type: "child-wake"; readonly child: string; readonly key: string }
  | ChildAsk
  | ChildEnd
  | FallbackEnd
  /** The worktree of `run-start` exists. */
  | { readonly type: "resource-open"; readonly resource: Worktree }
  /** The run has left its worktree. An empty worktree is removed. */
  | { readonly type: "resource-close"; readonly report: IsolationReport }
  | MessageAdd
  | { readonly type: "cancel-request"; readonly key: string; readonly reason: string }
  | RunStop
  /** The runtime begins to check the postconditions after this turn. */
  | { readonly type: "check-start"; readonly turn: number }
  | CheckEnd
  | RunEnd
  | EventLost
  | LogRepair
  | ChangesUndone

/** A piece of a reply while it arrives; never stored. A new attempt voids the text of the one before. */
export interface TextDelta {
  /** The kind of this event, which has no `seq`. */
  readonly type: "text-delta"
  /** The id of the run whose model is speaking. */
  readonly run: string
  /** The turn that the reply belongs to, counted from 1. */
  readonly turn: number
  /** The attempt at this turn, counted from 1. */
  readonly attempt: number
  /** The new piece of text, to be appended to the pieces before. */
  readonly text: string
}

/** An event as it happens: a recorded one, or a piece of a reply that is still arriving. */
export type LiveEvent = RunEvent | TextDelta
