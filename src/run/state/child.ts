import type { Json } from "../../ground/message.ts"
import type { AgentAttempt, HookSpawn, Objection } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { Lack, LackBelow } from "../log/event-rights.ts"
import type { ChildIsolation } from "./overlap.ts"

export interface ChildReport {
  readonly outcome: RunOutcome
  readonly output: string
  /** The full length in characters, where `output` is cut. */
  readonly length?: number
  readonly value?: Json
  readonly isolation?: ChildIsolation
  /** Agents that had the task before and failed, or could not begin. */
  readonly tried?: readonly AgentAttempt[]
  /** The objection that a hook still had to the child's end. */
  readonly objection?: Objection
  /** Tools that the child's definition lists and the child did not have. */
  readonly lacks?: readonly Lack[]
  /** Tools that runs below the child lacked, where no model has read of that. */
  readonly lacksBelow?: readonly LackBelow[]
}

/** A child that has not ended. */
export interface Child {
  readonly run: string
  readonly call: string
  readonly agent: string
  readonly mode: "wait" | "background"
  readonly hook?: HookSpawn
  readonly lacks?: readonly Lack[]
  readonly resting: boolean
  /** The child waits for an answer to its question. `told`: its parent was reminded of the question. */
  readonly asks?: "open" | "told" | undefined
  /** The agents that get the task if this child fails, and those that had it before. */
  readonly fallback?: {
    /** The tool that called the child. */
    readonly tool: string
    readonly next: readonly string[]
    readonly tried: readonly AgentAttempt[]
    readonly timeout?: number
  }
  readonly fallbackOf?: string
  /** The child has failed, and the next agent is tried before the parent's model learns of the failure. */
  readonly failed?: { readonly key: string; readonly report: ChildReport }
  /** The judgements of hooks on the agents that may get the task. An agent with a problem does not get it. */
  readonly judged?: readonly { readonly agent: string; readonly problem?: string }[]
}
