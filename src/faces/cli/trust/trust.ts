import { type ProjectPlace, projectRoot, standingIn, stateFolder } from "../../../assembly/project/place.ts"
import {
  type FollowedConfiguration,
  followedConfiguration,
} from "../../../definitions/authority/followed-configuration.ts"
import type { Standing } from "../../../definitions/authority/standing.ts"
import { TrustStore } from "../../../definitions/authority/trust.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import type { Surroundings } from "../command.ts"
import { homeOf } from "../settings.ts"

type Around = Pick<Surroundings, "directory" | "environment">

/** From where a command opens a project. */
export const placeIn = ({ directory, environment }: Around): ProjectPlace => ({
  directory,
  environment,
  home: homeOf({ environment }),
})

export const trustStore = ({ environment }: Pick<Surroundings, "environment">): TrustStore =>
  new TrustStore(stateFolder(environment))

/** The repository that a directory belongs to, or the directory itself. */
export const rootOf = (surroundings: Around): string => projectRoot(placeIn(surroundings))

export const standingAt = (surroundings: Around, workspace: Workspace): Standing =>
  standingIn(placeIn(surroundings), workspace)

/** What counts of the configuration around a directory. */
export const followedAt = (
  surroundings: Around,
  workspace: Workspace,
  trusting: "all" | Standing,
): FollowedConfiguration => followedConfiguration(workspace, trusting, placeIn(surroundings))
