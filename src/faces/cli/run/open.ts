import type { AgentSource } from "../../../agent/agent.ts"
import { createRuntime } from "../../../assembly/create-runtime.ts"
import { countingFiles, followedHooks } from "../../../definitions/authority/followed-hooks.ts"
import { followedWorkflows } from "../../../definitions/authority/followed-workflows.ts"
import { type Standing, trustedEndpoints } from "../../../definitions/authority/standing.ts"
import { isTrusted, isTrustedText, trustedAgents } from "../../../definitions/authority/trusted-agents.ts"
import { trustedReach } from "../../../definitions/authority/trusted-reach.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../../definitions/configuration/folders.ts"
import { settingPlace } from "../../../definitions/configuration/setting-place.ts"
import { promptSource } from "../../../definitions/context/prompt-source.ts"
import { gateProblems } from "../../../definitions/gates/gate-problems.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import type { Skill } from "../../../definitions/skills/skills.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { Store } from "../../../run/log/store.ts"
import { fileCache } from "../../../world/cache/file-cache.ts"
import type { Surroundings } from "../command.ts"
import { homeOf } from "../settings.ts"
import { cacheFolder, worktreesFolder } from "../stored-runs/runs-folder.ts"
import { followedAt, standingAt } from "../trust/trust.ts"
import { workspaceOf } from "../workspace.ts"
import type { Driving } from "./options.ts"
import { workspaceTools } from "./tools.ts"

/** A workspace with what of its configuration may be followed, and a runtime that runs no more than may be run. */
export interface Opened {
  readonly workspace: Workspace
  readonly standing: Standing
  readonly configuration: Configuration
  /** What is wrong with that configuration, and with files that gate. Nothing starts before `requireSound` has looked at it. */
  readonly diagnostics: readonly Diagnostic[]
  /** Those that may be run. */
  readonly agents: AgentSource
  readonly runtime: Runtime
  readonly store: Store
}

interface Opening extends Pick<Driving, "trust" | "mode" | "sandbox"> {
  readonly model: "strict" | "lenient"
  /** `resumed`: a run keeps the mode it was started in, unless it is told a stricter one. */
  readonly runs: "new" | "resumed"
}

export const openRuns = (surroundings: Surroundings, store: Store, opening: Opening): Opened =>
  openRunsIn(surroundings, workspaceOf(surroundings), store, opening)

/** The same for a workspace that has been read already. */
export function openRunsIn(
  surroundings: Around,
  workspace: Workspace,
  store: Store,
  opening: Opening,
): Opened {
  const { trust, model, sandbox } = opening
  const standing = standingAt(surroundings, workspace)
  const trusting = trust === "all" ? "all" : standing
  const { configuration, diagnostics } = followedAt(surroundings, workspace, trusting)
  const { tools, absent, skills, secrets } = workspaceTools(surroundings, workspace, {
    standing,
    trusting,
    configuration,
    sandbox,
  })
  const mode = modeOf(opening, configuration)
  const agents = trustedAgents(workspace.registry, trusting)
  const runtime = createRuntime({
    strays: "contain",
    store,
    agents,
    tools,
    absentTools: absent,
    secrets,
    prompts: promptSource({
      skills,
      withheld: withheldSkills(workspace, skills, surroundings.directory),
      home: homeOf(surroundings),
      isFollowed: (file, hash) => isTrusted(trusting, file, hash),
      isSent: (file, hash) => isTrustedText(trusting, file, hash),
    }),
    configuration: isSound(diagnostics) ? configuration : { ...configuration, permissions: noPermissions },
    settingPlace: ({ setting }) => (setting === undefined ? undefined : settingPlace(configuration, setting)),
    reach: trustedReach(workspace, standing, trusting),
    hookSets: followedHooks(workspace, trusting),
    workflows: followedWorkflows(workspace, trusting),
    worktrees: worktreesFolder(surroundings),
    cache: fileCache(cacheFolder(surroundings)),
    ...(mode && { mode: { type: mode, root: standing.root } }),
    // What lies in a project is its code: nobody said that it may run.
    packagesFrom: trust === "all" ? surroundings.directory : userFolder(surroundings),
    // Only what a person was shown: --trust shows nothing.
    endpoints: trustedEndpoints(standing),
    ...(model === "strict" && { strictModel: true }),
  })
  return {
    workspace,
    standing,
    configuration,
    diagnostics: [
      ...diagnostics,
      ...gateProblems(workspace, { configuration, files: countingFiles(workspace, trusting) }),
    ],
    agents,
    runtime,
    store,
  }
}

type Around = Pick<Surroundings, "directory" | "environment">

const isSound = (diagnostics: readonly Diagnostic[]): boolean =>
  !diagnostics.some(({ severity }) => severity === "error")

/** A runtime takes no rule about a tool that nobody knows. Nothing starts then, and a dry run tells the rest. */
const noPermissions: Configuration["permissions"] = { allow: [], ask: [], deny: [] }

function modeOf({ mode, runs }: Opening, configuration: Configuration): Configuration["mode"] | undefined {
  if (mode !== undefined || runs === "new") return mode ?? configuration.mode
  return configuration.mode === "plan" ? "plan" : undefined
}

/** The project's skills that nobody trusts as they are, each with the reason. */
const withheldSkills = (
  { skills }: Workspace,
  followed: ReadonlyMap<string, Skill>,
  directory: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...skills.values()]
      .filter(({ name, file }) => followed.get(name)?.file !== file)
      .map(({ name, file }) => [
        name,
        `The skill "${name}" of this project, ${shownPath(file, directory)}, is not trusted as it is: \`cadre trust\` shows it.`,
      ]),
  )

const userFolder = ({ environment }: Around): string =>
  userConfigurationFolder(environment, homeOf({ environment }))
