import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import type { Json } from "../../ground/message.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import { type McpCall, readMcpCall } from "../lifecycle/mcp-call.ts"
import { listCadreToolNames } from "./read-entries.ts"
import type { Allowed, WorkflowStep } from "./workflow.ts"

/** A call as a step judges it. */
export interface StepCall {
  /** Cadre's name of the tool. */
  readonly tool: string
  /** The MCP tool that is called, directly or through a proxy. */
  readonly mcp?: McpCall
}

/** Tools that every step allows: they look up tools and skills, submit a result, or control existing runs. */
export const alwaysAllowed: readonly string[] = [
  "submit_result",
  "Skill",
  "ToolSearch",
  ...runTools.filter((name) => name !== "Agent"),
]

/** MCP tools that every step allows, on any server. */
export const alwaysAllowedOnServers: readonly string[] = [
  "list_mcp_servers",
  "list_tools",
  "get_tool_schema",
  "search_tools",
  "list_skills",
  "search_skills",
  "get_skill",
]

/** The tool of a call. For a proxy's `call_tool`, the tool that the arguments name. */
export function stepCall(tool: string, input: { readonly [name: string]: Json }): StepCall {
  const knownTool = lookUpTool(tool)
  if (knownTool.type === "equivalent") return { tool: knownTool.name }
  const mcp = readMcpCall(tool, input)
  return { tool, ...(mcp && { mcp }) }
}

/** The reason why a call may not run in a step. Undefined: it may. The allowed lists are checked first, then the blocked ones. */
export function refuseCall(step: WorkflowStep, call: StepCall): string | undefined {
  if (isAlwaysAllowed(call) || (isAllowed(step, call) && !isBlocked(step, call))) return undefined
  const { tool, mcp } = call
  const called = mcp?.through ? `${mcp.server}:${mcp.tool}` : tool
  return `Tool '${called}' is not allowed in the '${step.name}' step.\n${describeAllowedTools(step)}`
}

/** Tells a model which tools it may use in a step. */
export function describeAllowedTools({
  allowedTools,
  blockedTools,
  allowedMcpTools,
  blockedMcpTools,
}: WorkflowStep): string {
  const blocked = [...blockedTools, ...blockedMcpTools]
  const ofServers = allowedMcpTools === "all" ? ["all MCP tools"] : (allowedMcpTools ?? [])
  const allowedNames =
    allowedTools !== "all"
      ? [...allowedTools, ...ofServers]
      : Array.isArray(allowedMcpTools)
        ? ["all except MCP tools", ...ofServers]
        : ["all"]
  const open = allowedNames.filter((name) => !blocked.includes(name))
  const but = blocked.length > 0 ? ` (not ${blocked.join(", ")})` : ""
  return `Allowed tools: ${open.join(", ") || "none"}${but}`
}

/** True if a reaction with these tools or this server applies to a call. */
export function appliesToCall(
  { tools, server }: { readonly tools?: readonly string[]; readonly server?: string },
  { tool, mcp }: StepCall,
): boolean {
  if (server !== undefined && !(mcp && matchesStars(server, mcp.server))) return false
  if (!tools) return true
  return tools.some((name) => matchesStars(name, tool) || (mcp !== undefined && isServerTool(name, mcp)))
}

const isAlwaysAllowed = ({ tool, mcp }: StepCall): boolean =>
  alwaysAllowed.includes(tool) ||
  (mcp !== undefined && !mcp.through && alwaysAllowedOnServers.includes(mcp.tool))

/** A call through a proxy needs both the proxy and the tool that it calls to be allowed. */
function isAllowed({ allowedTools, allowedMcpTools }: WorkflowStep, { tool, mcp }: StepCall): boolean {
  if (!mcp) return isListed(allowedTools, tool)
  const isNamed = allowedMcpTools === undefined ? undefined : isListedTool(allowedMcpTools, mcp)
  if (mcp.through) return isListed(allowedTools, tool) && isNamed !== false
  return isNamed ?? isListed(allowedTools, tool)
}

const isBlocked = ({ blockedTools, blockedMcpTools }: WorkflowStep, { tool, mcp }: StepCall): boolean =>
  isListed(blockedTools, tool) ||
  (mcp !== undefined &&
    (isListedTool(blockedMcpTools, mcp) || isListed(blockedTools, `mcp__${mcp.server}__${mcp.tool}`)))

const isListed = (list: Allowed, tool: string): boolean =>
  list === "all" ||
  list.some((text) =>
    listCadreToolNames(text).some(
      (name) => matchesStars(name, tool) || (/^mcp__[^*]+$/.test(name) && tool.startsWith(`${name}__`)),
    ),
  )

const isListedTool = (list: Allowed, mcp: McpCall): boolean =>
  list === "all" || list.some((name) => isServerTool(name, mcp))

/** Matches `server:tool`, `mcp__server__tool`, or a tool's name on any server. */
function isServerTool(pattern: string, { server, tool }: McpCall): boolean {
  if (pattern.startsWith("mcp__")) return isListed([pattern], `mcp__${server}__${tool}`)
  return pattern.includes(":") ? matchesStars(pattern, `${server}:${tool}`) : matchesStars(pattern, tool)
}
