import { existsSync, realpathSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { AgentSource } from "../../agent/agent.ts"
import { followedConfiguration, requireSound } from "../../definitions/authority/followed-configuration.ts"
import { countingFiles, followedHooks } from "../../definitions/authority/followed-hooks.ts"
import { followedWorkflows } from "../../definitions/authority/followed-workflows.ts"
import { lostTrust } from "../../definitions/authority/lost-trust.ts"
import {
  definitionFiles,
  type Standing,
  standingOf,
  trustedEndpoints,
} from "../../definitions/authority/standing.ts"
import { TrustStore } from "../../definitions/authority/trust.ts"
import {
  isTrusted,
  isTrustedText,
  pinned,
  type Trusting,
  trustedAgents,
} from "../../definitions/authority/trusted-agents.ts"
import { trustedReach } from "../../definitions/authority/trusted-reach.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import type { PromptSourceOptions } from "../../definitions/context/prompt-source.ts"
import { gateProblems } from "../../definitions/gates/gate-problems.ts"
import type { HookSet } from "../../definitions/lifecycle/hook-set.ts"
import { definitionFilesAround } from "../../definitions/registry/definition-files.ts"
import { levelsUp } from "../../definitions/registry/root.ts"
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import type { Skill } from "../../definitions/skills/skills.ts"
import type { NamedWorkflow } from "../../definitions/workflow/source.ts"
import { CadreError } from "../../ground/errors.ts"
import { isInside } from "../../ground/paths/inside.ts"
import type { PromptSource } from "../../run/ports/context.ts"
import type { ReachLimit } from "../../run/ports/granted.ts"
import { defaultDirectory } from "../../world/stores/jsonl/directory.ts"

interface Following {
  /** Without links in it. */
  readonly root: string
  readonly trust: "kept" | "workspace"
  readonly home: WorkspaceOptions["home"]
  readonly environment: WorkspaceOptions["environment"]
  readonly builtInAgents?: WorkspaceOptions["builtInAgents"]
  /** Names of the program's own tools, which hooks may name. */
  readonly tools?: readonly string[]
}

/** What of a folder's surroundings a run may follow. */
interface Followed {
  readonly agents: AgentSource
  readonly configuration: Configuration
  readonly skills: ReadonlyMap<string, Skill>
  /** Gathers what agents declare for their prompts, as far as it may be followed. */
  readonly prompts: PromptSource
  readonly hookSets: readonly HookSet[]
  readonly workflows: readonly NamedWorkflow[]
  /** Whom a project's agents may have work. */
  readonly reach: ReachLimit
  readonly endpoints: readonly string[]
  readonly packagesFrom: string
  /** Cadre's own folders, which no tool writes and no command sees. */
  readonly places: { readonly protect: readonly string[]; readonly hidden: readonly string[] }
  /** The definitions that are read from a working directory. */
  readonly definitions: (cwd: string) => readonly string[]
}

/**
 * Reads what is around a folder, and leaves out what nobody trusts. Throws where a configuration or a file of hooks that
 * counts is wrong, or is not what was trusted.
 */
export function followWorkspace(following: Following): Followed {
  const { root, trust, home = os.homedir(), environment = process.env, builtInAgents, tools = [] } = following
  const workspace = openWorkspace({ cwd: root, home, environment, ...(builtInAgents && { builtInAgents }) })
  const state = path.dirname(defaultDirectory(environment))
  const standing = standingOf(workspace, levelsUp(root, home).at(-1) ?? root, new TrustStore(state))
  const trusting = trust === "workspace" ? "all" : standing
  const userFolder = userConfigurationFolder(environment, home)
  const followed = followedConfiguration(workspace, trusting, { home, environment })
  const { configuration } = followed
  const gates = gateProblems(workspace, { configuration, files: countingFiles(workspace, trusting), tools })
  requireSound({ diagnostics: [...followed.diagnostics, ...gates] }, root)
  requireUnchanged(workspace, standing, trusting === "all" ? "all" : "kept")
  const skills = followedSkills(workspace, standing, trusting)
  return {
    agents: trustedAgents(workspace.registry, trusting),
    configuration: followed.configuration,
    skills,
    prompts: promptsOf({
      skills,
      home,
      isFollowed: (file, hash) => isTrusted(trusting, file, hash),
      isSent: (file, hash) => isTrustedText(trusting, file, hash),
    }),
    hookSets: followedHooks(workspace, trusting),
    reach: trustedReach(workspace, standing, trusting),
    workflows: followedWorkflows(workspace, trusting),
    // Only what a person was shown: a program that vouches for a folder shows nothing.
    endpoints: trustedEndpoints(standing),
    packagesFrom: trusting === "all" ? root : userFolder,
    definitions: (cwd) =>
      definitionFilesAround({
        cwd,
        home,
        userFolder,
        agentsDir: configuration.agentsDir,
        packages: configuration.packages,
      }),
    places: placesOf([userFolder, state], root, definitionFiles(standing)),
  }
}

/** Without settings or hooks that a person trusted more would be allowed than before. */
function requireUnchanged(workspace: Workspace, standing: Standing, following: "all" | "kept"): void {
  const lost = lostTrust(workspace, standing, {
    following,
    option: '`trust: "workspace"`',
    shown: (file) => path.relative(standing.root, file),
  })
  if (lost !== undefined) throw new CadreError("TRUST_CHANGED", `${standing.root}: ${lost}`)
}

/** Loaded when an agent declares something. */
const promptsOf = (options: PromptSourceOptions): PromptSource => ({
  async contextOf(agent, place) {
    const { promptSource } = await import("../../definitions/context/prompt-source.ts")
    return promptSource(options).contextOf(agent, place)
  },
})

function followedSkills(
  { skills }: Workspace,
  { claims }: Standing,
  trusting: Trusting,
): ReadonlyMap<string, Skill> {
  const hashes = new Map(claims.map(({ file, hash }) => [file, hash]))
  const followed = [...skills].filter(
    ([, { scope, file }]) => scope === "user" || isTrusted(trusting, file, hashes.get(file)),
  )
  return new Map(followed.map(([name, skill]) => [name, pinned(trusting, skill, hashes)]))
}

function placesOf(
  folders: readonly string[],
  root: string,
  definitions: readonly string[],
): Followed["places"] {
  const real = folders.map((folder) => (existsSync(folder) ? realpathSync(folder) : folder))
  return {
    protect: [...real, ...definitions].filter((place) => isInside(root, place)),
    hidden: real.filter((folder) => !isInside(root, folder)),
  }
}
