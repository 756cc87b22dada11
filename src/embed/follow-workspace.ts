import { existsSync, realpathSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { AgentSource } from "../agent.ts"
import { followedHooks } from "../authority/followed-hooks.ts"
import { isConfigurationTrusted, type Standing, standingOf, trustedEndpoints } from "../authority/standing.ts"
import { TrustStore } from "../authority/trust.ts"
import { isTrusted, type Trusting, trustedAgents } from "../authority/trusted-agents.ts"
import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import { userConfigurationFolder } from "../configuration/folders.ts"
import type { HookSet } from "../lifecycle/source.ts"
import { isInside } from "../paths/contain.ts"
import { levelsUp } from "../registry/root.ts"
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../registry/workspace.ts"
import type { Skill } from "../skills/skills.ts"
import { defaultDirectory } from "../stores/jsonl/directory.ts"

interface Following {
  /** Without links in it. */
  readonly root: string
  readonly trust: "kept" | "workspace"
  readonly home: WorkspaceOptions["home"]
  readonly environment: WorkspaceOptions["environment"]
}

/** What of a folder's surroundings a run may follow. */
interface Followed {
  readonly agents: AgentSource
  readonly configuration: Configuration
  readonly skills: ReadonlyMap<string, Skill>
  readonly hookSets: readonly HookSet[]
  readonly endpoints: readonly string[]
  readonly packagesFrom: string
  /** Cadre's own folders, which no tool writes and no command sees. */
  readonly places: { readonly protect: readonly string[]; readonly hidden: readonly string[] }
}

/** Reads what is around a folder, and leaves out what nobody trusts. */
export function followWorkspace(following: Following): Followed {
  const { root, trust, home = os.homedir(), environment = process.env } = following
  const workspace = openWorkspace({ cwd: root, home, environment })
  const state = path.dirname(defaultDirectory(environment))
  const standing = standingOf(workspace, levelsUp(root, home).at(-1) ?? root, new TrustStore(state))
  const trusting: Trusting = trust === "workspace" ? "all" : standing
  const userFolder = userConfigurationFolder(environment, home)
  const isFollowed = trusting === "all" || isConfigurationTrusted(workspace, standing)
  return {
    agents: trustedAgents(workspace.registry, trusting),
    // The home folder is never a project: what is read there is the person's own.
    configuration: isFollowed
      ? workspace.configuration
      : readConfiguration({ cwd: home, home, environment }).configuration,
    skills: followedSkills(workspace, standing, trusting),
    hookSets: followedHooks(workspace, trusting),
    // Only what a person was shown: a program that vouches for a folder shows nothing.
    endpoints: trustedEndpoints(standing),
    packagesFrom: trusting === "all" ? root : userFolder,
    places: placesOf([userFolder, state], root),
  }
}

function followedSkills(
  { skills }: Workspace,
  { claims }: Standing,
  trusting: Trusting,
): ReadonlyMap<string, Skill> {
  const hashes = new Map(claims.map(({ file, hash }) => [file, hash]))
  return new Map(
    [...skills].filter(
      ([, { scope, file }]) => scope === "user" || isTrusted(trusting, file, hashes.get(file)),
    ),
  )
}

function placesOf(folders: readonly string[], root: string): Followed["places"] {
  const real = folders.map((folder) => (existsSync(folder) ? realpathSync(folder) : folder))
  return {
    protect: real.filter((folder) => isInside(root, folder)),
    hidden: real.filter((folder) => !isInside(root, folder)),
  }
}
