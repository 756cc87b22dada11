import type { PermissionRule } from "../../agent/agent.ts"
import type { McpServers } from "../../agent/mcp-server.ts"
import type { Tool } from "../../agent/tool.ts"
import type { PermissionMode } from "../../definitions/authority/mode.ts"
import type { ToolSource } from "../../run/ports/tool-source.ts"
import { listVariables } from "./expand.ts"
import type { LoginPlace } from "./login/login-file.ts"
import { resultTool } from "./result-tool.ts"
import { createMcpServers } from "./servers.ts"

/** The parts that the configured MCP servers add to a runtime. */
export interface ServerParts {
  readonly parts: { readonly toolSource?: ToolSource }
  readonly tools: readonly Tool[]
  readonly rules: readonly PermissionRule[]
  /** Values given to servers whose name says that they are secret. */
  readonly secrets: readonly string[]
}

export function createServerParts(
  servers: McpServers,
  mode: { readonly type: PermissionMode; readonly root: string } | undefined,
  logins?: LoginPlace,
): ServerParts {
  const names = Object.keys(servers)
  if (names.length === 0) return { parts: {}, tools: [], rules: [], secrets: [] }
  return {
    parts: {
      toolSource: createMcpServers({ servers, ...(mode && { root: mode.root }), ...(logins && { logins }) }),
    },
    tools: [resultTool],
    rules: mode ? rulesOf(mode.type, names) : [],
    secrets: secretsOf(servers),
  }
}

/** Reading the rest of an answer needs no approval. In plan mode, where nothing may change, no server is called. */
const rulesOf = (mode: PermissionMode, names: readonly string[]): readonly PermissionRule[] => [
  { tool: resultTool.name, decision: "allow" },
  ...(mode === "plan"
    ? names.map((name): PermissionRule => ({ tool: `mcp__${name}__*`, decision: "deny" }))
    : []),
]

/** Judges a value by its own name, or by the name of the variable that it comes from. */
const secretsOf = (servers: McpServers): readonly string[] =>
  Object.values(servers)
    .flatMap((settings) =>
      Object.entries("command" in settings ? (settings.env ?? {}) : (settings.headers ?? {})),
    )
    .flatMap(([name, value]) => {
      const variables = listVariables(value)
      const own = variables.length === 0 && secretName.test(name) ? [value] : []
      const named = variables.filter((one) => secretName.test(name) || secretName.test(one))
      return [...own, ...named.flatMap((one) => process.env[one] ?? [])]
    })
    .filter((value) => value.length >= shortestSecret)

const secretName = /KEY|TOKEN|SECRET|PASSW|CRED|AUTH/i
const shortestSecret = 8
