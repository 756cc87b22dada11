import type { McpServerSettings } from "../../../agent/mcp-server.ts"
import { openProject, type Project } from "../../../assembly/project/open-project.ts"
import { projectServers, serverPlaceOf } from "../../../assembly/project/project-servers.ts"
import { findSettingLine } from "../../../definitions/configuration/setting-place.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { CadreError, listKnownNames } from "../../../ground/errors.ts"
import type { ServerPlace } from "../../../world/mcp/start-program.ts"
import type { CommandContext } from "../command.ts"
import { placeIn } from "../trust/trust.ts"

/** The parts of a context that the actions of `cadre mcp` use. */
export type McpContext = Omit<CommandContext, "arguments" | "options">

export type Print = "json" | "text"

/** The servers of a folder, and the place to ask them from. */
export interface OpenServers {
  readonly servers: ReadonlyMap<string, McpServerSettings>
  readonly place: ServerPlace
  /** Where a server is defined. */
  sourceOf(name: string): string
}

export function openServers(
  trust: "kept" | "all",
  context: Pick<McpContext, "directory" | "environment">,
): OpenServers {
  const place = placeIn(context)
  return serversOf(openProject({ ...place, trust, runs: "new" }), context)
}

export function serversOf(
  project: Pick<Project, "workspace" | "standing" | "configuration">,
  context: Pick<McpContext, "directory" | "environment">,
): OpenServers {
  const { files } = project.configuration
  return {
    servers: projectServers(project),
    place: serverPlaceOf(project, placeIn(context)),
    sourceOf(name) {
      const line = findSettingLine(files, ["mcpServers", name])
      return line === undefined ? "-" : toDisplayPath(line, context.directory)
    },
  }
}

/** The settings of one server. Throws where there is none of that name. */
export function requireServer({ servers }: Pick<OpenServers, "servers">, name: string): McpServerSettings {
  const settings = servers.get(name)
  if (settings) return settings
  throw new CadreError(
    "MCP_SERVER_INVALID",
    servers.size === 0
      ? `There is no MCP server ${JSON.stringify(name)}: none is configured or trusted. \`cadre doctor\` shows each. Name it below \`mcpServers\` in your config.yaml; \`cadre config\` shows where that is.`
      : `There is no MCP server ${JSON.stringify(name)}. ${listKnownNames(name, [...servers.keys()])}`,
  )
}
