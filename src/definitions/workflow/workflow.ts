import type { Json } from "../../ground/message.ts"
import type { Condition } from "../../language/expression/condition.ts"
import type { Template } from "../../language/template/index.ts"
import type { HookEffect, LifecycleHook } from "../lifecycle/hook.ts"

/** A workflow as it is written down, checked: a run of its agent is in one of its steps at any time. */
export interface Workflow {
  readonly name: string
  /** Whose words its conditions and texts are written in. Left out: ours. */
  readonly words?: "gobby"
  /** What blocks calls in every step. */
  readonly gates?: readonly LifecycleHook[]
  readonly description?: string
  readonly version?: string
  readonly variables: { readonly [name: string]: Json }
  readonly steps: readonly Step[]
  readonly exitCondition?: Condition
  readonly onPrematureStop?: PrematureStop
  /** How often a run is told to go on before it may end. Undefined: as often as its limits let it. */
  readonly rounds?: number
  /** In every step, after its own. */
  readonly onError: readonly Reaction[]
}

export interface Step {
  readonly name: string
  /** What blocks calls besides the lists. */
  readonly gates?: readonly LifecycleHook[]
  /** In place of the workflow's own. */
  readonly onPrematureStop?: PrematureStop
  readonly description?: string
  readonly statusMessage?: Template
  readonly allowedTools: Allowed
  readonly blockedTools: readonly string[]
  /** As `server:tool`. Undefined: `allowedTools` decides. */
  readonly allowedMcpTools?: Allowed
  readonly blockedMcpTools: readonly string[]
  readonly onEnter: readonly Entry[]
  readonly onExit: readonly Entry[]
  readonly onSuccess: readonly Reaction[]
  readonly onError: readonly Reaction[]
  readonly onMcpSuccess: readonly Reaction[]
  readonly onMcpError: readonly Reaction[]
  readonly transitions: readonly Transition[]
  readonly exitWhen?: Condition
}

/** Names and patterns with `*`. */
export type Allowed = "all" | readonly string[]

/** Effects that happen where a condition holds. */
export interface Entry {
  readonly when?: Condition
  readonly effects: readonly HookEffect[]
}

/** Effects that happen because of a call. */
export interface Reaction extends Entry {
  readonly tools?: readonly string[]
  readonly server?: string
}

export interface Transition {
  readonly to: string
  readonly when?: Condition
  readonly onTransition: readonly Entry[]
}

export interface PrematureStop {
  readonly action: "continue" | "warn"
  readonly message?: Template
  readonly condition?: Condition
}
