import type { Rule } from "../../agent/agent.ts"
import type { McpServers } from "../../agent/mcp-server.ts"
import type { Tool } from "../../agent/tool.ts"
import type { Mode } from "../../definitions/authority/mode.ts"
import type { ToolSource } from "../../run/ports/tool-source.ts"
import { variablesIn } from "./expand.ts"
import { resultTool } from "./result-tool.ts"
import { mcpServers } from "./servers.ts"

/** What a runtime has because of its servers. */
export interface ServerParts {
  readonly parts: { readonly toolSource?: ToolSource }
  readonly tools: readonly Tool[]
  readonly rules: readonly Rule[]
  /** What servers are given that its name says is a secret. */
  readonly secrets: readonly string[]
}

export function serverParts(
  servers: McpServers,
  mode: { readonly type: Mode; readonly root: string } | undefined,
): ServerParts {
  const names = Object.keys(servers)
  if (names.length === 0) return { parts: {}, tools: [], rules: [], secrets: [] }
  return {
    parts: { toolSource: mcpServers({ servers, ...(mode && { root: mode.root }) }) },
    tools: [resultTool],
    rules: mode ? rulesOf(mode.type, names) : [],
    secrets: secretsOf(servers),
  }
}

/** Nobody is asked about reading the rest of what was answered; and where nothing may change, no server is asked. */
const rulesOf = (mode: Mode, names: readonly string[]): readonly Rule[] => [
  { tool: resultTool.name, decision: "allow" },
  ...(mode === "plan" ? names.map((name): Rule => ({ tool: `mcp__${name}__*`, decision: "deny" })) : []),
]

/** By the name that they have there, or by that of the variable they come from. */
const secretsOf = (servers: McpServers): readonly string[] =>
  Object.values(servers)
    .flatMap((settings) =>
      Object.entries("command" in settings ? (settings.env ?? {}) : (settings.headers ?? {})),
    )
    .flatMap(([name, value]) => {
      const variables = variablesIn(value)
      const own = variables.length === 0 && secretName.test(name) ? [value] : []
      const named = variables.filter((one) => secretName.test(name) || secretName.test(one))
      return [...own, ...named.flatMap((one) => process.env[one] ?? [])]
    })
    .filter((value) => value.length >= shortestSecret)

const secretName = /KEY|TOKEN|SECRET|PASSW|CRED|AUTH/i
const shortestSecret = 8
