import type { IsolationReport } from "../../agent/isolation.ts"
import type { Json } from "../../ground/message.ts"
import type { HookSpawn, Objection } from "./event-hooks.ts"
import type { RunOutcome, UsageByModel } from "./event-outcome.ts"
import type { DecisionCause, Lack, LackBelow } from "./event-rights.ts"
import type { Unsettled } from "./unsettled.ts"

/** The events that a run records about its children. */

export interface ChildStart {
  readonly type: "child-start"
  readonly call: string
  /** The cause that let the call start, where the call itself starts the child. */
  readonly by?: DecisionCause
  readonly child: string
  readonly agent: string
  readonly mode: "wait" | "background"
  /** Tools that the child has and its caller does not. */
  readonly gains?: readonly string[]
  /** Tools that the child's definition lists and the child does not have. */
  readonly lacks?: readonly Lack[]
  /** The hook that started the child, where the call itself did not. */
  readonly hook?: HookSpawn
  /** Agents that get the task if this one fails, in this order. */
  readonly fallback?: readonly string[]
  /** The timeout that the call gives to each of these agents. */
  readonly timeout?: number
  /** The child that failed and whose task this child has. */
  readonly fallbackOf?: string
  /** Agents that were tried before this one and could not begin. */
  readonly skipped?: readonly AgentAttempt[]
}

/** An agent that was tried for a task and failed, or could not begin. */
export interface AgentAttempt {
  /** The name of the agent. */
  readonly agent: string
  /** Absent: the agent could not begin. */
  readonly run?: string
  /** The reason why it failed or could not begin, in words. */
  readonly reason: string
}

/** No further agent can take the task of this failed child, so its report is final. */
export interface FallbackEnd {
  readonly type: "fallback-end"
  readonly child: string
  readonly skipped?: readonly AgentAttempt[]
}

/**
 * A child asks a question. If the run waited for the child, the child goes on in the background from here.
 */
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
  readonly outcome: RunOutcome
  readonly output: string
  /** The full length in characters, where `output` is cut. The child's log has the whole output. */
  readonly length?: number
  readonly usage: UsageByModel
  /** Requests of the child and the runs below it that were lost when a process died. */
  readonly unsettled?: Unsettled
  readonly value?: Json
  /** The changes that the child left in its own worktree. */
  readonly isolation?: IsolationReport
  /** Tools that runs below the child went without. */
  readonly lacks?: readonly LackBelow[]
  /** No model has read `lacks`, because a pipeline called those runs. */
  readonly untold?: true
  /** The objection that a hook still had to the child's end. */
  readonly objection?: Objection
  /**
   * The child, or a run below it, changed something or was told more than its task. Its result must not be
   * reused.
   */
  readonly unrepeatable?: true
}
