import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import type { Json } from "../../ground/message.ts"
import { matches } from "../../ground/patterns/stars.ts"
import { type McpCall, mcpCallOf } from "../lifecycle/mcp-call.ts"
import { toolNames } from "./read-entries.ts"
import type { Allowed, Step } from "./workflow.ts"

/** A call as a step looks at it. */
export interface StepCall {
  /** Cadre's name of the tool. */
  readonly tool: string
  /** The tool of an MCP server that it calls, directly or through a proxy. */
  readonly mcp?: McpCall
}

/** Asking what there is, and handing in a result, need no step's leave; nor does dealing with runs that there are. */
export const alwaysAllowed: readonly string[] = [
  "submit_result",
  "Skill",
  "ToolSearch",
  ...runTools.filter((name) => name !== "Agent"),
]

/** The same of an MCP server's tools, on whichever server. */
export const alwaysAllowedOnServers: readonly string[] = [
  "list_mcp_servers",
  "list_tools",
  "get_tool_schema",
  "search_tools",
  "list_skills",
  "search_skills",
  "get_skill",
]

/** Which tool is called; that of another server where a proxy's `call_tool` names it. */
export function stepCall(tool: string, input: { readonly [name: string]: Json }): StepCall {
  const known = lookUpTool(tool)
  if (known.type === "equivalent") return { tool: known.name }
  const mcp = mcpCallOf(tool, input)
  return { tool, ...(mcp && { mcp }) }
}

/** Why a call may not run in a step; undefined where it may. First what is allowed, then what is blocked. */
export function refusal(step: Step, call: StepCall): string | undefined {
  if (isAlwaysAllowed(call) || (isAllowed(step, call) && !isBlocked(step, call))) return undefined
  const { tool, mcp } = call
  const called = mcp?.through ? `${mcp.server}:${mcp.tool}` : tool
  return `Tool '${called}' is not allowed in the '${step.name}' step.\n${allowedText(step)}`
}

/** What may be used in a step, for a model. */
export function allowedText({ allowedTools, blockedTools, allowedMcpTools, blockedMcpTools }: Step): string {
  const blocked = [...blockedTools, ...blockedMcpTools]
  const ofServers = allowedMcpTools === "all" ? ["all of MCP servers"] : (allowedMcpTools ?? [])
  const named =
    allowedTools !== "all"
      ? [...allowedTools, ...ofServers]
      : Array.isArray(allowedMcpTools)
        ? ["all but those of MCP servers", ...ofServers]
        : ["all"]
  const open = named.filter((name) => !blocked.includes(name))
  const but = blocked.length > 0 ? ` (not ${blocked.join(", ")})` : ""
  return `Allowed tools: ${open.join(", ") || "none"}${but}`
}

/** Whether a reaction that names these tools, or this server, is for a call. */
export function concerns(
  { tools, server }: { readonly tools?: readonly string[]; readonly server?: string },
  { tool, mcp }: StepCall,
): boolean {
  if (server !== undefined && !(mcp && matches(server, mcp.server))) return false
  if (!tools) return true
  return tools.some((name) => matches(name, tool) || (mcp !== undefined && isServerTool(name, mcp)))
}

const isAlwaysAllowed = ({ tool, mcp }: StepCall): boolean =>
  alwaysAllowed.includes(tool) ||
  (mcp !== undefined && !mcp.through && alwaysAllowedOnServers.includes(mcp.tool))

/** A proxy is a tool like any other, and so is what it calls. */
function isAllowed({ allowedTools, allowedMcpTools }: Step, { tool, mcp }: StepCall): boolean {
  if (!mcp) return isListed(allowedTools, tool)
  const isNamed = allowedMcpTools === undefined ? undefined : isListedTool(allowedMcpTools, mcp)
  if (mcp.through) return isListed(allowedTools, tool) && isNamed !== false
  return isNamed ?? isListed(allowedTools, tool)
}

const isBlocked = ({ blockedTools, blockedMcpTools }: Step, { tool, mcp }: StepCall): boolean =>
  isListed(blockedTools, tool) ||
  (mcp !== undefined &&
    (isListedTool(blockedMcpTools, mcp) || isListed(blockedTools, `mcp__${mcp.server}__${mcp.tool}`)))

const isListed = (list: Allowed, tool: string): boolean =>
  list === "all" ||
  list.some((text) =>
    toolNames(text).some(
      (name) => matches(name, tool) || (/^mcp__[^*]+$/.test(name) && tool.startsWith(`${name}__`)),
    ),
  )

const isListedTool = (list: Allowed, mcp: McpCall): boolean =>
  list === "all" || list.some((name) => isServerTool(name, mcp))

/** `server:tool`, or as such a tool is called; without a server, that tool of any. */
function isServerTool(pattern: string, { server, tool }: McpCall): boolean {
  if (pattern.startsWith("mcp__")) return isListed([pattern], `mcp__${server}__${tool}`)
  return pattern.includes(":") ? matches(pattern, `${server}:${tool}`) : matches(pattern, tool)
}
