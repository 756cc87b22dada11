import os from "node:os"
import path from "node:path"
import type { Executors } from "../../agent/executor.ts"
import type { McpServers } from "../../agent/mcp-server.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { combine, type LayerOf, unlocked } from "./combine.ts"
import { readEnvironment } from "./environment.ts"
import { isThere, projectFile, projectFiles, projectFolder, userConfigurationFolder } from "./folders.ts"
import { configurationKeys } from "./keys.ts"
import { misnamedBeside } from "./misnamed.ts"
import { type Layer, ownTools, readConfigurationFile } from "./read-file.ts"

/** All settings, as they hold: the environment over the project's file over the user's file over the defaults. */
export interface Configuration {
  readonly subagents: {
    readonly enabled: boolean
    /** The user enables them, in their file or by the variable: it is neither the default nor a project's word. */
    readonly said?: true
    readonly autoRoute: boolean
  }
  readonly agentsDir?: string
  /** Names of built-in agents that are left out; `*` is all of them. */
  readonly hideBuiltInAgents: readonly string[]
  readonly formats: readonly string[]
  readonly model?: string
  readonly models: JsonMap
  readonly presets: JsonMap
  readonly providers: JsonMap
  readonly strictModel: boolean
  readonly allowModelOverride: boolean
  /** The list of each file that has one: a model must be in all of them. */
  readonly allowedModels: readonly (readonly string[])[]
  /** US dollars for a million tokens. */
  readonly maxModelPrice: { readonly input?: number; readonly output?: number }
  readonly mode: "plan" | "default" | "accept-edits" | "bypass"
  readonly permissions: {
    readonly allow: readonly string[]
    readonly ask: readonly string[]
    readonly deny: readonly string[]
  }
  readonly delegation: "own" | "narrow"
  /** What the person gave of these, without what a project adds. */
  readonly own: Pick<Configuration, "mode" | "permissions"> &
    Partial<Pick<Configuration, "models" | "presets">>
  readonly sandbox: "required" | "preferred" | "off"
  readonly network: "none" | "full"
  readonly search?: {
    readonly provider: "brave" | "tavily" | "searxng"
    readonly url?: string
    /** The name of the variable that holds the key. */
    readonly key?: string
  }
  readonly tools: readonly string[]
  readonly skills: readonly string[]
  readonly limits: Limits
  readonly variables: JsonMap
  /** Names of variables that no file but the user's own decides. */
  readonly lockedVariables: readonly string[]
  /** As each file has them. */
  readonly hooks: { readonly user?: Json; readonly project?: Json }
  /** Programs that agents can be run by. */
  readonly executors: Executors
  /** Servers of tools. */
  readonly mcpServers: McpServers
  /** How long ended runs are kept, such as `30d`; left out, for ever. */
  readonly retention?: string
  readonly rules: Readonly<Record<string, "off" | "info" | "warning" | "error">>
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
  /** The top of the repository: the highest folder that is looked at. Default: only `cwd` is. */
  readonly root?: string
}

/** Reads the user's and the project's `config.yaml`. Never throws: what is wrong is left out and said. */
export function readConfiguration({
  cwd,
  home = os.homedir(),
  environment = process.env,
  root,
}: ConfigurationOptions): {
  readonly configuration: Configuration
  readonly diagnostics: readonly Diagnostic[]
} {
  const user = userConfigurationFolder(environment, home)
  const project = projectFolder({ cwd, home, root })
  const places = [
    { file: path.join(user, "config.yaml"), folder: user, of: "user" as const, boundary: undefined },
    ...(project === undefined
      ? []
      : [{ file: projectFile(project), folder: project, of: "project" as const, boundary: root ?? project }]),
  ].filter(({ file }, index, all) => isThere(file) && all.findIndex((other) => other.file === file) === index)
  const layers = [
    ...places.map(({ file, ...place }) => ({
      ...readConfigurationFile(file, { ...place, home }),
      of: place.of,
    })),
    { ...readEnvironment(environment), of: "environment" as const },
  ]
  const tools = ownTools(layers)
  return {
    configuration: assemble(
      merge(layers),
      merge(layers.filter(({ of }) => of !== "project")),
      places.map(({ file }) => file),
      layers.some(({ values, of }) => of !== "project" && values.has("subagents.enabled")),
    ),
    diagnostics: [
      ...layers.flatMap((layer) => [...layer.diagnostics, ...(layer.unknownTools?.(tools) ?? [])]),
      ...misnamedBeside([path.join(user, "config.yaml"), ...projectFiles({ cwd, home, root })]),
    ],
  }
}

/** Later layers win, as `combine` has it. */
function merge(layers: readonly (Layer & { readonly of: LayerOf })[]): ReadonlyMap<string, Json> {
  const merged = new Map<string, Json>()
  for (const known of configurationKeys) {
    let value = known.default
    for (const { values, of } of layers) {
      const said = unlocked(known, values.get(known.key), of, merged)
      if (said !== undefined) value = combine(known, value, said, of)
    }
    if (value !== undefined) merged.set(known.key, value)
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
  isEnabledSaid: boolean,
): Configuration {
  // The readers have checked the types: a value that is here fits the field it goes to.
  const value = <Key extends keyof Configuration>(key: Key, written: string = key) =>
    values.get(written) as Configuration[Key]
  const [agentsDir, model] = [value("agentsDir", "agents_dir"), value("model")]
  return {
    subagents: {
      enabled: values.get("subagents.enabled") === true,
      ...(isEnabledSaid && values.get("subagents.enabled") === true && { said: true as const }),
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
    permissions: permissionsOf(values),
    delegation: value("delegation"),
    own: {
      mode: own.get("mode") as Configuration["mode"],
      permissions: permissionsOf(own),
      models: own.get("models") as JsonMap,
      presets: own.get("presets") as JsonMap,
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
    ...(value("retention") !== undefined && { retention: value("retention")! }),
    rules: value("rules"),
    packages: value("packages"),
    files,
  }
}
