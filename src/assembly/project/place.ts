import path from "node:path"
import { TrustStore } from "../../definitions/authority/trust.ts"
import { readWorkspaceTrust, type WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import { projectLevels } from "../../definitions/registry/root.ts"
import type { Workspace } from "../../definitions/registry/workspace.ts"
import { locateDefaultDirectory } from "../../world/stores/jsonl/directory.ts"

/** The folder, the user and the environment that a project is opened for, in place of those of the process. */
export interface ProjectPlace {
  /** The working directory. */
  readonly directory: string
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
}

/** The repository that a directory belongs to, or the directory itself. */
export const projectRoot = ({ directory, home }: Pick<ProjectPlace, "directory" | "home">): string =>
  projectLevels(directory, home).at(-1) ?? path.resolve(directory)

/** The folder of cadre's own state: runs, worktrees, cached results and trust. */
export const locateStateFolder = (environment: NodeJS.ProcessEnv): string =>
  path.dirname(locateDefaultDirectory(environment))

/** The folder of the accepted tools of MCP servers. */
export const pinFolder = (environment: NodeJS.ProcessEnv): string =>
  path.join(locateStateFolder(environment), "mcp")

/** The trust that the user gave to a project. */
export const readStanding = (place: ProjectPlace, workspace: Workspace): WorkspaceTrust =>
  readWorkspaceTrust(workspace, projectRoot(place), new TrustStore(locateStateFolder(place.environment)))
