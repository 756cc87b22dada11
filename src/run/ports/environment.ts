import type { Agent, AgentSource } from "../../agent/agent.ts"
import type { AgentIsolation } from "../../agent/isolation.ts"
import type { ModelSource } from "../../agent/model.ts"
import type { FindRunNode } from "../../agent/run-node.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartPlace, StartProblem } from "../../ground/errors.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { LiveEvent, RunEvent } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Store } from "../log/store.ts"
import type { PostconditionChecker } from "./checking.ts"
import type { PromptSource } from "./context.ts"
import type { RequestGates } from "./gate.ts"
import type { DelegationRule, ReachLimit, RememberedGrant } from "./granted-tools.ts"
import type { Hook, HookSource } from "./hook.ts"
import type { Layers } from "./layers.ts"
import type { Locks } from "./locks.ts"
import type { Definition } from "./pinned.ts"
import type { Planner } from "./planner.ts"
import type { ResultCache } from "./recorded-result.ts"
import type { ScriptTools } from "./script-tools.ts"
import type { FindSettingPlace } from "./setting-place.ts"
import type { ToolSource } from "./tool-source.ts"

/** Everything that a run needs from outside, with the caches of a process. */
export interface Environment extends Ports, Caches {}

/** Everything that a run needs from outside. */
export interface Ports {
  readonly store: Store
  readonly agents: AgentSource
  /** The tools by name. A new map whenever `toolSource` has found more. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Tools that have to be looked up before a tree begins. */
  readonly toolSource?: ToolSource
  /** The tools that run the scripts of definitions. */
  readonly scripts?: ScriptTools
  /** Tools that agents may name and that are not available here, each with the reason. */
  readonly absentTools: Readonly<Record<string, string>>
  readonly hooks: ReadonlyMap<string, Hook>
  /** Hooks that are written in files or definitions, by the agent whose runs they judge. */
  readonly lifecycle?: HookSource
  readonly layers: Layers
  /** The rights of the configuration: the parent of every root. */
  readonly rights: RuleSet
  /**
   * The part of `rights` that the user set, without the project's part. Only these bind the user's own hooks.
   */
  readonly ownRights: RuleSet
  readonly limits: RunLimits
  /** The tools that runs below a root may use. */
  readonly delegation: DelegationRule
  /**
   * The agents that runs below a run of this agent may have, where a person approved a list. Undefined: all
   * that its rules permit.
   */
  readonly reach?: ReachLimit
  /**
   * Finds the file and line of the cause that took a tool. An error that it throws means: no place is known.
   */
  readonly writtenAt?: FindSettingPlace
  /** The initial values of variables, and the names of those that neither files nor models can change. */
  readonly variables: { readonly defaults: JsonMap; readonly locked: readonly string[] }
  readonly models: ModelSource
  /** Used only for agents that declare skills or a context. */
  readonly prompts?: PromptSource
  /** `strict`: in every format, a model that does not resolve, or is not the one asked for, fails the run. */
  readonly modelPolicy: "strict" | "lenient"
  /** `allow`: a call may name another model than the definition does. */
  readonly modelOverride: "allow" | "deny"
  /** Without it, agents with postconditions do not start. */
  readonly checkPostcondition?: PostconditionChecker
  /** Finds code nodes by their addresses. Without it, a run takes only nodes with their text. */
  readonly findNode?: FindRunNode
  /** Gives runs their own worktrees. Without it, agents that want one do not start. */
  readonly isolation?: AgentIsolation
  /** Results of earlier runs, for agents with `cache`. Without it, no results are reused. */
  readonly cache?: ResultCache
  /**
   * The changes of files that the log keeps. `edits`: those of tools that write files. `all`: those of commands, too.
   */
  readonly keeps: "nothing" | "edits" | "all"
  /** The planners that drive runs in place of a model, by kind. */
  readonly planners?: Readonly<Record<string, Planner>>
  /** The place in the configuration that keeps agents from starting. */
  settingPlace?(problem: StartProblem): StartPlace | undefined
  readonly gates: RequestGates
  readonly locks: Locks
  emit(event: LiveEvent): void
}

/** Results that a process computes once for many runs. */
export interface Caches {
  /** Definitions by hash. */
  readonly definitions: Map<string, Definition>
  /** Definitions by agent and granted tools, so that a thousand children resolve theirs only once. */
  readonly resolved: WeakMap<Agent, Map<string, Definition>>
  /**
   * Grants by the list they were granted from and by agent: all children of one definition have the same
   * list.
   */
  readonly grants: WeakMap<object, WeakMap<Agent, RememberedGrant>>
  /**
   * Runs that this process created and has not driven yet, by their first event: their logs have no other.
   */
  readonly created: Map<string, RunEvent>
}

/**
 * The part of the environment that beginning a run needs. It writes nothing but the definition to the store.
 */
export type StartEnvironment = Omit<Environment, "store"> & { readonly store: Pick<Store, "putBlob"> }
