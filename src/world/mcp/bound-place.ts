import os from "node:os"
import path from "node:path"
import type { CommandConfinement } from "../../agent/confinement.ts"
import { mapToWorktree } from "../../agent/isolation.ts"
import type { ToolContext } from "../../agent/tool.ts"
import type { ToolPlace } from "../../run/ports/tool-source.ts"
import type { KnownServer } from "./known-servers.ts"
import type { LoginPlace } from "./login/login-file.ts"
import type { ServerPlace, TrustedScripts } from "./start-program.ts"

/** The bounds of the servers of one runtime. */
export interface ServerBounds {
  /** The workspace. Default: the run's folder. */
  readonly root?: string
  /** The sandbox setting of commands. Default: `preferred`. */
  readonly sandbox?: CommandConfinement["sandbox"]
  /** Additional paths of the workspace that no server can change. */
  readonly protect?: readonly string[]
  /** Folders that no server in the sandbox can see. */
  readonly hidden?: readonly string[]
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly home?: string
  /** The project, and the scripts of it that the user trusted. Without it, none is trusted. */
  readonly trusted?: TrustedScripts
  /** The user's logins at servers. Default: none. */
  readonly logins?: LoginPlace
}

/** A place, with the worktree that a run moved to. */
export type ServerRunPlace = ServerPlace & Pick<ToolContext, "moved">

/** Returns the place of the run that a context belongs to. */
export function placeOfCall(
  bounds: ServerBounds,
  { cwd, moved, forbidden, confinement }: ToolContext,
): ServerRunPlace {
  const { root } = bounds
  return {
    ...placeOfRun(bounds, { cwd, forbidden: forbidden?.() ?? [], confinement }),
    ...(moved && { moved, root: root === undefined ? cwd : mapToWorktree(root, moved) }),
  }
}

/** Returns the place of a run, with the bounds of its runtime. */
export function placeOfRun(
  { root, sandbox = "preferred", protect, hidden, environment, logins, home = os.homedir() }: ServerBounds,
  { cwd, forbidden, confinement }: Omit<ToolPlace, "tree">,
): ServerPlace {
  return {
    root: root ?? cwd,
    cwd,
    sandbox: confinement?.sandbox === "required" ? "required" : sandbox,
    forbidden,
    home,
    ...(protect && { protect }),
    ...(hidden && { hidden }),
    ...(environment && { environment }),
    ...(logins && { logins }),
  }
}

/** Binds a server that others wrote to its own folder, and to the scripts that the user trusted. */
export function boundPlace(
  { owner, folder }: Pick<KnownServer, "owner" | "folder">,
  { trusted }: ServerBounds,
  { moved, ...place }: ServerRunPlace,
): ServerPlace {
  if (owner === "user") return place
  const scripts = trusted ?? { root: place.root, isTrusted: () => false }
  const root = moved ? mapToWorktree(scripts.root, moved) : scripts.root
  return {
    ...place,
    cwd: path.resolve(root, path.relative(scripts.root, folder ?? scripts.root)),
    trusted: { ...scripts, root },
  }
}
