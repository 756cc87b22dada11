import path from "node:path"
import {
  type FollowedConfiguration,
  followedConfiguration,
} from "../../../definitions/authority/followed-configuration.ts"
import { type Standing, standingOf } from "../../../definitions/authority/standing.ts"
import { TrustStore } from "../../../definitions/authority/trust.ts"
import { levelsUp } from "../../../definitions/registry/root.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import type { Surroundings } from "../command.ts"
import { homeOf } from "../settings.ts"
import { runsFolder } from "../stored-runs/runs-folder.ts"

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

/** What counts of the configuration around a directory. */
export const followedAt = (
  { environment }: Around,
  workspace: Workspace,
  trusting: "all" | Standing,
): FollowedConfiguration =>
  followedConfiguration(workspace, trusting, { home: homeOf({ environment }), environment })
