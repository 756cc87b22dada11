import os from "node:os"
import path from "node:path"
import { type Agent, type AgentSource, agentList } from "../agent/agent.ts"
import { lookUpTool, otherNamesOf, splitToolName } from "../agent/catalogue/look-up.ts"
import type { Executors } from "../agent/executor.ts"
import type { McpServers } from "../agent/mcp-server.ts"
import type { GivenModel, Model, ModelSettings } from "../agent/model.ts"
import type { Tool } from "../agent/tool.ts"
import { type Mode, rulesOfMode } from "../definitions/authority/mode.ts"
import type { Configuration } from "../definitions/configuration/configuration.ts"
import type { NamesAround } from "../definitions/lifecycle/check-own.ts"
import type { HookSet } from "../definitions/lifecycle/hook-set.ts"
import { variablesOfSets } from "../definitions/lifecycle/sets.ts"
import { requirePipeline } from "../definitions/pipelines/define.ts"
import type { Skill } from "../definitions/skills/skills.ts"
import type { NamedWorkflow } from "../definitions/workflow/source.ts"
import { type KnownOptions, requireKnownOptions } from "../ground/options.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "../run/face/runtime.ts"
import type { Store } from "../run/log/store.ts"
import type { PromptSource } from "../run/ports/context.ts"
import type { Hook, HookSource } from "../run/ports/hook.ts"
import type { Planner } from "../run/ports/planner.ts"
import { fileCache } from "../world/cache/file-cache.ts"
import { memoryCache } from "../world/cache/memory-cache.ts"
import { executorPlanner } from "../world/executors/planner.ts"
import { executorTools } from "../world/executors/tool.ts"
import { serverParts } from "../world/mcp/server-parts.ts"
import { defaultDirectory } from "../world/stores/jsonl/directory.ts"
import { jsonlStore } from "../world/stores/jsonl.ts"
import { subagentTools } from "../world/tools/subagents.ts"
import { worktreeIsolation } from "../world/worktree/isolation.ts"
import { type Around, configuredModels } from "./configured-models.ts"
import { anchorsOf, ownRulesOf, permissionRules } from "./permission-rules.ts"

export interface RuntimeOptions extends Omit<RuntimeParts, "store" | "models"> {
  /** Default: JSONL files in the platform's state directory. */
  readonly store?: Store
  /**
   * The model of an agent that names none and has no parent: a name, a model object, or settings to open one. Left out,
   * null or `inherit`: the configuration's, else the first of `models`.
   */
  readonly model?: GivenModel
  /** The model of the loop around this runtime, which its roots inherit. Left out: `model`. */
  readonly callersModel?: GivenModel
  /**
   * Models by the names agents use: model objects, or settings to open one, with or without a key. What providers
   * serve, such as `anthropic:sonnet`, and `script:FILE` need no entry.
   */
  readonly models?: { readonly [name: string]: Model | ModelSettings }
  /**
   * How much the built-in tools ask, for a workspace: `plan`, `default`, `accept-edits` or `bypass`. Left out, whatever no
   * rule speaks of is allowed, as `otherwise` has it.
   */
  readonly mode?: { readonly type: Mode; readonly root: string }
  /**
   * Where packages of the AI SDK are looked for before they are looked for beside cadre. What is found there is run.
   * Default: the working directory.
   */
  readonly packagesFrom?: string
  /** Addresses that definitions name and that a person lets have keys, such as `https://models.example.com`. */
  readonly endpoints?: readonly string[]
  /** Skills by name that agents may start with, such as those of `openWorkspace`. Default: none. */
  readonly skills?: ReadonlyMap<string, Skill>
  /** Keys and passwords besides those of models, such as a tool's: they reach neither log nor model nor screen. */
  readonly secrets?: readonly string[]
  /** Where agents with `isolation: worktree` have theirs. Default: the platform's state directory. */
  readonly worktrees?: string
  /** Hooks that are written down, besides those of the configuration and of definitions. */
  readonly hookSets?: readonly HookSet[]
  /** Programs that agents can name as their `executor`, besides those of the configuration. */
  readonly executors?: Executors
  /** Servers of tools by name, such as `{ github: { command: "github-mcp-server", args: ["stdio"] } }`. */
  readonly mcpServers?: McpServers
  /** Workflows that agents may name. */
  readonly workflows?: readonly NamedWorkflow[]
  /** What `openWorkspace` read. Options beat it. */
  readonly configuration?: RuntimeConfiguration
  /** Whose machine it works on. Default: that of the process, and its working directory. */
  readonly around?: Around
}

/** What of a configuration a runtime reads. */
export type RuntimeConfiguration = Pick<Configuration, "subagents" | "limits"> &
  Partial<
    Pick<
      Configuration,
      | "model"
      | "models"
      | "presets"
      | "providers"
      | "strictModel"
      | "allowModelOverride"
      | "allowedModels"
      | "maxModelPrice"
      | "permissions"
      | "delegation"
      | "own"
      | "mode"
      | "variables"
      | "lockedVariables"
      | "hooks"
      | "executors"
      | "mcpServers"
      | "files"
    >
  >

/** A runtime with the parts most programs want: durable logs, and an `Agent` tool where there are agents to hand work to. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  requireKnownOptions("createRuntime", options, runtimeOptions)
  const { around = aroundProcess() } = options
  const state = defaultDirectory(around.environment)
  const {
    around: _,
    store = jsonlStore({ directory: state }),
    models = {},
    tools = [],
    agents = [],
    configuration,
    limits,
    mode,
    packagesFrom = process.cwd(),
    endpoints = [],
    skills = new Map(),
    secrets = [],
    worktrees = path.join(path.dirname(state), "worktrees"),
    hookSets = [],
    workflows = [],
    executors: named = {},
    mcpServers: namedServers = {},
    model,
    callersModel,
    ...rest
  } = options
  const given = new Set(tools.map(({ name }) => name))
  const executors = { ...configuration?.executors, ...named }
  const servers = serverParts({ ...configuration?.mcpServers, ...namedServers }, mode)
  const isMissing = ({ name }: Tool) => !given.has(name)
  const delegates = tools.some(({ name }) => isAgentTool(name))
  const defaultModel = isLeftOut(model) ? (configuration?.model ?? Object.keys(models)[0]) : model
  if (Array.isArray(agents)) requirePipelines(agents)
  const asked = mode && rulesOfMode(mode.type, mode.root)
  return openRuntime({
    ...(configuration && settingsOf(configuration)),
    ...(asked && { otherwise: asked.otherwise }),
    checkPostcondition: async (condition, context) => {
      const { checkPostcondition } = await import("../world/postconditions/check.ts")
      return checkPostcondition(condition, context, mode?.root)
    },
    prompts: promptsWith(skills, around),
    isolation: worktreeIsolation(worktrees),
    writtenAt: async (said) => {
      const { writtenAt } = await import("../definitions/registry/written-at.ts")
      return writtenAt(said, { files: configuration?.files ?? [], mode: mode?.type })
    },
    cache: options.store ? memoryCache() : fileCache(path.join(path.dirname(state), "cache")),
    lifecycle: lifecycleOf([...configuredHooks(configuration), ...hookSets], workflows, () => ({
      agents: new Map(
        (Array.isArray(agents) ? (agents as readonly Agent[]) : (agents as AgentSource).all()).flatMap(
          ({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name] as const),
        ),
      ),
      tools: new Set([...given, ...Object.keys(rest.absentTools ?? {})]),
    })),
    ...servers.parts,
    ...rest,
    planners: { pipeline: pipelines, command: executorPlanner(executors), ...rest.planners },
    rules: [
      ...(rest.rules ?? []),
      ...permissionRules(configuration?.permissions, anchorsOf(options)),
      ...(asked?.rules ?? []),
      ...servers.rules,
    ],
    ...ownRulesOf(options),
    limits: { ...configuration?.limits, ...limits },
    agents,
    store,
    tools: [
      ...tools,
      ...(Array.isArray(agents) && agents.length === 0 ? [] : subagentTools()).filter(
        (tool) => isMissing(tool) && !(delegates && tool.kind === "delegation"),
      ),
      ...[...executorTools({ executors }), ...servers.tools].filter(isMissing),
    ],
    models: configuredModels(configuration, around, {
      models,
      ...(defaultModel !== undefined && { defaultModel }),
      ...(!isLeftOut(callersModel) && { callersModel }),
      packagesFrom,
      endpoints,
      secrets: [...secrets, ...handedSecrets(executors, around), ...servers.secrets],
      ...(saysEnabled(options) && { subagents: "enabled" }),
    }),
  })
}

/** Everything that `createRuntime` can be told. */
export const runtimeOptions: KnownOptions<RuntimeOptions> = {
  absentTools: "known",
  agents: "known",
  allowModelOverride: "known",
  around: "internal",
  autoRoute: "known",
  cache: "known",
  callersModel: "known",
  checkPostcondition: "known",
  configuration: "known",
  delegation: "known",
  enabled: "known",
  endpoints: "known",
  executors: "known",
  hookSets: "known",
  hooks: "known",
  isolation: "known",
  layers: "known",
  lifecycle: "known",
  limits: "known",
  lockedVariables: "known",
  mcpServers: "known",
  mode: "known",
  model: "known",
  models: "known",
  otherwise: "internal",
  ownRules: "internal",
  packagesFrom: "known",
  planners: "known",
  prompts: "known",
  reach: "internal",
  rules: "known",
  secrets: "known",
  settingPlace: "internal",
  skills: "known",
  store: "known",
  strays: "internal",
  strictModel: "known",
  toolSource: "internal",
  tools: "known",
  variables: "known",
  workflows: "known",
  worktrees: "known",
  writtenAt: "internal",
}

/** Whether the program or the configuration says that agents may run: then Codex's own setting does not count. */
const saysEnabled = ({ enabled, configuration }: RuntimeOptions): boolean =>
  enabled ?? configuration?.subagents.said === true

/** There is nobody above a runtime to inherit one from. */
const isLeftOut = (model: GivenModel | undefined): model is null | undefined =>
  model === undefined || model === null || model === "inherit"

/** Loaded when an agent declares something for its prompt. */
const promptsWith = (skills: ReadonlyMap<string, Skill>, { home }: Around): PromptSource => ({
  async contextOf(agent, place) {
    const { promptSource } = await import("../definitions/context/prompt-source.ts")
    return promptSource({ skills, home }).contextOf(agent, place)
  },
})

/** What programs are given of the environment and may print: what its name says is a secret. */
const handedSecrets = (executors: Executors, { environment: known }: Around): readonly string[] =>
  Object.values(executors)
    .flatMap(({ environment = [] }) => environment)
    .filter((name) => /KEY|TOKEN|SECRET|PASSW|CRED|AUTH/i.test(name))
    .flatMap((name) => known[name] ?? [])

/** What a registry holds is looked at by its rules; and all of it again when it starts. */
function requirePipelines(agents: readonly Agent[]): void {
  const list = agentList(agents)
  for (const agent of agents) if (agent.pipeline) requirePipeline(agent, list)
}

/** Loaded when a pipeline runs. */
const pipelines: Planner = {
  async begin(...given) {
    const { pipelinePlanner } = await import("../world/planners/pipeline.ts")
    await pipelinePlanner.begin?.(...given)
  },
  async plan(...given) {
    const { pipelinePlanner } = await import("../world/planners/pipeline.ts")
    return pipelinePlanner.plan(...given)
  },
}

/** Loaded when there are hooks or workflows. */
function lifecycleOf(
  sets: readonly HookSet[],
  workflows: readonly NamedWorkflow[],
  around: () => NamesAround,
): HookSource {
  let loading: Promise<Followed> | undefined
  const load = () => {
    loading ??= Promise.all([
      import("../definitions/lifecycle/source.ts"),
      import("../definitions/lifecycle/check-own.ts"),
      import("../definitions/workflow/source.ts"),
    ]).then(([{ hookSource }, { checkOwn }, { withWorkflows }]) =>
      withWorkflows(hookSource(sets, checkOwn(around)), workflows),
    )
    return loading
  }
  return {
    hooksOf(agent) {
      const { hooks, lifecycle, workflow = null } = agent
      if (sets.length === 0 && hooks === undefined && lifecycle === undefined && workflow === null)
        return none
      return load().then((source) => source.hooksOf(agent))
    },
    writtenOut: (agent) => load().then((source) => source.writtenOut(agent)),
    variablesOf: (agent) => (sets.length === 0 ? {} : variablesOfSets(agent, sets)),
  }
}

type Followed = Required<Pick<HookSource, "hooksOf" | "writtenOut">>

const none: readonly Hook[] = []

const configuredHooks = (configuration: RuntimeConfiguration | undefined): readonly HookSet[] =>
  (["user", "project"] as const).flatMap((of) => {
    const hooks = configuration?.hooks?.[of]
    // The user's file comes first; without one the project's is the only one.
    const file = of === "user" ? configuration?.files?.[0] : configuration?.files?.at(-1)
    const keysOf: HookSet["keysOf"] = (path) => ["hooks", ...path]
    return hooks === undefined
      ? []
      : [{ name: `${of} configuration`, of, hooks, keysOf, ...(file !== undefined && { file }) }]
  })

const settingsOf = ({
  subagents,
  strictModel,
  allowModelOverride,
  variables,
  lockedVariables,
  delegation,
}: RuntimeConfiguration) => ({
  enabled: subagents.enabled,
  autoRoute: subagents.autoRoute,
  ...(variables && { variables }),
  ...(lockedVariables && { lockedVariables }),
  ...(delegation && { delegation }),
  ...(strictModel !== undefined && { strictModel }),
  ...(allowModelOverride !== undefined && { allowModelOverride }),
})

const aroundProcess = (): Around => ({
  home: os.homedir(),
  environment: process.env,
  workspace: process.cwd(),
})

/** Whether a tool is `Agent` by another host's name for it. */
function isAgentTool(name: string): boolean {
  // Looking a name up takes an index of all of them, which most programs need for nothing else.
  if (!otherNamesOf("Agent").includes(splitToolName(name).name)) return false
  const meant = lookUpTool(name)
  return meant.type === "equivalent" && meant.name === "Agent"
}
