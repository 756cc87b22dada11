import type { IsolationReport, Worktree } from "../../agent/isolation.ts"
import type { ChildAsk, ChildEnd, ChildStart, FallbackEnd } from "./event-children.ts"
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
import type {
  CheckEnd,
  EventLost,
  LogRepair,
  MessageAdd,
  RunEnd,
  RunResume,
  RunStart,
  RunStop,
} from "./event-run.ts"
import type { ToolEnd, ToolStart } from "./event-tools.ts"
import type { Charge } from "./store.ts"

export type { Activation } from "./event-activation.ts"

export type { ChildAsk, ChildEnd, ChildStart, FallbackEnd, Tried } from "./event-children.ts"

export type {
  HookEnd,
  HookSpawn,
  HookStart,
  MomentEnd,
  MomentHooks,
  MomentName,
  Objection,
  RunStep,
  Verdict,
} from "./event-hooks.ts"

export type {
  CompactionEnd,
  CompactionStart,
  ModelEnd,
  ModelFallback,
  ModelRetry,
  ModelStart,
  Unseen,
} from "./event-model.ts"

export type { PlanEnd, PlannedEnd } from "./event-plan.ts"

export type { AskedCall, CallResult, ToolEnd, ToolStart, Waiting } from "./event-tools.ts"

/** The version written. `upcast` turns older events into this one's shape. */
export const eventVersion = 2

/** What a run is made of. The log of these is the run; everything else is derived from it. */
export type RunEvent = Stamp & Fact

/** Added by the recorder. */
export interface Stamp {
  readonly run: string
  readonly seq: number
  readonly at: number
  readonly v: number
  readonly charge?: Charge
  readonly settle?: Charge
  readonly allowance?: Charge
}

export type Fact =
  | RunStart
  | RunResume
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
  | { readonly type: "approval-start"; readonly call: string; readonly expires?: number }
  | {
      readonly type: "approval-end"
      readonly call: string
      readonly key: string
      readonly decision: "allow" | "deny"
      readonly note?: string
    }
  | ToolStart
  | ToolEnd
  | ChildStart
  | { readonly type: "child-rest"; readonly child: string; readonly key: string }
  | { readonly type: "child-wake"; readonly child: string; readonly key: string }
  | ChildAsk
  | ChildEnd
  | FallbackEnd
  /** The worktree of `run-start` is there. */
  | { readonly type: "resource-open"; readonly resource: Worktree }
  /** The run has left it; it is gone where it held nothing. */
  | { readonly type: "resource-close"; readonly report: IsolationReport }
  | MessageAdd
  | { readonly type: "cancel-request"; readonly key: string; readonly reason: string }
  | RunStop
  /** The runtime begins to look at the postconditions, after this turn. */
  | { readonly type: "check-start"; readonly turn: number }
  | CheckEnd
  | RunEnd
  | EventLost
  | LogRepair

/** Seen while it happens, never stored. A new attempt voids the text of the one before. */
export interface TextDelta {
  readonly type: "text-delta"
  readonly run: string
  readonly turn: number
  readonly attempt: number
  readonly text: string
}

export type LiveEvent = RunEvent | TextDelta
