import type { TokenUsage } from "../../ground/message.ts"

export type LimitName = "turns" | "tool-calls" | "tokens" | "cost" | "output" | "spawns"

export type ClockName = "timeout" | "idleTimeout"

/** The end of a run: a closed set. */
export type RunOutcome =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly reason: string; readonly fault?: OutcomeFault }
  | { readonly type: "cancelled"; readonly reason: string }
  | { readonly type: "timed-out"; readonly clock: ClockName }
  /** `reason`: in the words of the host in whose format the agent is written. */
  | {
      readonly type: "limit"
      readonly limit: LimitName
      readonly reason?: string
      readonly fault?: OutcomeFault
    }
  | { readonly type: "loop"; readonly reason: string }
  | { readonly type: "no-output" }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "uncertain"; readonly reason: string }

/** A failure as the host of the agent's format reports it. Only some formats have codes. */
export interface OutcomeFault {
  /** Such as `AGENT_003`. */
  readonly code: string
  /** `model_load`: the first question to the model. `loop`: a later one. `merge`: reading the submitted result. */
  readonly phase: "model_load" | "loop" | "merge"
}

export type UsageByModel = { readonly [model: string]: TokenUsage }
