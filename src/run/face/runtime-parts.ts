import type { Agent, AgentSource, Decision, Rule } from "../../agent/agent.ts"
import type { Isolation } from "../../agent/isolation.ts"
import type { ModelSource } from "../../agent/model.ts"
import type { Tool } from "../../agent/tool.ts"
import { CadreError } from "../../ground/errors.ts"
import { checkLimits, type Limits } from "../../ground/limits.ts"
import type { JsonMap } from "../../ground/message.ts"
import { checkRuleNames, checkToolNames } from "../begin/definition.ts"
import type { Bus } from "../log/bus.ts"
import type { Store } from "../log/store.ts"
import type { PostconditionChecker } from "../ports/checking.ts"
import type { PromptSource } from "../ports/context.ts"
import type { Environment } from "../ports/environment.ts"
import { Gates } from "../ports/gate.ts"
import type { DelegationRule, ReachLimit } from "../ports/granted.ts"
import { delegationRules } from "../ports/granted.ts"
import type { Hook, HookSource } from "../ports/hook.ts"
import type { Layers } from "../ports/layers.ts"
import { Locks } from "../ports/locks.ts"
import type { Planner } from "../ports/planner.ts"
import type { ResultCache } from "../ports/recorded-result.ts"
import type { ToolSource } from "../ports/tool-source.ts"
import type { WrittenAt } from "../ports/written.ts"
import { checkHook } from "../rights/hooks.ts"
import { configured } from "../rights/rule-sets.ts"
import { byName, sourceOf } from "./named.ts"

export interface RuntimeParts {
  readonly store: Store
  /** A list, or a registry: that is asked anew for every run. */
  readonly agents?: readonly Agent[] | AgentSource
  /** Default: true. False: nothing starts; what has started goes on. */
  readonly enabled?: boolean
  /** Whether a request that names no agent goes to the one whose name or keywords it holds. Default: false. */
  readonly autoRoute?: boolean
  readonly tools?: readonly Tool[]
  /** Tools that have to be asked for before a tree begins, such as those of MCP servers. It is closed with the runtime. */
  readonly toolSource?: ToolSource
  /** Tools that agents may name and that are not to be had here, with the reason: such an agent runs without them, and its result says so. */
  readonly absentTools?: Readonly<Record<string, string>>
  readonly hooks?: readonly Hook[]
  /** Hooks that are written down: in a configuration, in files, in definitions. They judge after `hooks`. */
  readonly lifecycle?: HookSource
  readonly layers?: Layers
  /** The configuration's own rules: they bind every run. */
  readonly rules?: readonly Rule[]
  /** Those of them that bind the person's own hooks, where a project has added others. Default: all. */
  readonly ownRules?: { readonly rules: readonly Rule[]; readonly otherwise?: Decision }
  /**
   * `contain`: a promise that a tool, hook or layer leaves behind, and that rejects, fails its run. `leave` (default): it
   * ends the process, as Node has it, and with it every run until they are resumed.
   */
  readonly strays?: "contain" | "leave"
  /** Where no rule matches. Default: allow. */
  readonly otherwise?: Decision
  /** For every run that does not say otherwise. */
  readonly limits?: Limits
  /**
   * What a child may use. `own` (default): the tools of its own definition, as far as the tree may use them and nobody
   * above denies them. `narrow`: of those, only what its caller has or may hand on (`delegates`).
   */
  readonly delegation?: DelegationRule
  /** Tells where something is said that took a tool. Left out: only who took it is named. */
  readonly writtenAt?: WrittenAt
  /** The agents that runs of this agent, and all below them, may have work; undefined: whoever its rules permit. */
  readonly reach?: ReachLimit
  /** What variables start with. */
  readonly variables?: JsonMap
  /** Names of those variables that no definition, no model and no hook can change. */
  readonly lockedVariables?: readonly string[]
  readonly models: ModelSource
  /** Gathers what agents declare for their prompts: skills, rules, files, the environment. */
  readonly prompts?: PromptSource
  /** A model that does not resolve, or is not the one that was asked for, fails the run in every format. Default: false. */
  readonly strictModel?: boolean
  /** Whether a call may name another model than the definition does. Default: true. */
  readonly allowModelOverride?: boolean
  /** Looks whether a postcondition holds. Without it no agent with postconditions starts. */
  readonly checkPostcondition?: PostconditionChecker
  /** Makes the worktrees of agents with `isolation: worktree`, which do not start without it. */
  readonly isolation?: Isolation
  /** Where results of agents with `cache` are recorded and looked up. Without it they are worked out every time. */
  readonly cache?: ResultCache
  /** Where the configuration says what keeps agents from starting, for the messages of refused runs. */
  readonly settingPlace?: Environment["settingPlace"]
  /** What drives runs that no model does, by their kind. Without one, no agent of that kind starts. */
  readonly planners?: Readonly<Record<string, Planner>>
}

/** What runs see of these parts. Throws where they do not fit together. */
export function environmentOf(parts: RuntimeParts, bus: Bus): Environment {
  const rights = { of: configured, rules: parts.rules ?? [], otherwise: parts.otherwise ?? "allow" } as const
  const toolsNow = toolReader(parts)
  const environment: Environment = {
    store: parts.store,
    agents: sourceOf(parts.agents ?? []),
    get tools() {
      return toolsNow()
    },
    ...(parts.toolSource && { toolSource: parts.toolSource }),
    absentTools: parts.absentTools ?? {},
    hooks: byName("hook", (parts.hooks ?? []).map(checkHook)),
    ...(parts.lifecycle && { lifecycle: parts.lifecycle }),
    layers: parts.layers ?? {},
    rights,
    ownRights: parts.ownRules ? { ...rights, ...parts.ownRules } : rights,
    delegation: delegationRule(parts.delegation),
    ...(parts.reach && { reach: parts.reach }),
    ...(parts.writtenAt && { writtenAt: parts.writtenAt }),
    limits: checkLimits("The runtime", parts.limits ?? {}),
    variables: { defaults: parts.variables ?? {}, locked: parts.lockedVariables ?? [] },
    models: parts.models,
    ...(parts.prompts && { prompts: parts.prompts }),
    modelPolicy: parts.strictModel ? "strict" : "lenient",
    modelOverride: parts.allowModelOverride === false ? "deny" : "allow",
    ...(parts.checkPostcondition && { checkPostcondition: parts.checkPostcondition }),
    ...(parts.isolation && { isolation: parts.isolation }),
    ...(parts.cache && { cache: parts.cache }),
    ...(parts.planners && { planners: parts.planners }),
    ...(parts.settingPlace && { settingPlace: parts.settingPlace }),
    gates: new Gates(),
    definitions: new Map(),
    resolved: new WeakMap(),
    grants: new WeakMap(),
    created: new Map(),
    locks: new Locks(),
    emit: (event) => bus.emit(event),
  }
  checkRuleNames(environment)
  // What a registry holds may change, and need not all be meant for this runtime: it is checked when it starts.
  for (const agent of Array.isArray(parts.agents) ? parts.agents : []) checkToolNames(agent, environment)
  return environment
}

/** What was given, and what has been found: where two have one name, what was given counts. */
function toolReader({ tools = [], toolSource }: RuntimeParts): () => ReadonlyMap<string, Tool> {
  const given = byName("tool", tools)
  if (!toolSource) return () => given
  let found: readonly Tool[] = []
  let all = given
  return () => {
    if (found === toolSource.tools) return all
    found = toolSource.tools
    const more = found.filter(({ name }) => !given.has(name))
    all = new Map([...given, ...more.map((tool) => [tool.name, tool] as const)])
    return all
  }
}

function delegationRule(given: DelegationRule = "own"): DelegationRule {
  if (delegationRules.includes(given)) return given
  throw new CadreError(
    "CONFIGURATION_INVALID",
    `"delegation" is ${JSON.stringify(given)}, but it is one of ${delegationRules.join(", ")}.`,
  )
}
