import type { Usage } from "../../ground/message.ts"

export type LimitName = "turns" | "tool-calls" | "tokens" | "cost" | "output" | "spawns"

export type ClockName = "timeout" | "idleTimeout"

/** How a run ended: a closed set. */
export type Outcome =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "cancelled"; readonly reason: string }
  | { readonly type: "timed-out"; readonly clock: ClockName }
  /** `reason`: in the words of the tool whose file the agent is written in. */
  | { readonly type: "limit"; readonly limit: LimitName; readonly reason?: string }
  | { readonly type: "loop"; readonly reason: string }
  | { readonly type: "no-output" }
  | { readonly type: "denied"; readonly reason: string }
  | { readonly type: "uncertain"; readonly reason: string }

export type UsageByModel = { readonly [model: string]: Usage }
