import type { Agent, PermissionRule } from "../../agent/agent.ts"
import { badNameProblem } from "../../agent/mcp-entry.ts"
import { findMcpServerProblem, isMcpServerName, type McpServers } from "../../agent/mcp-server.ts"
import { readServerChoice } from "../../agent/server-choice.ts"
import type { Tool } from "../../agent/tool.ts"
import type { PermissionMode } from "../../definitions/authority/mode.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ToolSource } from "../../run/ports/tool-source.ts"
import { listVariables } from "./expand.ts"
import { createFilePins } from "./pins.ts"
import { resultTool } from "./result-tool.ts"
import { searchTool } from "./search-tool.ts"
import { createMcpServers, type McpServerOptions } from "./servers.ts"

/** The record of the tools that the user accepted. A server with other tools serves no new run. */
export interface McpPinOptions {
  /** The folder of the record. Default: in the platform's state directory, or in memory where `store` is set. */
  readonly folder?: string
  /** `refuse` (default): runs that need a changed server do not start. `accept`: every list is accepted. */
  readonly onChange?: "refuse" | "accept"
}

/** The parts that MCP servers add to a runtime. */
export interface ServerParts {
  readonly parts: { readonly toolSource: ToolSource }
  readonly tools: readonly Tool[]
  readonly rules: readonly PermissionRule[]
  /** Values given to servers whose name says that they are secret. */
  readonly secrets: readonly string[]
}

/** `agents`: those that may bring servers of their own. Throws MCP_SERVER_INVALID with all problems at once. */
export function createServerParts(
  options: McpServerOptions,
  mode: { readonly type: PermissionMode; readonly root: string } | undefined,
  agents: readonly Agent[] = [],
  { folder, onChange }: McpPinOptions = {},
): ServerParts {
  const { servers, project = {}, environment = process.env } = options
  const problems = Object.entries(servers).flatMap(([name, settings]) => {
    const problem = isMcpServerName(name) ? findMcpServerProblem(settings) : badNameProblem
    return problem === undefined ? [] : [`the MCP server ${JSON.stringify(name)} ${problem}`]
  })
  if (problems.length > 0)
    throw new CadreError("MCP_SERVER_INVALID", `Invalid configuration: ${problems.join("; ")}.`)
  const brought = agents.flatMap((agent) => readServerChoice(agent).brought)
  const isUsed = Object.keys(servers).length + Object.keys(project).length + brought.length > 0
  const toolSource = createMcpServers({
    ...options,
    ...(mode && { root: mode.root }),
    ...(folder !== undefined && { pins: createFilePins(folder) }),
    ...(onChange && { onToolChange: onChange }),
    reading: isUsed ? "registered" : "found",
  })
  return {
    parts: { toolSource },
    tools: isUsed ? [resultTool, searchTool] : [],
    rules: isUsed && mode ? rulesOf(mode.type) : [],
    secrets: [
      servers,
      ...Object.entries(project).map(([name, { settings }]) => ({ [name]: settings })),
      ...brought.flatMap(({ name, entry }) => (entry.type === "server" ? [{ [name]: entry.settings }] : [])),
    ].flatMap((one) => secretsOf(one, environment)),
  }
}

/** Reading the rest of an answer and loading tools need no approval. In plan mode, where nothing may change, no server is called. */
const rulesOf = (mode: PermissionMode): readonly PermissionRule[] => [
  { tool: resultTool.name, decision: "allow" },
  { tool: searchTool.name, decision: "allow" },
  ...(mode === "plan" ? [{ tool: "mcp__*", decision: "deny" } as const] : []),
]

/** Judges a value by its own name, or by the name of the variable that it comes from. */
const secretsOf = (
  servers: McpServers,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.values(servers)
    .flatMap((settings) =>
      Object.entries("command" in settings ? (settings.env ?? {}) : (settings.headers ?? {})),
    )
    .flatMap(([name, value]) => {
      const variables = listVariables(value)
      const own = variables.length === 0 && secretName.test(name) ? [value] : []
      const named = variables.filter((one) => secretName.test(name) || secretName.test(one))
      return [...own, ...named.flatMap((one) => environment[one] ?? [])]
    })
    .filter((value) => value.length >= shortestSecret)

const secretName = /KEY|TOKEN|SECRET|PASSW|CRED|AUTH/i
const shortestSecret = 8
