import type { Json } from "../../ground/message.ts"
import type { MomentHooks } from "./event-hooks.ts"
import type { RuleSet } from "./event-rights.ts"

/** What a run takes on with an agent that it activates in place of starting a child. */
export interface Activation {
  readonly agent: string
  /** Its rules and its list of tools: they bind the run, and all below it, from here on. */
  readonly rights: readonly RuleSet[]
  readonly variables?: { readonly [name: string]: Json }
  /** As it was written then; it is the run's from here on, with the hooks that follow it. */
  readonly workflow?: Json
  readonly hooks?: readonly string[]
  readonly moments?: MomentHooks
}
