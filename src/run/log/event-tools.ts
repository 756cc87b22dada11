import type { Access, ToolEffect, ToolEvidence } from "../../agent/tool.ts"
import type { Attachment, Json, ToolCall } from "../../ground/message.ts"
import type { Activation } from "./event-activation.ts"
import type { HookEnd } from "./event-hooks.ts"
import type { UsageByModel } from "./event-outcome.ts"
import type { DecisionCause } from "./event-rights.ts"

/** The events that a run records about its tool calls. */

/**
 * A call after the runtime has numbered and checked it. A call with a `problem` never runs; the problem is
 * its result.
 */
export interface AskedCall extends ToolCall {
  readonly kind: "function" | "delegation" | "control" | "submit" | "approval" | "pause"
  readonly effect: ToolEffect
  /** The accesses that the call needs; the rules judge them. */
  readonly accesses?: readonly Access[]
  readonly problem?: string
  /** The problem is that the run may not call this tool. */
  readonly refused?: true
  /** The name that the run's planner gave the call. */
  readonly key?: string
  /** The end of a pause, or the latest time for an approval. */
  readonly expires?: number
}

/** The recorded result of a tool call. */
export interface CallResult {
  /** `unknown`: the call started, and its end was not recorded. `skipped`: the call never started. */
  readonly status: "ok" | "error" | "denied" | "skipped" | "unknown"
  /** The tool itself said that the outcome is unknown. For a keyed call only that counts, because a lost one runs again. */
  readonly toldByTool?: true
  /** The text that the model reads. It is cut if it is long. */
  readonly text: string
  /** The output that a failed call had produced by then. */
  readonly partial?: string
  /** For a run that could not be started: the limit of its tree that is used up. */
  readonly limit?: "spawns"
  /** The usage of models that the tool asked by itself. */
  readonly usage?: UsageByModel
  /** Files and commands that the tool saw by itself. Absent: there are none. */
  readonly evidence?: ToolEvidence
  /** Pictures and PDFs that came with the text: their bytes are blobs, as base64. */
  readonly attachments?: readonly Attachment[]
  /** The blob with the whole text, where `text` or `partial` is cut. */
  readonly full?: string
}

export interface ToolStart {
  readonly type: "tool-start"
  readonly call: string
  /** The cause that let the call start. */
  readonly by?: DecisionCause
  /** The runs that the call waits for. */
  readonly waits?: Waiting
  /** The run that the call sends a message to. */
  readonly sends?: string
  /** The call ends with the answer of the run's caller, or with `otherwise` when the time is over. */
  readonly asks?: { readonly expires: number; readonly otherwise?: string }
}

/** Something that a tool keeps for itself, in case its process dies: a script keeps the answers of its host. */
export interface ToolNote {
  readonly type: "tool-note"
  readonly call: string
  readonly note: Json
}

export interface ToolEnd {
  readonly type: "tool-end"
  readonly call: string
  /** For a denied call: the cause. */
  readonly by?: DecisionCause
  readonly result: CallResult
  /** The agent that the run activated. The result holds its instructions. */
  readonly activates?: Activation
  /** The tools that are offered from the next turn on. */
  readonly loads?: readonly string[]
  /** The effects of hooks that saw the result. */
  readonly hooks?: Pick<HookEnd, "variables" | "context" | "spawns" | "step" | "problems">
  readonly warnings?: readonly string[]
}

/** A wait ends when any or all of its runs have ended, or at `expires`. */
export interface Waiting {
  readonly runs: readonly { readonly run: string; readonly agent: string }[]
  readonly until: "any" | "all"
  readonly expires?: number
}
