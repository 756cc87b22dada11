import type { Agent } from "../../agent/agent.ts"
import type { Limits } from "../../ground/limits.ts"

/** Finds where something is written. */
export type WrittenAt = (said: Said) => Promise<Written | undefined>

/** A part of an agent's definition, or one entry of it; or a rule, or a limit, of the configuration. */
export type Said =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: "ask" | "deny" }
  | { readonly limit: keyof Limits }

export interface Written {
  /** File and line, such as `agents/lead.md:5`. */
  readonly at?: string
  /** The rule stands in no file: it is part of this mode. */
  readonly mode?: "plan"
}
