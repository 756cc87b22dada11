import path from "node:path"
import { isConfigurationTrusted, type Standing, standingOf } from "../authority/standing.ts"
import { TrustStore } from "../authority/trust.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { levelsUp } from "../registry/root.ts"
import type { Workspace } from "../registry/workspace.ts"
import type { Surroundings } from "./command.ts"
import { runsFolder } from "./runs-folder.ts"
import { homeOf, ownConfiguration } from "./settings.ts"

type Around = Pick<Surroundings, "directory" | "environment">

/** Where cadre keeps its own state: runs, and who is trusted. */
export const stateFolder = (surroundings: Pick<Surroundings, "environment">): string =>
  path.dirname(runsFolder(surroundings))

export const trustStore = (surroundings: Pick<Surroundings, "environment">): TrustStore =>
  new TrustStore(stateFolder(surroundings))

/** The repository that a directory belongs to, or the directory itself. */
export const rootOf = (surroundings: Around): string =>
  levelsUp(surroundings.directory, homeOf(surroundings)).at(-1) ?? path.resolve(surroundings.directory)

export const standingAt = (surroundings: Around, workspace: Workspace): Standing =>
  standingOf(workspace, rootOf(surroundings), trustStore(surroundings))

/** The project's configuration counts where it is trusted as it is; otherwise the user's own does, alone. */
export function followedConfiguration(
  surroundings: Around,
  workspace: Workspace,
  standing: Standing,
  trust: "all" | "kept",
): Configuration {
  const isFollowed = trust === "all" || isConfigurationTrusted(workspace, standing)
  return isFollowed ? workspace.configuration : ownConfiguration(surroundings)
}
