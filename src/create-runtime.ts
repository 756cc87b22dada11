import os from "node:os"
import path from "node:path"
import type { Rule } from "./agent.ts"
import { type Mode, rulesOfMode } from "./authority/mode.ts"
import type { Configuration } from "./configuration/configuration.ts"
import { userConfigurationFolder } from "./configuration/folders.ts"
import type { Model, ModelSettings } from "./model.ts"
import { modelSource } from "./models/source.ts"
import { anchorPattern } from "./run/pattern.ts"
import { openRuntime, type Runtime, type RuntimeParts } from "./run/runtime.ts"
import type { Store } from "./run/store.ts"
import { defaultDirectory } from "./stores/jsonl/directory.ts"
import { jsonlStore } from "./stores/jsonl.ts"
import { agentTool } from "./tools/agent.ts"
import { worktreeIsolation } from "./worktree/isolation.ts"

export interface RuntimeOptions extends Omit<RuntimeParts, "store" | "models"> {
  /** Default: JSONL files in the platform's state directory. */
  readonly store?: Store
  /** The model of an agent that names none and has no parent. Default: the configuration's, else the first of `models`. */
  readonly model?: string
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
  /** Where agents with `isolation: worktree` have theirs. Default: the platform's state directory. */
  readonly worktrees?: string
  /** What `openWorkspace` read. Options beat it. */
  readonly configuration?: RuntimeConfiguration
}

/** What of a configuration a runtime reads. */
export type RuntimeConfiguration = Pick<Configuration, "subagents" | "limits"> &
  Partial<
    Pick<
      Configuration,
      "model" | "models" | "presets" | "providers" | "strictModel" | "allowModelOverride" | "permissions"
    >
  >

/** A runtime with the parts most programs want: durable logs, and an `Agent` tool where there are agents to hand work to. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const {
    store = jsonlStore(),
    models = {},
    tools = [],
    agents = [],
    configuration,
    limits,
    mode,
    packagesFrom = process.cwd(),
    endpoints = [],
    worktrees = path.join(path.dirname(defaultDirectory()), "worktrees"),
    model = configuration?.model ?? Object.keys(models)[0],
    ...rest
  } = options
  const listed = "names" in agents ? agents.all() : agents
  const named = tools.some((tool) => tool.name === "Agent")
  const asked = mode && rulesOfMode(mode.type, mode.root)
  return openRuntime({
    ...(configuration && settingsOf(configuration)),
    ...(asked && { otherwise: asked.otherwise }),
    isolation: worktreeIsolation(worktrees),
    ...rest,
    rules: [...(rest.rules ?? []), ...permissionsOf(configuration, mode?.root), ...(asked?.rules ?? [])],
    limits: { ...configuration?.limits, ...limits },
    agents,
    store,
    tools: named || (Array.isArray(agents) && agents.length === 0) ? tools : [...tools, agentTool(listed)],
    models: modelSource({
      models,
      presets: { ...configuration?.models, ...configuration?.presets },
      ...(configuration?.providers && { providers: configuration.providers }),
      ...(model !== undefined && { defaultModel: model }),
      workspace: process.cwd(),
      packagesFrom,
      endpoints,
      userFolder: userConfigurationFolder(process.env, os.homedir()),
    }),
  })
}

const settingsOf = ({ subagents, strictModel, allowModelOverride }: RuntimeConfiguration) => ({
  enabled: subagents.enabled,
  autoRoute: subagents.autoRoute,
  ...(strictModel !== undefined && { strictModel }),
  ...(allowModelOverride !== undefined && { allowModelOverride }),
})

/** What forbids or asks holds from the top of a workspace, too, whichever folder of it is worked in. */
const permissionsOf = (
  configuration: RuntimeConfiguration | undefined,
  root: string | undefined,
): readonly Rule[] =>
  (["allow", "ask", "deny"] as const).flatMap((decision) =>
    (configuration?.permissions?.[decision] ?? [])
      .flatMap((tool) =>
        root === undefined || decision === "allow"
          ? [tool]
          : [...new Set([tool, anchorPattern(tool, { cwd: root, home: os.homedir() })])],
      )
      .map((tool) => ({ tool, decision })),
  )
