import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import type { SamplingReply, SamplingRequest } from "../../agent/sampling.ts"
import type { Json } from "../../ground/message.ts"
import type { AskedCall, CallResult, HookSpawn, SamplingStart, ToolStart, Waiting } from "../log/event.ts"
import type { ChildReport } from "./child.ts"

/**
 * A call that has not ended. Its status goes from asked to hooked, asking, approved or refused, started and
 * ended. `started` becomes `interrupted` when the process dies. A started call whose program asks for the model is
 * `sampling` until there is a reply, and then `sampled`.
 */
export interface OpenCall extends AskedCall {
  readonly status:
    | "asked"
    | "hooked"
    | "asking"
    | "approved"
    | "refused"
    | "started"
    | "sampling"
    | "sampled"
    | "interrupted"
    | "ended"
  readonly reason?: string
  /** A hook refused the call, and no person did. Absent `hook`: which one is not known. */
  readonly blocked?: { readonly hook?: string }
  readonly expires?: number
  readonly startedAt?: number
  /** The hook whose command runs because of this call. */
  readonly hooking?: string | undefined
  /** Work that hooks hand to other agents before the call, or in its place. */
  readonly spawns?: readonly HookSpawn[]
  readonly child?: string | undefined
  readonly mode?: "wait" | "background"
  /** The agent of the child. */
  readonly agent?: string
  /** The report of the child that the call waited for. */
  readonly report?: ChildReport
  /** The question that the child asked instead of ending. */
  readonly question?: string
  readonly waits?: Waiting
  readonly asks?: ToolStart["asks"]
  /** The caller's answer to the question that this call asked. */
  readonly answer?: string
  /** The notes that its tool keeps for itself, the oldest first. */
  readonly notes?: readonly Json[]
  /** The last question of the program that the call works with, and the person's answer to it. */
  readonly programQuestion?: ToolQuestion | undefined
  readonly answered?: QuestionAnswer | undefined
  /** The number of its questions so far. */
  readonly questions?: number
  /** The last request for the model of the program that the call works with. */
  readonly sampling?: Sampling | undefined
  readonly result?: CallResult
  /**
   * The number of events that were lost before this call. A call with the same id may have been among them.
   */
  readonly afterLoss?: number
}

/** A request for the model, from its question to its reply. */
export interface Sampling {
  readonly request: SamplingRequest
  /** The number of attempts so far. */
  readonly attempt: number
  /** The attempt that is at work. */
  readonly start?: SamplingStart | undefined
  /** The earliest time of the next attempt. */
  readonly notBefore?: number
  readonly reply?: SamplingReply
}
