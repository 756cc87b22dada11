import type { Agent, AgentSource, PermissionRule, RuleDecision } from "../../agent/agent.ts"
import type { AgentIsolation } from "../../agent/isolation.ts"
import type { ModelSource } from "../../agent/model.ts"
import type { FindRunNode } from "../../agent/run-node.ts"
import type { Tool } from "../../agent/tool.ts"
import { CadreError } from "../../ground/errors.ts"
import { checkLimits, type RunLimits } from "../../ground/limits.ts"
import type { JsonMap } from "../../ground/message.ts"
import { checkRuleNames, checkToolNames } from "../begin/definition.ts"
import type { Bus } from "../log/bus.ts"
import type { Store } from "../log/store.ts"
import type { PostconditionChecker } from "../ports/checking.ts"
import type { PromptSource } from "../ports/context.ts"
import type { Environment } from "../ports/environment.ts"
import { RequestGates } from "../ports/gate.ts"
import type { DelegationRule, ReachLimit } from "../ports/granted-tools.ts"
import { delegationRules } from "../ports/granted-tools.ts"
import type { Hook, HookSource } from "../ports/hook.ts"
import type { Layers } from "../ports/layers.ts"
import { Locks } from "../ports/locks.ts"
import type { Planner } from "../ports/planner.ts"
import type { ResultCache } from "../ports/recorded-result.ts"
import type { ScriptTools } from "../ports/script-tools.ts"
import type { FindSettingPlace } from "../ports/setting-place.ts"
import type { ToolSource } from "../ports/tool-source.ts"
import { checkHook } from "../rights/hooks.ts"
import { configurationOwner } from "../rights/rule-sets.ts"
import { indexByName, toAgentSource } from "./by-name.ts"

export interface RuntimeParts {
  readonly store: Store
  /** A list, or a registry, which is asked again for every run. */
  readonly agents?: readonly Agent[] | AgentSource
  /** False: no run starts, but runs that have started go on. Default: true. */
  readonly enabled?: boolean
  /** True: a request that names no agent goes to the agent whose name or keywords it contains. Default: false. */
  readonly autoRoute?: boolean
  readonly tools?: readonly Tool[]
  /** A source of tools that is asked before a tree begins, such as MCP servers. It is closed with the runtime. */
  readonly toolSource?: ToolSource
  /** The tools that run the scripts of definitions. Without it, such agents do not start. */
  readonly scripts?: ScriptTools
  /** Tools that agents may name but that are not available here, with the reason. Agents run without them, with a warning. */
  readonly absentTools?: Readonly<Record<string, string>>
  readonly hooks?: readonly Hook[]
  /** Hooks from configurations, files and definitions. They judge after `hooks`. */
  readonly lifecycle?: HookSource
  readonly layers?: Layers
  /** The rules of the configuration, which bind every run. */
  readonly rules?: readonly PermissionRule[]
  /** The rules that bind the user's own hooks, without those that a project has added. Default: all rules. */
  readonly ownRules?: { readonly rules: readonly PermissionRule[]; readonly otherwise?: RuleDecision }
  /**
   * Says what happens when a promise that a tool, hook or layer left behind rejects. `contain`: its run fails. `leave`
   * (default): Node ends the process, and every run in it stops until it is resumed.
   */
  readonly strays?: "contain" | "leave"
  /** The decision where no rule matches. Default: allow. */
  readonly otherwise?: RuleDecision
  /** The limits of every run that does not set its own. */
  readonly limits?: RunLimits
  /**
   * The tools that a child may use. `own` (default): those of its own definition, if the tree may use them and no agent
   * above denies them. `narrow`: only those of them that its caller has or may delegate (`delegates`).
   */
  readonly delegation?: DelegationRule
  /** Finds the place of a rule that took a tool away. Without it, messages name only the agent or the configuration. */
  readonly writtenAt?: FindSettingPlace
  /** The agents that may be called by an agent and by all runs below it. Undefined: all that its rules permit. */
  readonly reach?: ReachLimit
  /** The default values of variables. */
  readonly variables?: JsonMap
  /** The variables that no definition, no model and no hook can change. */
  readonly lockedVariables?: readonly string[]
  readonly models: ModelSource
  /** Gathers the skills, rules, files and environment that agents declare for their prompts. */
  readonly prompts?: PromptSource
  /** True: in every format, a run fails if its model cannot be resolved or another model answers. Default: false. */
  readonly strictModel?: boolean
  /** False: a call may not name another model than the definition does. Default: true. */
  readonly allowModelOverride?: boolean
  /** Checks a postcondition. Without it, no agent with postconditions starts. */
  readonly checkPostcondition?: PostconditionChecker
  /** Finds code nodes by their addresses. Without it, a run takes only nodes with their text. */
  readonly findNode?: FindRunNode
  /** Makes the worktrees of agents with `isolation: worktree`, which do not start without it. */
  readonly isolation?: AgentIsolation
  /** Stores the results of agents with `cache`. Without it, such agents work every time. */
  readonly cache?: ResultCache
  /** False: the log does not keep the content of files that tools and commands change. Default: true. */
  readonly keepFiles?: boolean
  /** False: nothing looks for the files that commands change. Default: true. */
  readonly snapshots?: boolean
  /** Finds the place of a setting that keeps agents from starting, for the messages of refused runs. */
  readonly settingPlace?: Environment["settingPlace"]
  /** Planners drive the runs that no model drives, by kind. Without one, no agent of that kind starts. */
  readonly planners?: Readonly<Record<string, Planner>>
}

/** The environment that runs get from these parts. Throws if the parts do not fit together. */
export function buildEnvironment(parts: RuntimeParts, bus: Bus): Environment {
  const rights = {
    of: configurationOwner,
    rules: parts.rules ?? [],
    otherwise: parts.otherwise ?? "allow",
  } as const
  const toolsNow = toolReader(parts)
  const environment: Environment = {
    store: parts.store,
    agents: toAgentSource(parts.agents ?? []),
    get tools() {
      return toolsNow()
    },
    ...(parts.scripts && { scripts: parts.scripts }),
    ...(parts.toolSource && { toolSource: parts.toolSource }),
    absentTools: parts.absentTools ?? {},
    hooks: indexByName("hook", (parts.hooks ?? []).map(checkHook)),
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
    ...(parts.findNode && { findNode: parts.findNode }),
    ...(parts.isolation && { isolation: parts.isolation }),
    ...(parts.cache && { cache: parts.cache }),
    ...(parts.planners && { planners: parts.planners }),
    keeps: keepsOf(parts),
    ...(parts.settingPlace && { settingPlace: parts.settingPlace }),
    gates: new RequestGates(),
    definitions: new Map(),
    resolved: new WeakMap(),
    grants: new WeakMap(),
    created: new Map(),
    locks: new Locks(),
    emit: (event) => bus.emit(event),
  }
  checkRuleNames(environment)
  if (Array.isArray(parts.agents)) void parts.scripts?.learn(parts.agents)
  // The agents of a registry may change, or be meant for another runtime. They are checked when they start.
  for (const agent of Array.isArray(parts.agents) ? parts.agents : []) checkToolNames(agent, environment)
  return environment
}

/** The tools in `tools`, then those of the tool source, then scripts. Of tools with the same name the first counts. */
function toolReader({ tools = [], toolSource, scripts }: RuntimeParts): () => ReadonlyMap<string, Tool> {
  const ownTools = indexByName("tool", tools)
  if (!toolSource && !scripts) return () => ownTools
  let sourceTools: readonly Tool[] | undefined
  let scriptTools: readonly Tool[] | undefined
  let all = ownTools
  return () => {
    if (sourceTools === toolSource?.tools && scriptTools === scripts?.tools) return all
    sourceTools = toolSource?.tools
    scriptTools = scripts?.tools
    const knownTools = new Set([...ownTools.keys(), ...(sourceTools ?? []).map(({ name }) => name)])
    const more = [
      ...(sourceTools ?? []).filter(({ name }) => !ownTools.has(name)),
      ...(scriptTools ?? []).filter(({ name }) => !knownTools.has(name)),
    ]
    all = new Map([...ownTools, ...more.map((tool) => [tool.name, tool] as const)])
    return all
  }
}

const keepsOf = ({ keepFiles = true, snapshots = true }: RuntimeParts): Environment["keeps"] =>
  !keepFiles ? "nothing" : snapshots ? "all" : "edits"

function delegationRule(rule: DelegationRule = "own"): DelegationRule {
  if (delegationRules.includes(rule)) return rule
  throw new CadreError(
    "CONFIGURATION_INVALID",
    `"delegation" is ${JSON.stringify(rule)}, but it must be one of ${delegationRules.join(", ")}.`,
  )
}
