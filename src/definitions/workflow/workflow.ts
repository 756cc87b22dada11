import type { Json } from "../../ground/message.ts"
import type { Condition } from "../../language/expression/condition.ts"
import type { Template } from "../../language/template/index.ts"
import type { HookEffect, LifecycleHook } from "../lifecycle/hook.ts"

/** A checked workflow. A run of its agent is always in one of its steps. */
export interface Workflow {
  readonly name: string
  /** The format of the conditions and texts. Left out: ours. */
  readonly words?: "gobby"
  /** The hooks that block calls in every step. */
  readonly gates?: readonly LifecycleHook[]
  readonly description?: string
  readonly version?: string
  readonly variables: { readonly [name: string]: Json }
  readonly steps: readonly WorkflowStep[]
  readonly exitCondition?: Condition
  readonly onPrematureStop?: PrematureStop
  /** The most times that a run is kept going before it may end. Undefined: until its limits end it. */
  readonly rounds?: number
  /** Reactions in every step, after those of the step. */
  readonly onError: readonly Reaction[]
}

export interface WorkflowStep {
  readonly name: string
  /** The hooks that block calls in this step, besides its lists of tools. */
  readonly gates?: readonly LifecycleHook[]
  /** Overrides the one of the workflow. */
  readonly onPrematureStop?: PrematureStop
  readonly description?: string
  readonly statusMessage?: Template
  readonly allowedTools: Allowed
  readonly blockedTools: readonly string[]
  /** As `server:tool`. Undefined: `allowedTools` decides. */
  readonly allowedMcpTools?: Allowed
  readonly blockedMcpTools: readonly string[]
  readonly onEnter: readonly WorkflowEntry[]
  readonly onExit: readonly WorkflowEntry[]
  readonly onSuccess: readonly Reaction[]
  readonly onError: readonly Reaction[]
  readonly onMcpSuccess: readonly Reaction[]
  readonly onMcpError: readonly Reaction[]
  readonly transitions: readonly Transition[]
  readonly exitWhen?: Condition
}

/** Names and patterns with `*`. */
export type Allowed = "all" | readonly string[]

/** Effects that happen if a condition holds. */
export interface WorkflowEntry {
  readonly when?: Condition
  readonly effects: readonly HookEffect[]
}

/** Effects that happen after a call. */
export interface Reaction extends WorkflowEntry {
  readonly tools?: readonly string[]
  readonly server?: string
}

export interface Transition {
  readonly to: string
  readonly when?: Condition
  readonly onTransition: readonly WorkflowEntry[]
}

export interface PrematureStop {
  readonly action: "continue" | "warn"
  readonly message?: Template
  readonly condition?: Condition
}
