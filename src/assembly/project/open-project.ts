import type { AgentSource } from "../../agent/agent.ts"
import { followedConfiguration } from "../../definitions/authority/followed-configuration.ts"
import { countingFiles, followedHooks } from "../../definitions/authority/followed-hooks.ts"
import { followedWorkflows } from "../../definitions/authority/followed-workflows.ts"
import type { Mode } from "../../definitions/authority/mode.ts"
import { type Standing, trustedEndpoints } from "../../definitions/authority/standing.ts"
import { isTrusted, isTrustedText, trustedAgents } from "../../definitions/authority/trusted-agents.ts"
import { trustedReach } from "../../definitions/authority/trusted-reach.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import { settingPlace } from "../../definitions/configuration/setting-place.ts"
import type { PromptSourceOptions } from "../../definitions/context/prompt-source.ts"
import { gateProblems } from "../../definitions/gates/gate-problems.ts"
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { PromptSource } from "../../run/ports/context.ts"
import type { RuntimeOptions } from "../create-runtime.ts"
import { type ProjectPlace, standingIn } from "./place.ts"
import { projectSkills } from "./skills.ts"
import { projectTools } from "./tools.ts"

/** How a project is opened: where the command line and `codingAgent` differ, one of these says so. */
export interface ProjectOptions extends ProjectPlace {
  /** `all`: what the project brings is followed for this once, whoever has seen it. `kept`: what the person trusted. */
  readonly trust: "kept" | "all"
  /** Left out: as the configuration says. */
  readonly mode?: Mode | undefined
  /** `resumed`: a run keeps the mode it was started in, unless it is told a stricter one. */
  readonly runs: "new" | "resumed"
  /** The folder that tools may write to. Default: all of the project. */
  readonly root?: string
  readonly sandbox?: Configuration["sandbox"] | undefined
  readonly network?: Configuration["network"] | undefined
  /** A workspace that has been read already. */
  readonly workspace?: Workspace
  readonly builtInAgents?: WorkspaceOptions["builtInAgents"]
  /** Throws, before anything is put together, where nothing may be started. Left out: whoever starts something asks. */
  readonly refuse?: (project: ReadProject) => void
  /** What a program adds of its own, or has in place of what is found. */
  readonly given?: GivenParts
  /** How a program gives tools of its own, where one can. */
  readonly toolsOption?: string
}

type GivenParts = Omit<
  RuntimeOptions,
  "configuration" | "mode" | "around" | "ownRules" | "reach" | "settingPlace"
>

/** What there is, and what of it may be followed. */
interface ReadProject {
  readonly workspace: Workspace
  readonly standing: Standing
  /** What of it counts. */
  readonly configuration: Configuration
  /** What is wrong with that configuration, and with files that gate. Nothing starts before `requireSound` has looked at it. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface Project extends ReadProject {
  /** Those that may be run. */
  readonly agents: AgentSource
  /** What a runtime for it is made of. */
  readonly parts: ProjectParts
}

/** For `createRuntime`, with all that a project can offer filled in. */
type ProjectParts = RuntimeOptions & Required<Pick<RuntimeOptions, "tools" | "absentTools">>

/**
 * Opens a project: its configuration, who trusts it, its definitions, tools, skills, hooks and workflows, whoever
 * searches, and where models, keys and runs are looked for. This is the one assembly: the command line and `codingAgent`
 * are doors to it, so that what works in one works in the other. Of it `codingAgent`, `openWorkspace` and `createRuntime`
 * are public; this function and its options are not, and change with cadre.
 */
export function openProject(options: ProjectOptions): Project {
  const { directory, home, environment, trust, given = {} } = options
  const place: ProjectPlace = { directory, home, environment }
  const workspace = options.workspace ?? readWorkspace(options)
  const standing = standingIn(place, workspace)
  const trusting = trust === "all" ? "all" : standing
  const { configuration, diagnostics } = followedConfiguration(workspace, trusting, place)
  const read: ReadProject = {
    workspace,
    standing,
    configuration,
    diagnostics: [
      ...diagnostics,
      ...gateProblems(workspace, {
        configuration,
        files: countingFiles(workspace, trusting),
        tools: (given.tools ?? []).map(({ name }) => name),
      }),
    ],
  }
  options.refuse?.(read)
  const { root = standing.root, sandbox = configuration.sandbox, network = configuration.network } = options
  const found = projectSkills(place, workspace, standing, trusting)
  const skills = new Map([...found.skills, ...(given.skills ?? [])])
  const withheld = without(found.withheld, given.skills?.keys() ?? [])
  const { tools, absent, secrets } = projectTools({
    place,
    standing,
    configuration,
    skills,
    root,
    sandbox,
    network,
    executors: { ...configuration.executors, ...given.executors },
    toolsOption: options.toolsOption,
  })
  const agents = trustedAgents(workspace.registry, trusting)
  const mode = modeOf(options, configuration)
  return {
    ...read,
    agents,
    parts: {
      // What lies in a project is its code: nobody said that it may run.
      packagesFrom: trust === "all" ? directory : userConfigurationFolder(environment, home),
      prompts: promptsOf({
        skills,
        withheld,
        home,
        isFollowed: (file, hash) => isTrusted(trusting, file, hash),
        isSent: (file, hash) => isTrustedText(trusting, file, hash),
      }),
      ...given,
      agents: given.agents ?? agents,
      configuration: isSound(diagnostics) ? configuration : { ...configuration, permissions: noPermissions },
      ...(mode && { mode: { type: mode, root } }),
      around: { home, environment, workspace: standing.root },
      reach: trustedReach(workspace, standing, trusting),
      settingPlace: ({ setting }) =>
        setting === undefined ? undefined : settingPlace(configuration, setting),
      skills,
      tools: [...tools, ...(given.tools ?? [])],
      absentTools: without(
        { ...absent, ...given.absentTools },
        (given.tools ?? []).map(({ name }) => name),
      ),
      secrets: [...secrets, ...(given.secrets ?? [])],
      // Only what a person was shown: whoever follows all for this once is shown nothing.
      endpoints: [...trustedEndpoints(standing), ...(given.endpoints ?? [])],
      hookSets: [...followedHooks(workspace, trusting), ...(given.hookSets ?? [])],
      workflows: [...followedWorkflows(workspace, trusting), ...(given.workflows ?? [])],
    },
  }
}

const readWorkspace = ({ directory, home, environment, builtInAgents }: ProjectOptions): Workspace =>
  openWorkspace({ cwd: directory, home, environment, ...(builtInAgents && { builtInAgents }) })

/** Loaded when an agent declares something for its prompt. */
const promptsOf = (options: PromptSourceOptions): PromptSource => ({
  async contextOf(agent, place) {
    const { promptSource } = await import("../../definitions/context/prompt-source.ts")
    return promptSource(options).contextOf(agent, place)
  },
})

function modeOf({ mode, runs }: ProjectOptions, configuration: Configuration): Mode | undefined {
  if (mode !== undefined || runs === "new") return mode ?? configuration.mode
  return configuration.mode === "plan" ? "plan" : undefined
}

const isSound = (diagnostics: readonly Diagnostic[]): boolean =>
  !diagnostics.some(({ severity }) => severity === "error")

/** A runtime takes no rule about a tool that nobody knows. Nothing starts then, and a dry run tells the rest. */
const noPermissions: Configuration["permissions"] = { allow: [], ask: [], deny: [] }

function without(
  entries: Readonly<Record<string, string>>,
  names: Iterable<string>,
): Readonly<Record<string, string>> {
  const gone = new Set(names)
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !gone.has(name)))
}
