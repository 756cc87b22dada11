import type { TokenUsage } from "../../ground/message.ts"

export type LimitName = "turns" | "tool-calls" | "tokens" | "cost" | "output" | "spawns"

export type ClockName = "timeout" | "idleTimeout"

/** The end of a run: a closed set. */
export type RunOutcome =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "cancelled"; readonly reason: string }
  | { readonly type: "timed-out"; readonly clock: ClockName }
  /** `reason`: in the words of the host in whose format the agent is written. */
  | { readonly type: "limit"; readonly limit: LimitName; readonly reason?: string }
  | { readonly type: "loop"; readonly reason: string }
  | { readonly type: "no-output" }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "uncertain"; readonly reason: string }

export type UsageByModel = { readonly [model: string]: TokenUsage }
