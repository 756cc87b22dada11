import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { findForbiddenPaths } from "../../run/rights/rights.ts"
import { configurationOwner } from "../../run/rights/rule-sets.ts"
import type { LoginPlace } from "../../world/mcp/login/login-file.ts"
import type { ServerPlace } from "../../world/mcp/start-program.ts"
import { keysFolder } from "../configured-models.ts"
import { anchorsOf, readPermissionRules } from "../permission-rules.ts"
import type { Project } from "./open-project.ts"
import type { ProjectPlace } from "./place.ts"
import { listProjectServers } from "./servers.ts"

type Servers = Pick<Project, "standing" | "configuration">

/** The user's logins, for a command that shows no recorded text. */
export const loginsOf = (place: ProjectPlace): LoginPlace => ({ folder: keysFolder(place), keepSecret() {} })

/** The place where a server of this project is asked for its tools, with the bounds that a run would set. */
export function serverPlaceOf({ standing, configuration }: Servers, place: ProjectPlace): ServerPlace {
  const { directory, home, environment } = place
  const { root } = standing
  const anchors = anchorsOf({
    mode: { type: configuration.mode ?? "default", root },
    around: { home, environment, workspace: root },
  })
  const rules = readPermissionRules(configuration.permissions, anchors)
  return {
    root,
    cwd: directory,
    sandbox: configuration.sandbox,
    forbidden: findForbiddenPaths([{ of: configurationOwner, rules, otherwise: "allow" }]),
    home,
    environment,
    logins: loginsOf(place),
  }
}

/** The servers that runs here may use, by name. Those of files that the user has not trusted are left out. */
export const projectServers = (
  project: Pick<Project, "workspace" | "standing" | "configuration">,
): ReadonlyMap<string, McpServerSettings> =>
  new Map(
    listProjectServers({ ...project, trusting: project.standing }).flatMap(({ name, settings, withheld }) =>
      settings && withheld === undefined ? [[name, settings] as const] : [],
    ),
  )
