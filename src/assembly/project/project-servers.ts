import type { Agent } from "../../agent/agent.ts"
import type { IdlePattern } from "../../run/ports/tool-source.ts"
import { findForbiddenPaths } from "../../run/rights/rights.ts"
import { configurationOwner } from "../../run/rights/rule-sets.ts"
import type { InspectionPlace } from "../../world/mcp/inspect-server.ts"
import { type KnownServer, KnownServers } from "../../world/mcp/known-servers.ts"
import type { LoginPlace } from "../../world/mcp/login/login-file.ts"
import { createFilePins } from "../../world/mcp/pins.ts"
import { createMcpServers } from "../../world/mcp/servers.ts"
import { locateKeysFolder } from "../configured-models.ts"
import { listAnchors, readPermissionRules } from "../permission-rules.ts"
import type { Project } from "./open-project.ts"
import { type ProjectPlace, pinFolder } from "./place.ts"

/** The user's logins, for a command that shows no recorded text. */
export const getLoginPlace = (place: ProjectPlace): LoginPlace => ({
  folder: locateKeysFolder(place),
  keepSecret() {},
})

/** The place where a server of this project is asked for its tools, with the bounds that a run would set. */
export function getInspectionPlace(
  { standing, configuration, parts }: Pick<Project, "standing" | "configuration" | "parts">,
  place: ProjectPlace,
): InspectionPlace {
  const { directory, home, environment } = place
  const { root } = standing
  const anchors = listAnchors({
    mode: { type: configuration.mode ?? "default", root },
    around: { home, environment, workspace: root },
  })
  const rules = readPermissionRules(configuration.permissions, anchors)
  return {
    cwd: directory,
    forbidden: findForbiddenPaths([{ of: configurationOwner, rules, otherwise: "allow" }]),
    bounds: { ...parts.projectServers, root, logins: getLoginPlace(place) },
    pins: createFilePins(pinFolder(environment)),
  }
}

/** Finds the patterns in an agent's list that match no accepted tool. It starts no server. */
export function readIdlePatterns(
  { parts }: Pick<Project, "parts">,
  { environment }: Pick<ProjectPlace, "environment">,
): (agent: Agent) => readonly IdlePattern[] {
  const { bringing, ...options } = parts.projectServers!
  const source = createMcpServers({ ...options, pins: createFilePins(pinFolder(environment)) })
  return (agent) => source.idlePatterns(agent)
}

/** The configured servers that runs here may use, by name. Those of files that the user has not trusted are left out. */
export const listStartableServers = ({ parts }: Pick<Project, "parts">): ReadonlyMap<string, KnownServer> =>
  new Map(new KnownServers(parts.projectServers!).all.map((server) => [server.tag.name, server]))
