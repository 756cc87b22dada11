import type { Access, Effect, Evidence } from "../../agent/tool.ts"
import type { Attachment, Call } from "../../ground/message.ts"
import type { Activation } from "./event-activation.ts"
import type { HookEnd } from "./event-hooks.ts"
import type { UsageByModel } from "./event-outcome.ts"

/** What a run records of the calls of its tools. */

/** A call as the runtime numbered and checked it. With a `problem` it never runs; the problem is its result. */
export interface AskedCall extends Call {
  readonly kind: "function" | "delegation" | "control" | "submit" | "approval" | "pause"
  readonly effect: Effect
  /** What it would do, for the rules. */
  readonly accesses?: readonly Access[]
  readonly problem?: string
  /** The problem is that the run may not call this tool. */
  readonly refused?: true
  /** What the planner of the run knows it by. */
  readonly key?: string
  /** When a pause is over, or it is too late to approve. */
  readonly expires?: number
}

export interface CallResult {
  /** `unknown`: it started and nobody saw it end. `skipped`: it never started. */
  readonly status: "ok" | "error" | "denied" | "skipped" | "unknown"
  readonly text: string
  /** What a call that failed had come to by then. */
  readonly partial?: string
  /** Of a run that could not be started: the limit of its tree that is used up. */
  readonly limit?: "spawns"
  /** What models took that the tool asked by itself. */
  readonly usage?: UsageByModel
  readonly evidence?: Evidence
  /** Pictures and PDFs that came with the text: their bytes are blobs, as base64. */
  readonly attachments?: readonly Attachment[]
  /** The blob that holds the whole text where `text`, or what there is of `partial`, is a cut of it. */
  readonly full?: string
}

export interface ToolStart {
  readonly type: "tool-start"
  readonly call: string
  /** It ends when these runs have. */
  readonly waits?: Waiting
  /** The run it writes to. */
  readonly sends?: string
  /** It ends with the answer of the run's caller, or, when the time is over, with this one. */
  readonly asks?: { readonly expires: number; readonly otherwise?: string }
}

export interface ToolEnd {
  readonly type: "tool-end"
  readonly call: string
  readonly result: CallResult
  /** The agent that the run has taken on: the result is its instructions. */
  readonly activates?: Activation
  /** What hooks wanted that saw the result. */
  readonly hooks?: Pick<HookEnd, "variables" | "context" | "spawns" | "step" | "problems">
  readonly warnings?: readonly string[]
}

export interface Waiting {
  readonly runs: readonly { readonly run: string; readonly agent: string }[]
  readonly until: "any" | "all"
  readonly expires?: number
}
