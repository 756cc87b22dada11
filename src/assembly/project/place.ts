import path from "node:path"
import { type Standing, standingOf } from "../../definitions/authority/standing.ts"
import { TrustStore } from "../../definitions/authority/trust.ts"
import { levelsUp } from "../../definitions/registry/root.ts"
import type { Workspace } from "../../definitions/registry/workspace.ts"
import { defaultDirectory } from "../../world/stores/jsonl/directory.ts"

/** From where a project is opened, and for whom: nothing of this is taken from the process. */
export interface ProjectPlace {
  /** The working directory. */
  readonly directory: string
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
}

/** The repository that a directory belongs to, or the directory itself. */
export const projectRoot = ({ directory, home }: Pick<ProjectPlace, "directory" | "home">): string =>
  levelsUp(directory, home).at(-1) ?? path.resolve(directory)

/** Where cadre keeps its own state: runs, worktrees, recorded results, and who is trusted. */
export const stateFolder = (environment: NodeJS.ProcessEnv): string =>
  path.dirname(defaultDirectory(environment))

/** How a project stands with the person. */
export const standingIn = (place: ProjectPlace, workspace: Workspace): Standing =>
  standingOf(workspace, projectRoot(place), new TrustStore(stateFolder(place.environment)))
