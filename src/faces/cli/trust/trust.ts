import {
  locateStateFolder,
  type ProjectPlace,
  projectRoot,
  readStanding,
} from "../../../assembly/project/place.ts"
import {
  type EffectiveConfiguration,
  readEffectiveConfiguration,
} from "../../../definitions/authority/effective-configuration.ts"
import { TrustStore } from "../../../definitions/authority/trust.ts"
import type { WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import type { ProcessContext } from "../command.ts"
import { getHomeFolder } from "../settings.ts"

type Around = Pick<ProcessContext, "directory" | "environment">

/** The folder, environment and home folder with which a command opens a project. */
export const placeIn = ({ directory, environment }: Around): ProjectPlace => ({
  directory,
  environment,
  home: getHomeFolder({ environment }),
})

export const openTrustStore = ({ environment }: Pick<ProcessContext, "environment">): TrustStore =>
  new TrustStore(locateStateFolder(environment))

/** The repository of a directory, or the directory itself. */
export const projectRootOf = (surroundings: Around): string => projectRoot(placeIn(surroundings))

export const readStandingAt = (surroundings: Around, workspace: Workspace): WorkspaceTrust =>
  readStanding(placeIn(surroundings), workspace)

/** The effective configuration of a directory, without the parts that are not trusted. */
export const readFollowedConfiguration = (
  surroundings: Around,
  workspace: Workspace,
  trusting: "all" | WorkspaceTrust,
): EffectiveConfiguration => readEffectiveConfiguration(workspace, trusting, placeIn(surroundings))
