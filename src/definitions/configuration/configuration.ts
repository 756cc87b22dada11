import os from "node:os"
import path from "node:path"
import type { Executors } from "../../agent/executor.ts"
import type { McpServers } from "../../agent/mcp-server.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { combine, type LayerSource, removeLocked } from "./combine.ts"
import { readEnvironment } from "./environment.ts"
import {
  findProjectFolder,
  locateUserConfiguration,
  mayExist,
  projectConfigurationFile,
  projectConfigurationFiles,
} from "./folders.ts"
import { configurationKeys } from "./keys.ts"
import { findMisnamedFiles } from "./misnamed.ts"
import { type ConfigurationLayer, collectOwnTools, readConfigurationFile } from "./read-file.ts"

/** The effective settings: the environment overrides the project's file, then the user's file, then the defaults. */
export interface Configuration {
  /** Settings for running agents at all. `enabled` is true by default, and `autoRoute` is false. */
  readonly subagents: {
    readonly enabled: boolean
    /** Set if the user enables subagents, in a file or by the variable, and not only the default or a project. */
    readonly isUserChoice?: true
    readonly autoRoute: boolean
  }
  /**
   * The folder that paths of scripts and models in Remora files are relative to. Absent: each file's own
   * folder.
   */
  readonly agentsDir?: string
  /** Names of hidden built-in agents; `*` hides all of them. */
  readonly hideBuiltInAgents: readonly string[]
  /**
   * The order of formats, by id. If two files in one scope define the same agent, the earlier format wins.
   */
  readonly formats: readonly string[]
  /** The model for agents that name none: a preset, or `provider:model`. Absent: none is set. */
  readonly model?: string
  /** Models by the user's own names, the same as `presets`. Presets override it where both define a name. */
  readonly models: JsonMap
  /**
   * Models by the user's own names, each another name or an object with `provider`, `model` and more.
   * Default: none.
   */
  readonly presets: JsonMap
  /** Providers of models, by the user's own name or by the name of a built-in one. Default: none. */
  readonly providers: JsonMap
  /** True: an answer of another model than the requested one ends the run. Default: false, only a warning. */
  readonly strictModel: boolean
  /** True, the default: a call may choose another model than the definition names. */
  readonly allowModelOverride: boolean
  /** The list of each file that has one: a model must be in all of them. */
  readonly allowedModels: readonly (readonly string[])[]
  /** US dollars for a million tokens. */
  readonly maxModelPrice: { readonly input?: number; readonly output?: number }
  /**
   * The number of questions to the user. `plan`: nothing may change. `default`: asks before every change.
   * `bypass`: never asks.
   */
  readonly mode: "plan" | "default" | "accept-edits" | "bypass"
  /** The end of a run that must ask and has no terminal to ask on. Default: `rest`. */
  readonly unattended: "rest" | "fail" | "deny"
  /** The sign of a terminal that a long run rests or has ended. Default: `bell`. */
  readonly notify: "bell" | "osc9" | "off"
  /** A run that may cost more, or can start more agents, asks on a terminal before it starts. */
  readonly confirm: { readonly cost: number; readonly agents: number }
  /** Rules such as `Bash(git status)`, by decision. The lists of the user and of the project are combined. Default: none. */
  readonly permissions: {
    readonly allow: readonly string[]
    readonly ask: readonly string[]
    readonly deny: readonly string[]
  }
  /**
   * The tools of a subagent. `own` (default): those of its definition. `narrow`: of those, only the tools
   * that its caller has or delegates.
   */
  readonly delegation: "own" | "narrow"
  /** The user's own values of these settings, without those of a project. */
  readonly own: Pick<Configuration, "mode" | "permissions"> &
    Partial<Pick<Configuration, "models" | "presets" | "mcpServers">>
  /**
   * The sandbox of commands. `required`: none run without it. `preferred` (default): they run anyway, with
   * a warning.
   */
  readonly sandbox: "required" | "preferred" | "off"
  /** The network access of commands in the sandbox. Default: `none`. */
  readonly network: "none" | "full"
  /** The provider of the WebSearch tool. Absent: the tool is not available. */
  readonly search?: {
    readonly provider: "brave" | "tavily" | "searxng"
    readonly url?: string
    /** The name of the environment variable with the key. */
    readonly key?: string
  }
  /** Names of the user's own tools that definitions may list. Default: none. */
  readonly tools: readonly string[]
  /** More folders with skills, besides the usual ones. Default: none. */
  readonly skills: readonly string[]
  /**
   * Limits for agents that set none. Times are in milliseconds. Default: none, so `defaultLimits` applies.
   */
  readonly limits: RunLimits
  /** The initial values of variables that no agent or call sets. Default: none. */
  readonly variables: JsonMap
  /** Names of variables that only the user's own file may set. */
  readonly lockedVariables: readonly string[]
  /** The hooks of each file, as written. */
  readonly hooks: { readonly user?: Json; readonly project?: Json }
  /** Programs that can run agents. */
  readonly executors: Executors
  /** MCP servers. The user's entry takes precedence over the project's of the same name. */
  readonly mcpServers: McpServers
  /** False: the log does not keep the text of changed files. Default: true. */
  readonly keepFiles: boolean
  /** False: nothing looks for the files that commands change. Default: true. */
  readonly snapshots: boolean
  /** The time that ended runs are kept, such as `30d`. Default: forever. */
  readonly retention?: string
  /**
   * The severity of rules for definitions, by their code. A rule that is absent here keeps its own
   * severity.
   */
  readonly rules: Readonly<Record<string, "off" | "info" | "warning" | "error">>
  /** Names of installed packages whose agents are loaded. Default: none. */
  readonly packages: readonly string[]
  /** The files that were read: the user's before the project's. */
  readonly files: readonly string[]
}

export interface ConfigurationOptions {
  readonly cwd: string
  /** Default: the home folder of the process. */
  readonly home?: string
  /** Default: the environment of the process. */
  readonly environment?: NodeJS.ProcessEnv
  /** The top of the repository: the highest folder that is searched. Default: only `cwd` is searched. */
  readonly root?: string
}

/**
 * Reads the user's and the project's `config.yaml`. Never throws: invalid settings are left out of the result and reported.
 * Callers refuse to start runs if a finding is an error.
 */
export function readConfiguration({
  cwd,
  home = os.homedir(),
  environment = process.env,
  root,
}: ConfigurationOptions): {
  readonly configuration: Configuration
  readonly diagnostics: readonly Diagnostic[]
} {
  const user = locateUserConfiguration(environment, home)
  const project = findProjectFolder({ cwd, home, root })
  const places = [
    { file: path.join(user, "config.yaml"), folder: user, of: "user" as const, boundary: undefined },
    ...(project === undefined
      ? []
      : [
          {
            file: projectConfigurationFile(project),
            folder: project,
            of: "project" as const,
            boundary: root ?? project,
          },
        ]),
  ].filter(
    ({ file }, index, all) => mayExist(file) && all.findIndex((other) => other.file === file) === index,
  )
  const layers = [
    ...places.map(({ file, ...place }) => ({
      ...readConfigurationFile(file, { ...place, home }),
      of: place.of,
    })),
    { ...readEnvironment(environment), of: "environment" as const },
  ]
  const tools = collectOwnTools(layers)
  return {
    configuration: assemble(
      merge(layers),
      merge(layers.filter(({ of }) => of !== "project")),
      places.map(({ file }) => file),
      layers.some(({ values, of }) => of !== "project" && values.has("subagents.enabled")),
    ),
    diagnostics: [
      ...layers.flatMap((layer) => [...layer.diagnostics, ...(layer.unknownTools?.(tools) ?? [])]),
      ...findMisnamedFiles([
        path.join(user, "config.yaml"),
        ...projectConfigurationFiles({ cwd, home, root }),
      ]),
    ],
  }
}

/** Later layers override earlier ones, within the rules of `combine`. */
function merge(
  layers: readonly (ConfigurationLayer & { readonly of: LayerSource })[],
): ReadonlyMap<string, Json> {
  const merged = new Map<string, Json>()
  for (const setting of configurationKeys) {
    let value = setting.default
    for (const { values, of } of layers) {
      const layerValue = removeLocked(setting, values.get(setting.key), of, merged)
      if (layerValue !== undefined) value = combine(setting, value, layerValue, of)
    }
    if (value !== undefined) merged.set(setting.key, value)
  }
  return merged
}

function searchOf(values: ReadonlyMap<string, Json>): Pick<Configuration, "search"> {
  const [provider, url, key] = ["provider", "url", "key"].map((name) => values.get(`search.${name}`))
  if (provider === undefined) return {}
  const search = { provider, ...(url !== undefined && { url }), ...(key !== undefined && { key }) }
  return { search: search as NonNullable<Configuration["search"]> }
}

function pricesOf(values: ReadonlyMap<string, Json>): Configuration["maxModelPrice"] {
  const [input, output] = ["input", "output"].map((name) => values.get(`max_model_price.${name}`))
  return {
    ...(typeof input === "number" && { input }),
    ...(typeof output === "number" && { output }),
  }
}

function permissionsOf(values: ReadonlyMap<string, Json>): Configuration["permissions"] {
  return {
    allow: values.get("permissions.allow") as readonly string[],
    ask: values.get("permissions.ask") as readonly string[],
    deny: values.get("permissions.deny") as readonly string[],
  }
}

function assemble(
  values: ReadonlyMap<string, Json>,
  own: ReadonlyMap<string, Json>,
  files: readonly string[],
  isEnabledByUser: boolean,
): Configuration {
  // The readers have checked the types: every value fits its field.
  const value = <Key extends keyof Configuration>(key: Key, written: string = key) =>
    values.get(written) as Configuration[Key]
  const [agentsDir, model] = [value("agentsDir", "agents_dir"), value("model")]
  return {
    subagents: {
      enabled: values.get("subagents.enabled") === true,
      ...(isEnabledByUser && values.get("subagents.enabled") === true && { isUserChoice: true as const }),
      autoRoute: values.get("subagents.auto_route") === true,
    },
    ...(agentsDir !== undefined && { agentsDir }),
    hideBuiltInAgents: value("hideBuiltInAgents", "hide_built_in_agents"),
    formats: value("formats"),
    ...(model !== undefined && { model }),
    models: value("models"),
    presets: value("presets"),
    providers: value("providers"),
    strictModel: values.get("strict_model") === true,
    allowModelOverride: values.get("allow_model_override") === true,
    allowedModels: value("allowedModels", "allowed_models"),
    maxModelPrice: pricesOf(values),
    mode: value("mode"),
    unattended: value("unattended"),
    notify: value("notify"),
    confirm: { cost: own.get("confirm_cost") as number, agents: own.get("confirm_agents") as number },
    permissions: permissionsOf(values),
    delegation: value("delegation"),
    own: {
      mode: own.get("mode") as Configuration["mode"],
      permissions: permissionsOf(own),
      models: own.get("models") as JsonMap,
      presets: own.get("presets") as JsonMap,
      mcpServers: own.get("mcpServers") as unknown as McpServers,
    },
    sandbox: value("sandbox"),
    network: value("network"),
    ...searchOf(values),
    tools: value("tools"),
    skills: value("skills"),
    limits: value("limits"),
    variables: value("variables"),
    lockedVariables: value("lockedVariables", "locked_variables"),
    hooks: value("hooks"),
    executors: values.get("executors") as unknown as Executors,
    mcpServers: values.get("mcpServers") as unknown as McpServers,
    keepFiles: values.get("keep_files") === true,
    snapshots: values.get("snapshots") === true,
    ...(value("retention") !== undefined && { retention: value("retention")! }),
    rules: value("rules"),
    packages: value("packages"),
    files,
  }
}
