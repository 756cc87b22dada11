import { existsSync } from "node:fs"
import path from "node:path"
import { readMcpEntry } from "../../agent/mcp-entry.ts"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { sortKeys } from "../../agent/server-choice.ts"
import { hash } from "../../ground/crypto.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { withAbsolutePaths } from "../configuration/read-mcp-servers.ts"
import { readDocument } from "../formats/document/document.ts"
import type { KeyPath } from "../formats/document/yaml.ts"
import { diagnose, type Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"

/** A file of another host that names MCP servers, or switches some off. */
export interface ServerFile {
  readonly file: string
  /** The folder that relative paths of its entries start at. */
  readonly folder: string
  /** The hash of the part that counts, and its text: of settings only the servers. Absent: it names none. */
  readonly content?: { readonly hash: string; readonly text: string }
  readonly servers: { readonly [name: string]: McpServerSettings }
  /** Servers whose entry cannot be used, each with the reason. */
  readonly invalid: { readonly [name: string]: string }
  /** Names of servers of `.mcp.json` that this file switches off. */
  readonly disabled: readonly string[]
  /** Names of servers that the file itself switches off. */
  readonly off: readonly string[]
  readonly kind: "mcp" | "settings"
  readonly diagnostics: readonly Diagnostic[]
}

interface Folders {
  /** The folders of the project, from the working directory up. */
  readonly levels: readonly string[]
  readonly home: string
}

/** Reads the files of the project, the nearest first, then the user's own settings of Claude Code. */
export function readServerFiles({ levels, home }: Folders): readonly ServerFile[] {
  const root = levels.at(-1)
  return [...new Set([...levels, home])]
    .flatMap((folder) => places.map(({ kind, below }) => ({ kind, folder, file: path.join(folder, below) })))
    .filter(({ file, kind }) => existsSync(file) && (kind === "settings" || isProjects(root, file)))
    .map((place) => readServerFile(place, root))
}

/** The user's own servers are in config.yaml, so of the home folder only the settings count. */
const isProjects = (root: string | undefined, file: string): boolean =>
  root !== undefined && isBelow(root, file)

const places = [
  { kind: "mcp", below: ".mcp.json" },
  { kind: "settings", below: path.join(".claude", "settings.local.json") },
  { kind: "settings", below: path.join(".claude", "settings.json") },
] as const

type Place = Pick<ServerFile, "kind" | "folder" | "file">

function readServerFile(place: Place, root: string | undefined): ServerFile {
  const { file, kind } = place
  const none = { ...place, servers: {}, invalid: {}, disabled: [], off: [] }
  const isOfProject = isProjects(root, file)
  const reading = readSourceFile(file, isOfProject ? root : undefined)
  // The rule about settings of other hosts reports unreadable settings.
  if (reading.type === "refused")
    return {
      ...none,
      diagnostics: kind === "mcp" ? diagnose(file, "", () => undefined, [reading.problem]) : [],
    }
  const { text, hash: textHash } = reading.source
  const document = parse(text)
  const { locate } = readDocument(text, "json", new Set())
  const tell = (problems: readonly Problem[]) => diagnose(file, text, locate, problems)
  if (!isMap(document))
    return {
      ...none,
      diagnostics:
        kind === "mcp"
          ? tell([problem("This is not a JSON object, so none of its servers exist here.", [])])
          : [],
    }
  const { mcpServers, disabledMcpjsonServers = [] } = document
  const problems = [...approvalProblems(document), ...shapeProblems(document, kind)]
  const entries = isOfProject ? mapOf(mcpServers ?? null) : {}
  const read = readEntries(entries, place, (one) => problems.push(one))
  const part = JSON.stringify(sortKeys({ mcpServers: entries }), null, 2)
  const isNaming = Object.keys(entries).length > 0
  return {
    ...none,
    ...read,
    ...(isNaming && {
      content: kind === "mcp" ? { hash: textHash, text } : { hash: hash("sha256", part, "hex"), text: part },
    }),
    disabled: Array.isArray(disabledMcpjsonServers)
      ? disabledMcpjsonServers.filter((name) => typeof name === "string")
      : ["*"],
    diagnostics: tell(problems),
  }
}

function readEntries(
  entries: JsonMap,
  { folder }: Place,
  report: (problem: Problem) => void,
): Pick<ServerFile, "servers" | "invalid" | "off"> {
  const servers: Record<string, McpServerSettings> = {}
  const invalid: Record<string, string> = {}
  const off: string[] = []
  for (const [name, value] of Object.entries(entries)) {
    const entry = readMcpEntry(name, value, "project")
    if (entry.type === "disabled") off.push(name)
    else if (entry.type === "server")
      servers[name] = withAbsolutePaths(entry.settings, (place) => path.resolve(folder, withoutHome(place)))
    else {
      invalid[name] = entry.problem
      const inner = entry.key === undefined ? [] : [entry.key]
      report({
        ...problem(`The MCP server ${JSON.stringify(name)} ${entry.problem}.`, [
          "mcpServers",
          name,
          ...inner,
        ]),
        code: entry.code,
      })
    }
  }
  return { servers, invalid, off }
}

/** A file of a project cannot know the home folder of its reader. `${HOME}` can be written where it is meant. */
const withoutHome = (place: string): string => (place.startsWith("~") ? `./${place}` : place)

function shapeProblems({ mcpServers, servers }: JsonMap, kind: Place["kind"]): readonly Problem[] {
  if (mcpServers !== undefined && mcpServers !== null && !isMap(mcpServers))
    return [
      problem("`mcpServers` must be a map of names to entries, so none of its servers exist here.", [
        "mcpServers",
      ]),
    ]
  if (kind === "settings" || mcpServers !== undefined) return []
  const hint = servers === undefined ? "" : " Rename `servers` to `mcpServers`."
  return [problem(`This file has no \`mcpServers\`, so it names no server.${hint}`, [])]
}

/** Approvals of another host allow nothing here. */
const approvalProblems = (document: JsonMap): Problem[] =>
  ["enableAllProjectMcpServers", "enabledMcpjsonServers"]
    .filter((key) => document[key] === true || (Array.isArray(document[key]) && document[key].length > 0))
    .map((key) => ({
      code: "mcp-server-approval",
      severity: "info",
      message: `\`${key}\` allows no server here: a server of a project is started once you have trusted its file with \`cadre trust\`.`,
      at: { type: "key", path: [key] },
    }))

const problem = (message: string, at: KeyPath): Problem => ({
  code: "mcp-server-invalid",
  severity: "error",
  message,
  at: at.length === 0 ? { type: "start" } : { type: "value", path: at },
})

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
