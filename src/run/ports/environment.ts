import type { Agent, AgentSource } from "../../agent/agent.ts"
import type { Isolation } from "../../agent/isolation.ts"
import type { ModelSource } from "../../agent/model.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartPlace, StartProblem } from "../../ground/errors.ts"
import type { Limits } from "../../ground/limits.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { LiveEvent, RunEvent } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Store } from "../log/store.ts"
import type { PostconditionChecker } from "./checking.ts"
import type { PromptSource } from "./context.ts"
import type { Gates } from "./gate.ts"
import type { DelegationRule, ReachLimit, RememberedGrant } from "./granted.ts"
import type { Hook, HookSource } from "./hook.ts"
import type { Layers } from "./layers.ts"
import type { Locks } from "./locks.ts"
import type { Definition } from "./pinned.ts"
import type { Planner } from "./planner.ts"
import type { ResultCache } from "./recorded-result.ts"
import type { ToolSource } from "./tool-source.ts"
import type { WrittenAt } from "./written.ts"

/** Everything a run asks the outside for, and what a process remembers of it. */
export interface Environment extends Ports, Caches {}

/** Everything a run asks the outside for. */
export interface Ports {
  readonly store: Store
  readonly agents: AgentSource
  /** Another map whenever `toolSource` has found more. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Tools that have to be asked for before a tree begins. */
  readonly toolSource?: ToolSource
  /** Tools that agents may name and that are not to be had here, with the reason. */
  readonly absentTools: Readonly<Record<string, string>>
  readonly hooks: ReadonlyMap<string, Hook>
  /** Hooks that are written down, by the agent whose runs they judge. */
  readonly lifecycle?: HookSource
  readonly layers: Layers
  /** The rights of the configuration: the parent of every root. */
  readonly rights: RuleSet
  /** Those of them that the person gave, without what a project adds: all that binds the person's own hooks. */
  readonly ownRights: RuleSet
  readonly limits: Limits
  /** What runs below a root may use. */
  readonly delegation: DelegationRule
  /** Whom runs below a run of this agent may be of, where a person was shown that; undefined: whoever its rules permit. */
  readonly reach?: ReachLimit
  /** Finds where something is written that took a tool. What it throws is no place. */
  readonly writtenAt?: WrittenAt
  /** What variables start with, and the names of those that no file, and no model, can say anything else of. */
  readonly variables: { readonly defaults: JsonMap; readonly locked: readonly string[] }
  readonly models: ModelSource
  /** Asked only for agents that declare skills or a context. */
  readonly prompts?: PromptSource
  /** `strict`: a model that does not resolve, or is not the one that was asked for, fails the run in every format. */
  readonly modelPolicy: "strict" | "lenient"
  /** Whether a call may name another model than the definition does. */
  readonly modelOverride: "allow" | "deny"
  /** Without it no agent with postconditions starts. */
  readonly checkPostcondition?: PostconditionChecker
  /** Gives runs a place of their own; without it an agent that wants one does not start. */
  readonly isolation?: Isolation
  /** Results of earlier runs, for agents with `cache`; without it there are none. */
  readonly cache?: ResultCache
  /** What drives runs in place of a model, by their kind. */
  readonly planners?: Readonly<Record<string, Planner>>
  /** Where the configuration says what keeps agents from starting. */
  settingPlace?(problem: StartProblem): StartPlace | undefined
  readonly gates: Gates
  readonly locks: Locks
  emit(event: LiveEvent): void
}

/** What a process works out once for many runs. */
export interface Caches {
  /** Definitions by hash, made ready once per process. */
  readonly definitions: Map<string, Definition>
  /** The same by agent and by the tools it was granted, so that a thousand children resolve it once. */
  readonly resolved: WeakMap<Agent, Map<string, Definition>>
  /** Tools by the list they are granted from and by agent: all children of one definition have the same list. */
  readonly grants: WeakMap<object, WeakMap<Agent, RememberedGrant>>
  /** Runs this process created and has not driven yet, by their first event: there is nothing else in their log. */
  readonly created: Map<string, RunEvent>
}

/** What beginning a run takes of its environment: all that it keeps is its definition. */
export type Surroundings = Omit<Environment, "store"> & { readonly store: Pick<Store, "putBlob"> }
