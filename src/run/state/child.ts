import type { Json } from "../../ground/message.ts"
import type { HookSpawn, Objection, Tried } from "../log/event.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { Lack, LackBelow } from "../log/event-rights.ts"
import type { ChildIsolation } from "./overlap.ts"

export interface Report {
  readonly outcome: Outcome
  readonly output: string
  /** How many characters it had, where `output` is a cut of it. */
  readonly length?: number
  readonly value?: Json
  readonly isolation?: ChildIsolation
  /** Agents that were to do it before. */
  readonly tried?: readonly Tried[]
  /** What a hook still had against its end. */
  readonly objection?: Objection
  /** Tools that its definition asks for and that it did not have. */
  readonly lacks?: readonly Lack[]
  /** The same of runs below it, where no model has read of that. */
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
  /** It waits for an answer to its question; `told`: its parent was reminded of it. */
  readonly asks?: "open" | "told" | undefined
  /** Who gets the task if this one fails, and who had it before. */
  readonly fallback?: {
    /** That called it. */
    readonly tool: string
    readonly next: readonly string[]
    readonly tried: readonly Tried[]
    readonly timeout?: number
  }
  readonly fallbackOf?: string
  /** It has failed, and the next agent is to be tried before anybody hears of it. */
  readonly failed?: { readonly key: string; readonly report: Report }
  /** What hooks say of those who are to get its task; with a problem they do not get it. */
  readonly judged?: readonly { readonly agent: string; readonly problem?: string }[]
}
