import path from "node:path"
import type { McpServerSettings, McpServers } from "../../agent/mcp-server.ts"
import { digestServer } from "../../agent/server-choice.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { readConfigurationFile } from "../configuration/read-file.ts"
import { diagnose } from "../formats/problem.ts"
import type { Workspace } from "../registry/workspace.ts"
import { applyLevels, type Levels } from "../rules/levels.ts"
import type { ServerFile } from "../servers/server-files.ts"
import { isTrusted, type TrustPolicy } from "./trusted-agents.ts"

/** A server and the file that names it. */
export interface ServerEntry {
  readonly name: string
  readonly of: "user" | "project"
  readonly file: string | undefined
  /** Absent where the entry cannot be used. */
  readonly settings?: McpServerSettings
  /** The folder that relative paths of the entry start at. */
  readonly folder?: string
  /** The reason why it is not started, and the remedy, as the rest of a sentence. */
  readonly withheld?: string
}

interface ServerSources extends Pick<Workspace, "serverFiles"> {
  /** The configuration that takes effect. */
  readonly configuration: Configuration
  /** All settings of the project, trusted or not. */
  readonly written: Configuration
  readonly root: string
  readonly trusting: TrustPolicy
}

/** Every server of the user and the project, the ones that take precedence first. */
export function listServers(sources: ServerSources): readonly ServerEntry[] {
  const { configuration, written, serverFiles, root } = sources
  const own = configuration.own.mcpServers ?? {}
  const disabledBy = (name: string) =>
    serverFiles.find(({ disabled }) => disabled.includes(name) || disabled.includes("*"))?.file
  const inFiles = serverFiles
    .filter(({ file }) => isBelow(root, file))
    .flatMap((one) => entriesOf(one, sources, disabledBy))
  const settingsFile = written.files.find((file) => isBelow(root, file))
  const inSettings = Object.entries(written.mcpServers)
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, settings]): ServerEntry => {
      const isFollowed = Object.hasOwn(configuration.mcpServers, name)
      return {
        name,
        of: "project",
        file: settingsFile,
        settings,
        ...(settingsFile !== undefined && { folder: path.dirname(path.dirname(settingsFile)) }),
        ...(!isFollowed && { withheld: untrustedText(settingsFile, sources) }),
      }
    })
  return [
    ...Object.entries(own).map(
      ([name, settings]): ServerEntry => ({
        name,
        of: "user",
        file: written.files.find((file) => !isBelow(root, file)),
        settings,
      }),
    ),
    ...inSettings,
    ...inFiles,
  ].filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
}

function entriesOf(
  { file, folder, kind, content, servers, invalid, off }: ServerFile,
  sources: ServerSources,
  disabledBy: (name: string) => string | undefined,
): readonly ServerEntry[] {
  const common = { of: "project", file, folder } as const
  const place = displayPath(file, sources)
  const isFollowed = isTrusted(sources.trusting, file, content?.hash)
  return [
    ...Object.entries(servers).map(([name, settings]): ServerEntry => {
      const by = kind === "mcp" ? disabledBy(name) : undefined
      const withheld =
        by === undefined
          ? isFollowed
            ? undefined
            : untrustedText(file, sources)
          : `is switched off by \`disabledMcpjsonServers\` in ${displayPath(by, sources)}. Remove its name there`
      return { ...common, name, settings, ...(withheld !== undefined && { withheld }) }
    }),
    ...off.map((name) => ({
      ...common,
      name,
      withheld: `is switched off by \`disabled\` in its entry in ${place}. Remove that line`,
    })),
    ...Object.entries(invalid).map(([name, why]) => ({
      ...common,
      name,
      withheld: `cannot be started: its entry in ${place} ${why}`,
    })),
  ]
}

const untrustedText = (file: string | undefined, sources: Pick<ServerSources, "root">): string =>
  `is not started: ${file === undefined ? "its file" : displayPath(file, sources)} of this project is not trusted as it is now. Read it, then run \`cadre trust\``

const displayPath = (file: string, { root }: Pick<ServerSources, "root">): string =>
  isBelow(root, file) ? path.relative(root, file) : file

/** The servers that a runtime may start, and the others with the reason. */
export function splitServers(entries: readonly ServerEntry[]): {
  readonly servers: McpServers
  readonly project: {
    readonly [name: string]: { readonly settings: McpServerSettings; readonly folder: string }
  }
  readonly withheld: { readonly [name: string]: string }
} {
  const servers: Record<string, McpServerSettings> = {}
  const project: Record<string, { settings: McpServerSettings; folder: string }> = {}
  const withheld: Record<string, string> = {}
  for (const { name, of, settings, folder, withheld: why } of entries) {
    if (why !== undefined) withheld[name] = why
    else if (settings && of === "user") servers[name] = settings
    else if (settings && folder !== undefined) project[name] = { settings, folder }
  }
  return { servers, project, withheld }
}

/** Findings about the files that name servers: wrong entries, and names that the user's configuration has. */
export function checkServerFiles({
  serverFiles,
  configuration,
}: Pick<Workspace, "serverFiles" | "configuration">): readonly Diagnostic[] {
  const own = configuration.own.mcpServers ?? {}
  return [
    ...configuration.files.flatMap((file) => findShadowed(file, settingsIn(file), own, configuration.rules)),
    ...serverFiles.flatMap(({ file, servers, diagnostics }) => [
      ...diagnostics,
      ...findShadowed(file, servers, configuration.mcpServers, configuration.rules),
    ]),
  ]
}

/** The servers of the file in which the project's configuration is written. */
function settingsIn(file: string): McpServers {
  const folder = path.dirname(path.dirname(file))
  const { values } = readConfigurationFile(file, { folder, home: folder, of: "project" })
  return (values.get("mcpServers") ?? {}) as unknown as McpServers
}

/** Names cannot shadow: the other server of that name is the one that is started. */
function findShadowed(
  file: string,
  servers: McpServers,
  others: McpServers,
  levels: Levels,
): readonly Diagnostic[] {
  const problems = Object.entries(servers)
    .filter(([name, settings]) => Object.hasOwn(others, name) && isOther(name, settings, others[name]!))
    .map(([name]) => ({
      code: "mcp-server-shadowed",
      severity: "warning" as const,
      message: `The MCP server ${JSON.stringify(name)} of this file is not used: a configuration file names another server of that name, which takes precedence. Give one of them another name.`,
      at: { type: "start" as const },
    }))
  return diagnose(file, "", () => undefined, applyLevels(problems, levels))
}

const isOther = (name: string, one: McpServerSettings, other: McpServerSettings): boolean =>
  digestServer(name, one) !== digestServer(name, other)
