import { openProject, type Project } from "../../../assembly/project/open-project.ts"
import { getInspectionPlace, listStartableServers } from "../../../assembly/project/project-servers.ts"
import { listProjectServers } from "../../../assembly/project/servers.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { findSettingLine } from "../../../definitions/configuration/setting-place.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { CadreError, listKnownNames } from "../../../ground/errors.ts"
import type { InspectionPlace } from "../../../world/mcp/inspect-server.ts"
import type { KnownServer } from "../../../world/mcp/known-servers.ts"
import type { CommandContext } from "../command.ts"
import { placeIn } from "../trust/trust.ts"

/** The parts of a context that the actions of `cadre mcp` use. */
export type McpContext = Omit<CommandContext, "arguments" | "options">

export type Print = "json" | "text"

/** The servers of a folder, and the place to ask them from. */
export interface OpenServers {
  readonly servers: ReadonlyMap<string, KnownServer>
  /** The servers that may not start, each with the reason and the remedy, as the rest of a sentence. */
  readonly withheld: Readonly<Record<string, string>>
  readonly inspection: InspectionPlace
  /** The errors in the configuration. An entry that cannot be read is none of the servers. */
  readonly errors: readonly Diagnostic[]
  /** Throws if there are errors. */
  requireValid(): void
  /** Names the file that defines a server, with the line where it is a configuration. */
  sourceOf(name: string): string
}

export function openServers(
  trust: "kept" | "all",
  context: Pick<McpContext, "directory" | "environment">,
): OpenServers {
  const place = placeIn(context)
  return getOpenServers(openProject({ ...place, trust, runs: "new" }), context)
}

export function getOpenServers(
  project: Pick<Project, "workspace" | "standing" | "configuration" | "diagnostics" | "parts">,
  context: Pick<McpContext, "directory" | "environment">,
): OpenServers {
  const { files } = project.configuration
  const entries = listProjectServers({ ...project, trusting: project.standing })
  return {
    servers: listStartableServers(project),
    withheld: project.parts.projectServers?.withheld ?? {},
    inspection: getInspectionPlace(project, placeIn(context)),
    errors: project.diagnostics.filter(({ severity }) => severity === "error"),
    requireValid: () => requireValidConfiguration(project, context.directory),
    sourceOf(name) {
      const line = findSettingLine(files, ["mcpServers", name])
      const place = line ?? entries.find((entry) => entry.name === name)?.file
      return place === undefined ? "-" : toDisplayPath(place, context.directory)
    },
  }
}

/** Finds one server. Throws if there is none of that name that can be used. */
export function requireServer(
  { servers, withheld, requireValid }: Pick<OpenServers, "servers" | "withheld" | "requireValid">,
  name: string,
): KnownServer {
  const server = servers.get(name)
  if (server) return server
  if (Object.hasOwn(withheld, name))
    throw new CadreError("MCP_SERVER_INVALID", `The MCP server ${JSON.stringify(name)} ${withheld[name]}.`)
  requireValid()
  throw new CadreError(
    "MCP_SERVER_INVALID",
    servers.size === 0
      ? `There is no MCP server ${JSON.stringify(name)}: none is configured or trusted. \`cadre doctor\` shows each. Name it below \`mcpServers\` in your config.yaml; \`cadre config\` shows where that is.`
      : `There is no MCP server ${JSON.stringify(name)}. ${listKnownNames(name, [...servers.keys()])}`,
  )
}
