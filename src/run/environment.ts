import type { Agent, AgentSource } from "../agent.ts"
import type { Isolation } from "../isolation.ts"
import type { Limits } from "../limits.ts"
import type { Json } from "../message.ts"
import type { ModelReply, ModelRequest, ModelSource } from "../model.ts"
import type { Tool, ToolContext, ToolOutput } from "../tool.ts"
import type { Layer } from "./compose.ts"
import type { Definition } from "./definition.ts"
import type { LiveEvent, RuleSet, RunEvent, Verdict } from "./event.ts"
import type { Gates } from "./gate.ts"
import type { Locks } from "./locks.ts"
import type { Store } from "./store.ts"

/** Everything a run asks the outside for. */
export interface Environment {
  readonly store: Store
  readonly agents: AgentSource
  readonly tools: ReadonlyMap<string, Tool>
  /** Tools that agents may name and that are not to be had here, with the reason. */
  readonly absentTools: Readonly<Record<string, string>>
  readonly hooks: ReadonlyMap<string, Hook>
  readonly layers: Layers
  /** The rights of the configuration: the parent of every root. */
  readonly rights: RuleSet
  readonly limits: Limits
  readonly models: ModelSource
  /** `strict`: a model that does not resolve, or is not the one that was asked for, fails the run in every format. */
  readonly modelPolicy: "strict" | "lenient"
  /** Whether a call may name another model than the definition does. */
  readonly modelOverride: "allow" | "deny"
  /** Gives runs a place of their own; without it an agent that wants one does not start. */
  readonly isolation?: Isolation
  readonly gates: Gates
  /** Definitions by hash, made ready once per process. */
  readonly definitions: Map<string, Definition>
  /** The same by agent and by the tools it was granted, so that a thousand children resolve it once. */
  readonly resolved: WeakMap<Agent, Map<string, Definition>>
  /** Runs this process created and has not driven yet, by their first event: there is nothing else in their log. */
  readonly created: Map<string, RunEvent>
  readonly locks: Locks
  emit(event: LiveEvent): void
}

export interface Layers {
  readonly model?: readonly Layer<ModelRequest, ModelReply>[]
  readonly tool?: readonly Layer<ToolInvocation, ToolOutput>[]
}

export interface ToolInvocation {
  readonly tool: string
  readonly input: unknown
  readonly context: ToolContext
}

/** Judges a call before its rights do. Its verdict is recorded; a throw blocks the call. */
export interface Hook {
  readonly name: string
  judge(call: HookedCall, signal: AbortSignal): Promise<Verdict>
}

export interface HookedCall {
  readonly run: string
  readonly agent: string
  readonly depth: number
  readonly call: string
  readonly tool: string
  readonly input: { readonly [name: string]: Json }
}
