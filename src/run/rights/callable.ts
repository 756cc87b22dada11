import type { Agent, AgentSource } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { DelegationTool } from "../../agent/tool.ts"
import { hash } from "../../ground/crypto.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { type AgentAccess, getAgentAccess } from "./agent-access.ts"
import { judge } from "./rights.ts"

/** The agent that gets a task if the call names no agent. */
export const generalWorker = "worker"

/** The description of a tool for a run, and its hash. */
export interface ToolDescription {
  readonly text: string
  readonly hash: string
}

/**
 * Describes the delegation tool to the caller's model. Undefined if the caller may call no agent: then the
 * tool is not offered.
 */
export function describeTool(
  tool: DelegationTool,
  caller: Agent,
  rights: readonly RuleSet[],
  agents: AgentSource,
): ToolDescription | undefined {
  const all = agents.all()
  const cached = descriptions.get(rights)
  // The children of one run share one array of rights, and a registry gives the same list until it changes.
  if (cached?.all === all && cached.tool === tool && cached.caller === caller) return cached.description
  const callable = all.filter(({ name }) => mayCall(tool.name, caller, rights, getAgentAccess(agents, name)))
  const description =
    callable.length === 0 ? undefined : describeWith(tool.describe?.(callable) ?? tool.description)
  descriptions.set(rights, { all, tool, caller, description })
  return description
}

const describeWith = (text: string): ToolDescription => ({
  text,
  hash: hash("sha1", text, "base64url"),
})

const descriptions = new WeakMap<
  readonly RuleSet[],
  { all: readonly Agent[]; tool: DelegationTool; caller: Agent; description: ToolDescription | undefined }
>()

/** True also if a person must approve the call. */
export const mayCall = (
  tool: string,
  caller: Agent,
  rights: readonly RuleSet[],
  access: AgentAccess,
): boolean =>
  (access.name !== caller.name || isRecursive(caller)) &&
  judge(rights, { tool, accesses: [access] }).decision !== "deny"

/** Names the agent, user or project whose rules decide about a call of this agent. */
export const findDenier = (tool: string, rights: readonly RuleSet[], access: AgentAccess): string =>
  judge(rights, { tool, accesses: [access] }).of

/** `recursive` decides. Without it, the agent may call itself if `Agent(…)` in its tools matches its own name. */
const isRecursive = ({ name, recursive, tools }: Agent): boolean =>
  recursive ??
  tools.allow.some((text) => {
    const { name: tool, argument } = splitToolName(text)
    const lookup = lookUpTool(tool)
    const isAgent = tool === "Agent" || (lookup.type === "equivalent" && lookup.name === "Agent")
    return isAgent && argument?.split(",").some((pattern) => matchesStars(pattern.trim(), name)) === true
  })
