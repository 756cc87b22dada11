import type { IsolationReport } from "../../agent/isolation.ts"
import type { Json } from "../../ground/message.ts"
import type { HookSpawn, Objection } from "./event-hooks.ts"
import type { Outcome, UsageByModel } from "./event-outcome.ts"
import type { Lack, LackBelow } from "./event-rights.ts"
import type { Unsettled } from "./unsettled.ts"

/** What a run records of its children. */

export interface ChildStart {
  readonly type: "child-start"
  readonly call: string
  readonly child: string
  readonly agent: string
  readonly mode: "wait" | "background"
  /** Tools that it has and its caller does not. */
  readonly gains?: readonly string[]
  /** Tools that its definition asks for and that it does not have. */
  readonly lacks?: readonly Lack[]
  /** The hook that wants it, where it is not the call itself that does. */
  readonly hook?: HookSpawn
  /** Agents that get the task if this one fails, in this order. */
  readonly fallback?: readonly string[]
  /** How long the call gives each of them. */
  readonly timeout?: number
  /** The child that failed, and whose task this one has. */
  readonly fallbackOf?: string
  /** Agents that came before this one and could not begin. */
  readonly skipped?: readonly Tried[]
}

/** An agent that was to do what another did then, or nobody. */
export interface Tried {
  readonly agent: string
  /** Left out: it could not begin. */
  readonly run?: string
  readonly reason: string
}

/** No agent is left that could do what this child failed at: its report stands. */
export interface FallbackEnd {
  readonly type: "fallback-end"
  readonly child: string
  readonly skipped?: readonly Tried[]
}

/** A child asks something. One that was waited for goes on in the background from here. */
export interface ChildAsk {
  readonly type: "child-ask"
  readonly child: string
  readonly key: string
  readonly question: string
}

export interface ChildEnd {
  readonly type: "child-end"
  readonly child: string
  readonly key: string
  readonly outcome: Outcome
  readonly output: string
  /** How many characters it had, where `output` is a cut of it; the whole is in the child's log. */
  readonly length?: number
  readonly usage: UsageByModel
  /** Requests that it and the runs below it lost with a process. */
  readonly unsettled?: Unsettled
  readonly value?: Json
  /** What it left in a worktree of its own. */
  readonly isolation?: IsolationReport
  /** What runs below it went without. */
  readonly lacks?: readonly LackBelow[]
  /** No model has read of `lacks`: a pipeline called those runs. */
  readonly untold?: true
  /** What a hook still had against its end. */
  readonly objection?: Objection
  /** It, or a run below it, did more than look, or was told more than its task: a recorded result would not stand for it. */
  readonly unrepeatable?: true
}
