import os from "node:os"
import path from "node:path"
import type { Agent, AgentSource } from "../agent/agent.ts"
import { listHostNames, lookUpTool, splitToolName } from "../agent/catalogue/look-up.ts"
import type { Executors } from "../agent/executor.ts"
import type { McpServers } from "../agent/mcp-server.ts"
import type { Model, ModelInput, ModelSettings } from "../agent/model.ts"
import type { Tool } from "../agent/tool.ts"
import { getModeRules, type PermissionMode } from "../definitions/authority/mode.ts"
import type { Configuration } from "../definitions/configuration/configuration.ts"
import type { NamesAround } from "../definitions/lifecycle/check-own.ts"
import type { HookSet } from "../definitions/lifecycle/hook-set.ts"
import { getSetVariables } from "../definitions/lifecycle/sets.ts"
import type { Skill } from "../definitions/skills/skills.ts"
import type { NamedWorkflow } from "../definitions/workflow/source.ts"
import { type KnownOptions, requireKnownOptions } from "../ground/options.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "../run/face/runtime.ts"
import type { Store } from "../run/log/store.ts"
import type { PromptSource } from "../run/ports/context.ts"
import type { Hook, HookSource } from "../run/ports/hook.ts"
import type { Planner } from "../run/ports/planner.ts"
import { fileCache } from "../world/cache/file-cache.ts"
import { createMemoryCache } from "../world/cache/memory-cache.ts"
import { createExecutorPlanner } from "../world/executors/planner.ts"
import { createExecutorTools } from "../world/executors/tool.ts"
import { createServerParts, type McpPinOptions } from "../world/mcp/server-parts.ts"
import type { McpServerOptions } from "../world/mcp/servers.ts"
import type { Models } from "../world/models/source.ts"
import { createScriptTools } from "../world/scripts/script-tools.ts"
import { locateDefaultDirectory } from "../world/stores/jsonl/directory.ts"
import { jsonlStore } from "../world/stores/jsonl.ts"
import { agentControlTools } from "../world/tools/subagents.ts"
import { createWorktreeIsolation } from "../world/worktree/isolation.ts"
import { type HostMachine, locateKeysFolder, openConfiguredModels } from "./configured-models.ts"
import { getOwnRules, listAnchors, readPermissionRules } from "./permission-rules.ts"

/** The parts of a runtime. Everything may be left out. */
export interface RuntimeOptions extends Omit<RuntimeParts, "store" | "models"> {
  /** Default: JSONL files in the platform's state directory. */
  readonly store?: Store
  /**
   * The model of an agent that names none and has no parent: a name, a model object, or settings to open one. Default, also
   * for null and `inherit`: the model of the configuration, or else the first of `models`.
   */
  readonly model?: ModelInput
  /** The model of the loop around this runtime, which its roots inherit. Default: `model`. */
  readonly callersModel?: ModelInput
  /**
   * Models by the names that agents use: model objects, or settings to open one, with or without a key. Models of known
   * providers, such as `anthropic:sonnet`, and `script:FILE` need no entry.
   */
  readonly models?: { readonly [name: string]: Model | ModelSettings }
  /**
   * The mode, which says which calls of built-in tools need approval in a workspace: `plan`, `default`, `accept-edits` or
   * `bypass`. Without a mode, `otherwise` decides about calls that no rule matches.
   */
  readonly mode?: { readonly type: PermissionMode; readonly root: string }
  /**
   * The folder in which packages of the AI SDK are looked for first, before those beside cadre. Their code is run.
   * Default: the working directory.
   */
  readonly packagesFrom?: string
  /** Addresses in definitions that the user allows to get keys, such as `https://models.example.com`. */
  readonly endpoints?: readonly string[]
  /** Skills by name that agents may start with, such as those of `openWorkspace`. Default: none. */
  readonly skills?: ReadonlyMap<string, Skill>
  /** Keys and passwords besides those of models, such as a tool's. They are kept out of logs, models and screens. */
  readonly secrets?: readonly string[]
  /** The folder for the worktrees of agents with `isolation: worktree`. Default: in the platform's state directory. */
  readonly worktrees?: string
  /** Hooks from files, besides those of the configuration and of definitions. */
  readonly hookSets?: readonly HookSet[]
  /** Programs that agents can name as their `executor`, besides those of the configuration. */
  readonly executors?: Executors
  /** Servers of tools by name, such as `{ github: { command: "github-mcp-server", args: ["stdio"] } }`. */
  readonly mcpServers?: McpServers
  /** The servers of a project, and the bounds on them. */
  readonly projectServers?: ProjectServers
  /** The record of the tools that MCP servers had when they were accepted. */
  readonly mcpPins?: McpPinOptions
  /** Workflows that agents may name. */
  readonly workflows?: readonly NamedWorkflow[]
  /** The configuration that `openWorkspace` read. Options override it. */
  readonly configuration?: RuntimeConfiguration
  /** The machine and the project to work on. Default: those of the process. */
  readonly around?: HostMachine
}

/** The servers of the user and of the project's trusted files, as the project opens them. */
export interface ProjectServers
  extends Omit<McpServerOptions, "bounds" | "reading" | "root" | "pins" | "onToolChange"> {
  /** The agents that may bring servers. */
  readonly bringing: readonly Agent[]
}

/** The parts of a configuration that a runtime reads. */
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
      | "keepFiles"
      | "snapshots"
      | "executors"
      | "mcpServers"
      | "files"
    >
  >

/**
 * A runtime with the parts most programs need: durable logs, and an `Agent` tool where there are agents to
 * call.
 *
 * @example
 * ```ts
 * import { createRuntime, defineAgent } from "cadre"
 *
 * const greeter = defineAgent({ name: "greeter", instructions: "Greet the person." })
 * const runtime = createRuntime({ agents: [greeter], model: "anthropic:sonnet" })
 * const { outcome, output } = await runtime.run("greeter", "Ada has arrived.").done
 * console.log(outcome, output)
 * await runtime.close()
 * ```
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  requireKnownOptions("createRuntime", options, runtimeOptions)
  const { around = aroundProcess() } = options
  const state = locateDefaultDirectory(around.environment)
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
    executors: ownExecutors = {},
    mcpServers: ownServers = {},
    projectServers,
    mcpPins,
    model,
    callersModel,
    ...rest
  } = options
  const toolNames = new Set(tools.map(({ name }) => name))
  const executors = { ...configuration?.executors, ...ownExecutors }
  const { bringing = agentsIn(agents), ...others } = projectServers ?? userServers(configuration)
  let modelSource: Models | undefined
  const servers = createServerParts(
    {
      ...others,
      servers: { ...others.servers, ...ownServers },
      logins: { folder: locateKeysFolder(around), keepSecret: (value) => modelSource?.keepSecret(value) },
    },
    mode,
    bringing,
    {
      ...(!options.store && { folder: path.join(path.dirname(state), "mcp") }),
      ...mcpPins,
    },
  )
  const isMissing = ({ name }: Tool) => !toolNames.has(name)
  const delegates = tools.some(({ name }) => isAgentTool(name))
  const defaultModel = isLeftOut(model) ? (configuration?.model ?? Object.keys(models)[0]) : model
  const modeRules = mode && getModeRules(mode.type, mode.root)
  modelSource = openConfiguredModels(configuration, around, {
    models,
    ...(defaultModel !== undefined && { defaultModel }),
    ...(!isLeftOut(callersModel) && { callersModel }),
    packagesFrom,
    endpoints,
    secrets: [...secrets, ...handedSecrets(executors, around), ...servers.secrets],
    ...(saysEnabled(options) && { subagents: "enabled" }),
  })
  return openRuntime({
    ...(configuration && settingsOf(configuration)),
    ...(modeRules && { otherwise: modeRules.otherwise }),
    checkPostcondition: async (condition, context) => {
      const { checkPostcondition } = await import("../world/postconditions/check.ts")
      return checkPostcondition(condition, context, mode?.root)
    },
    prompts: promptsWith(skills, around),
    findNode: async (address, folder) => {
      const { findNode } = await import("../world/nodes/find-node.ts")
      return findNode(folder, address)
    },
    isolation: createWorktreeIsolation(worktrees),
    writtenAt: (setting) =>
      // Most runtimes have no file that could have a rule of the configuration.
      "agent" in setting || mode || configuration?.files?.length
        ? import("../definitions/registry/find-restriction.ts").then(({ findRestriction }) =>
            findRestriction(setting, {
              files: configuration?.files ?? [],
              mode: mode &&
                modeRules && {
                  type: mode.type,
                  ...modeRules,
                  // In plan mode no server is called, which is a rule of the mode, too.
                  rules: [...modeRules.rules, ...servers.rules.filter(({ decision }) => decision === "deny")],
                },
            }),
          )
        : undefined,
    cache: options.store ? createMemoryCache() : fileCache(path.join(path.dirname(state), "cache")),
    lifecycle: lifecycleOf([...configuredHooks(configuration), ...hookSets], workflows, () => ({
      agents: new Map(
        (Array.isArray(agents) ? (agents as readonly Agent[]) : (agents as AgentSource).all()).flatMap(
          ({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name] as const),
        ),
      ),
      tools: new Set([...toolNames, ...Object.keys(rest.absentTools ?? {})]),
    })),
    ...servers.parts,
    scripts: createScriptTools(),
    ...rest,
    planners: {
      pipeline: pipelines,
      call: singleCalls,
      command: createExecutorPlanner(executors),
      ...rest.planners,
    },
    rules: [
      ...(rest.rules ?? []),
      ...readPermissionRules(configuration?.permissions, listAnchors(options)),
      ...(modeRules?.rules ?? []),
      ...servers.rules,
    ],
    ...getOwnRules(options),
    limits: { ...configuration?.limits, ...limits },
    agents,
    store,
    tools: [
      ...tools,
      ...(Array.isArray(agents) && agents.length === 0 ? [] : agentControlTools()).filter(
        (tool) => isMissing(tool) && !(delegates && tool.kind === "delegation"),
      ),
      ...[...createExecutorTools({ executors }), ...servers.tools].filter(isMissing),
    ],
    models: modelSource,
  })
}

/** All options of `createRuntime`. */
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
  findNode: "internal",
  hookSets: "known",
  hooks: "known",
  isolation: "known",
  keepFiles: "known",
  layers: "known",
  lifecycle: "known",
  limits: "known",
  lockedVariables: "known",
  mcpPins: "known",
  mcpServers: "known",
  mode: "known",
  model: "known",
  models: "known",
  otherwise: "internal",
  ownRules: "internal",
  packagesFrom: "known",
  planners: "known",
  projectServers: "internal",
  prompts: "known",
  reach: "internal",
  rules: "known",
  scripts: "internal",
  secrets: "known",
  settingPlace: "internal",
  skills: "known",
  snapshots: "known",
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

/** True if the program or the configuration enables agents. Codex's own setting then does not count. */
const saysEnabled = ({ enabled, configuration }: RuntimeOptions): boolean =>
  enabled ?? configuration?.subagents.isUserChoice === true

/** A runtime has no parent, so `inherit` also means that no model is set. */
const isLeftOut = (model: ModelInput | undefined): model is null | undefined =>
  model === undefined || model === null || model === "inherit"

/** Loaded when an agent declares something for its prompt. */
const promptsWith = (skills: ReadonlyMap<string, Skill>, { home }: HostMachine): PromptSource => ({
  async contextOf(agent, place) {
    const { createPromptSource } = await import("../definitions/context/prompt-source.ts")
    return createPromptSource({ skills, home }).contextOf(agent, place)
  },
})

/** Servers of a project's files are started only where the project was opened with the user's trust in it. */
const userServers = (
  configuration: RuntimeConfiguration | undefined,
): Pick<ProjectServers, "servers"> & { readonly bringing?: undefined } => ({
  servers: configuration?.own?.mcpServers ?? configuration?.mcpServers ?? {},
})

const agentsIn = (agents: readonly Agent[] | AgentSource): readonly Agent[] =>
  Array.isArray(agents) ? agents : (agents as AgentSource).all()

/** The secrets that executors get from the environment and may print: variables with a name such as `API_KEY`. */
const handedSecrets = (executors: Executors, { environment: values }: HostMachine): readonly string[] =>
  Object.values(executors)
    .flatMap(({ environment = [] }) => environment)
    .filter((name) => /KEY|TOKEN|SECRET|PASSW|CRED|AUTH/i.test(name))
    .flatMap((name) => values[name] ?? [])

/** Loaded when a pipeline runs. Its start checks it, with the agents of its steps. */
const pipelines: Planner = {
  async begin(...inputs) {
    const { pipelinePlanner } = await import("../world/planners/pipeline.ts")
    await pipelinePlanner.begin?.(...inputs)
  },
  async plan(...inputs) {
    const { pipelinePlanner } = await import("../world/planners/pipeline.ts")
    return pipelinePlanner.plan(...inputs)
  },
}

/** Loaded when a run makes a single call. */
const singleCalls: Planner = {
  async plan(...inputs) {
    const { singleCallPlanner } = await import("../world/planners/single-call.ts")
    return singleCallPlanner.plan(...inputs)
  },
}

/** Loaded when there are hooks or workflows. */
function lifecycleOf(
  sets: readonly HookSet[],
  workflows: readonly NamedWorkflow[],
  around: () => NamesAround,
): HookSource {
  let loading: Promise<LoadedHooks> | undefined
  const load = () => {
    loading ??= Promise.all([
      import("../definitions/lifecycle/source.ts"),
      import("../definitions/lifecycle/check-own.ts"),
      import("../definitions/workflow/source.ts"),
    ]).then(([{ createHookSource }, { checkOwn }, { withWorkflows }]) =>
      withWorkflows(createHookSource(sets, checkOwn(around)), workflows),
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
    variablesOf: (agent) => (sets.length === 0 ? {} : getSetVariables(agent, sets)),
  }
}

type LoadedHooks = Required<Pick<HookSource, "hooksOf" | "writtenOut">>

const none: readonly Hook[] = []

const configuredHooks = (configuration: RuntimeConfiguration | undefined): readonly HookSet[] =>
  (["user", "project"] as const).flatMap((of) => {
    const hooks = configuration?.hooks?.[of]
    // The user's file comes first. Without a user's file, the project's is the only one.
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
  keepFiles,
  snapshots,
}: RuntimeConfiguration) => ({
  enabled: subagents.enabled,
  autoRoute: subagents.autoRoute,
  ...(variables && { variables }),
  ...(lockedVariables && { lockedVariables }),
  ...(delegation && { delegation }),
  ...(keepFiles !== undefined && { keepFiles }),
  ...(snapshots !== undefined && { snapshots }),
  ...(strictModel !== undefined && { strictModel }),
  ...(allowModelOverride !== undefined && { allowModelOverride }),
})

const aroundProcess = (): HostMachine => ({
  home: os.homedir(),
  environment: process.env,
  workspace: process.cwd(),
})

/** True if a tool has another host's name for `Agent`. */
function isAgentTool(name: string): boolean {
  // A lookup builds an index of all names, which most programs do not need.
  if (!listHostNames("Agent").includes(splitToolName(name).name)) return false
  const lookup = lookUpTool(name)
  return lookup.type === "equivalent" && lookup.name === "Agent"
}
