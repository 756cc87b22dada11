import type { Json } from "../../ground/message.ts"
import type { MomentHooks } from "./event-hooks.ts"
import type { RuleSet } from "./event-rights.ts"

/** The agent that a run activates in place of starting a child, with all that the run takes over from it. */
export interface Activation {
  readonly agent: string
  /** The agent's rules and its list of tools. From here on they bind the run and all runs below it. */
  readonly rights: readonly RuleSet[]
  readonly variables?: { readonly [name: string]: Json }
  /** The agent's workflow as it was written at that time. From here on it is the run's workflow. */
  readonly workflow?: Json
  readonly hooks?: readonly string[]
  readonly moments?: MomentHooks
}
