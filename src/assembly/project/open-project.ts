import type { AgentSource } from "../../agent/agent.ts"
import { readEffectiveConfiguration } from "../../definitions/authority/effective-configuration.ts"
import type { PermissionMode } from "../../definitions/authority/mode.ts"
import { createTrustedSource, isTrusted, isTrustedText } from "../../definitions/authority/trusted-agents.ts"
import { listGateFiles, readTrustedHooks } from "../../definitions/authority/trusted-hooks.ts"
import { createReachLimit } from "../../definitions/authority/trusted-reach.ts"
import { readTrustedWorkflows } from "../../definitions/authority/trusted-workflows.ts"
import { collectTrustedEndpoints, type WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { locateUserConfiguration } from "../../definitions/configuration/folders.ts"
import { findEffectiveSetting } from "../../definitions/configuration/setting-place.ts"
import type { PromptSourceOptions } from "../../definitions/context/prompt-source.ts"
import { findGateProblems } from "../../definitions/gates/gate-problems.ts"
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { PromptSource } from "../../run/ports/context.ts"
import { createScriptTools } from "../../world/scripts/script-tools.ts"
import type { RuntimeOptions } from "../create-runtime.ts"
import { type ProjectPlace, pinFolder, readStanding } from "./place.ts"
import { makeProjectServers } from "./servers.ts"
import { findProjectSkills } from "./skills.ts"
import { makeProjectTools } from "./tools.ts"

/** The options for opening a project. All differences between the command line and `codingAgent` are here. */
export interface ProjectOptions extends ProjectPlace {
  /** `all`: everything in the project takes effect this once. `kept`: only what the user trusted. */
  readonly trust: "kept" | "all"
  /** Default: the mode of the configuration. */
  readonly mode?: PermissionMode | undefined
  /** `resumed`: a run keeps the mode it was started in, unless it gets a stricter one. */
  readonly runs: "new" | "resumed"
  /** The folder that tools may write to. Default: the whole project. */
  readonly root?: string
  readonly sandbox?: Configuration["sandbox"] | undefined
  readonly network?: Configuration["network"] | undefined
  /** A workspace that was already read. */
  readonly workspace?: Workspace
  readonly builtInAgents?: WorkspaceOptions["builtInAgents"]
  /** Throws if no run may be started, before anything is put together. Without it, the caller checks before a start. */
  readonly refuse?: (project: ReadProject) => void
  /** The parts that a program adds, or uses in place of those of the project. */
  readonly programParts?: GivenParts
  /** The option through which a program gives its own tools, for messages. */
  readonly toolsOption?: string
}

type GivenParts = Omit<
  RuntimeOptions,
  "configuration" | "mode" | "around" | "ownRules" | "reach" | "settingPlace" | "projectServers"
>

/** A project as it was read, and the part of its configuration that takes effect. */
interface ReadProject {
  readonly workspace: Workspace
  readonly standing: WorkspaceTrust
  /** The effective configuration. */
  readonly configuration: Configuration
  /** Findings about that configuration and about files that gate. `requireSound` checks them before a run starts. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface Project extends ReadProject {
  /** The agents that may be run. */
  readonly agents: AgentSource
  /** The parts of a runtime for this project. */
  readonly parts: ProjectParts
}

/** Options for `createRuntime`, with everything that a project offers. */
type ProjectParts = RuntimeOptions & Required<Pick<RuntimeOptions, "tools" | "absentTools">>

/**
 * Opens a project: its configuration, its trust, its definitions, tools, skills, hooks, workflows and web search. It also
 * settles where models, keys and runs are looked for. The command line and `codingAgent` both use this function, so that
 * everything that works in one works in the other. It is not public and changes with cadre. Programs use `codingAgent`,
 * `openWorkspace` and `createRuntime`.
 */
export function openProject(options: ProjectOptions): Project {
  const { directory, home, environment, trust, programParts = {} } = options
  const place: ProjectPlace = { directory, home, environment }
  const workspace = options.workspace ?? readWorkspace(options)
  const standing = readStanding(place, workspace)
  const trusting = trust === "all" ? "all" : standing
  const { configuration, diagnostics } = readEffectiveConfiguration(workspace, trusting, place)
  const readProject: ReadProject = {
    workspace,
    standing,
    configuration,
    diagnostics: [
      ...diagnostics,
      ...findGateProblems(workspace, {
        configuration,
        files: listGateFiles(workspace, trusting),
        tools: (programParts.tools ?? []).map(({ name }) => name),
      }),
    ],
  }
  options.refuse?.(readProject)
  const { root = standing.root, sandbox = configuration.sandbox, network = configuration.network } = options
  const skillSet = findProjectSkills(place, workspace, standing, trusting)
  const skills = new Map([...skillSet.skills, ...(programParts.skills ?? [])])
  const withheld = without(skillSet.withheld, programParts.skills?.keys() ?? [])
  const { tools, absent, secrets, bounds } = makeProjectTools({
    place,
    standing,
    configuration,
    skills,
    root,
    sandbox,
    network,
    executors: { ...configuration.executors, ...programParts.executors },
    toolsOption: options.toolsOption,
  })
  const agents = createTrustedSource(workspace.registry, trusting)
  const mode = modeOf(options, configuration)
  return {
    ...readProject,
    agents,
    parts: {
      // Packages in an untrusted project are code that the user did not allow to run.
      packagesFrom: trust === "all" ? directory : locateUserConfiguration(environment, home),
      prompts: promptsOf({
        skills,
        withheld,
        home,
        isFollowed: (file, hash) => isTrusted(trusting, file, hash),
        isSent: (file, hash) => isTrustedText(trusting, file, hash),
      }),
      scripts: createScriptTools({
        ...bounds,
        isTrusted: (file, hash) => isTrusted(trusting, file, hash),
      }),
      mcpPins: { folder: pinFolder(environment) },
      ...programParts,
      agents: programParts.agents ?? agents,
      configuration: isSound(diagnostics) ? configuration : { ...configuration, permissions: noPermissions },
      ...(mode && { mode: { type: mode, root } }),
      around: { home, environment, workspace: standing.root },
      reach: createReachLimit(workspace, standing, trusting),
      settingPlace: ({ setting }) =>
        setting === undefined ? undefined : findEffectiveSetting(configuration, setting),
      skills,
      tools: [...tools, ...(programParts.tools ?? [])],
      projectServers: makeProjectServers({
        place,
        workspace,
        standing,
        configuration,
        trusting,
        root,
        sandbox,
      }),
      absentTools: without(
        { ...absent, ...programParts.absentTools },
        (programParts.tools ?? []).map(({ name }) => name),
      ),
      secrets: [...secrets, ...(programParts.secrets ?? [])],
      // Only addresses that the user was shown count. `trust: "all"` shows none.
      endpoints: [...collectTrustedEndpoints(standing), ...(programParts.endpoints ?? [])],
      hookSets: [...readTrustedHooks(workspace, trusting), ...(programParts.hookSets ?? [])],
      workflows: [...readTrustedWorkflows(workspace, trusting), ...(programParts.workflows ?? [])],
    },
  }
}

const readWorkspace = ({ directory, home, environment, builtInAgents }: ProjectOptions): Workspace =>
  openWorkspace({ cwd: directory, home, environment, ...(builtInAgents && { builtInAgents }) })

/** Loaded when an agent declares something for its prompt. */
const promptsOf = (options: PromptSourceOptions): PromptSource => ({
  async contextOf(agent, place) {
    const { createPromptSource } = await import("../../definitions/context/prompt-source.ts")
    return createPromptSource(options).contextOf(agent, place)
  },
})

function modeOf({ mode, runs }: ProjectOptions, configuration: Configuration): PermissionMode | undefined {
  if (mode !== undefined || runs === "new") return mode ?? configuration.mode
  return configuration.mode === "plan" ? "plan" : undefined
}

const isSound = (diagnostics: readonly Diagnostic[]): boolean =>
  !diagnostics.some(({ severity }) => severity === "error")

/** A runtime refuses rules about unknown tools. Without rules it opens, so that a dry run can report the other problems. */
const noPermissions: Configuration["permissions"] = { allow: [], ask: [], deny: [] }

function without(
  entries: Readonly<Record<string, string>>,
  names: Iterable<string>,
): Readonly<Record<string, string>> {
  const gone = new Set(names)
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !gone.has(name)))
}
