import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import { isMcpProgram, type McpServerSettings } from "../../agent/mcp-server.ts"
import { readServerChoice } from "../../agent/server-choice.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import type { Workspace } from "../registry/workspace.ts"
import { findServerScripts, readServerScript } from "../servers/scripts.ts"
import { describeServer } from "../servers/server-text.ts"
import type { TrustItem } from "./trust.ts"

/** A file that gains rights, and no addresses of models. */
type ServerClaim = TrustItem & {
  readonly gains: readonly string[]
  readonly endpoints: readonly never[]
  readonly isScript?: true
}

/** The files of a project that name MCP servers, and the scripts that these servers run. */
export function findServerClaims(
  { serverFiles }: Pick<Workspace, "serverFiles">,
  root: string,
): readonly ServerClaim[] {
  return serverFiles
    .filter(({ file }) => isBelow(root, file))
    .flatMap(({ file, folder, content, servers, invalid }) => {
      if (!content) return []
      const gains = [
        ...Object.entries(servers).map(([name, settings]) => describeServer(name, settings)),
        ...Object.entries(invalid).map(
          ([name, why]) => `names the MCP server ${name}, which is not started: it ${why}`,
        ),
      ]
      return [{ file, ...content, gains, endpoints: [] }, ...findScriptClaims(servers, { folder, root })]
    })
}

/** The scripts of the project that servers run. */
export const findScriptClaims = (
  servers: Readonly<Record<string, McpServerSettings>>,
  { folder, root }: { readonly folder: string; readonly root: string },
): readonly ServerClaim[] =>
  Object.entries(servers).flatMap(([name, settings]) =>
    findServerScripts(settings, { folder, root }).flatMap((file) => {
      const content = readServerScript(file, root)
      const gains = [`is run by the MCP server ${name}`]
      return content ? [{ file, ...content, isScript: true, gains, endpoints: [] }] : []
    }),
  )

/** The servers that a definition brings. Relative paths start at the top of the project. */
export const listBroughtServers = (agent: Agent): Readonly<Record<string, McpServerSettings>> =>
  Object.fromEntries(
    readServerChoice(agent).brought.flatMap(({ name, entry }) =>
      entry.type === "server" ? [[name, entry.settings] as const] : [],
    ),
  )

/** The gains of a definition from its `mcpServers`. */
export function describeServerGains(agent: Agent, root: string): readonly string[] {
  const { names = [] } = readServerChoice(agent)
  return [
    ...(names.length > 0 ? [`may use the MCP servers ${names.map(({ name }) => name).join(", ")}`] : []),
    ...Object.entries(listBroughtServers(agent)).map(([name, settings]) => {
      const scripts = isMcpProgram(settings) ? findServerScripts(settings, { folder: root, root }) : []
      const code =
        scripts.length > 0 ? `; runs ${scripts.map((file) => path.relative(root, file)).join(", ")}` : ""
      return `${describeServer(name, settings)}${code}`
    }),
  ]
}
