import type { Agent, AgentSource } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { DelegationTool } from "../../agent/tool.ts"
import { hash } from "../../ground/crypto.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { type AgentAccess, agentAccess } from "./agent-access.ts"
import { judge } from "./rights.ts"

/** Whom work goes to that names nobody. */
export const generalWorker = "worker"

/** What a run is told of a tool, and a short word for it. */
export interface Description {
  readonly text: string
  readonly hash: string
}

/** What a run that has this tool is told of it; undefined where it may call nobody, so that it is not offered. */
export function describeFor(
  tool: DelegationTool,
  caller: Agent,
  rights: readonly RuleSet[],
  agents: AgentSource,
): Description | undefined {
  const all = agents.all()
  const known = described.get(rights)
  // The children of one run share their rights, and a registry gives the same list until it changes.
  if (known?.all === all && known.tool === tool && known.caller === caller) return known.description
  const callable = all.filter(({ name }) => mayCall(tool.name, caller, rights, agentAccess(agents, name)))
  const description =
    callable.length === 0 ? undefined : worded(tool.describe?.(callable) ?? tool.description)
  described.set(rights, { all, tool, caller, description })
  return description
}

const worded = (text: string): Description => ({
  text,
  hash: hash("sha1", text, "base64url"),
})

const described = new WeakMap<
  readonly RuleSet[],
  { all: readonly Agent[]; tool: DelegationTool; caller: Agent; description: Description | undefined }
>()

/** Asking a person first still counts as may. */
export const mayCall = (
  tool: string,
  caller: Agent,
  rights: readonly RuleSet[],
  access: AgentAccess,
): boolean =>
  (access.name !== caller.name || isRecursive(caller)) &&
  judge(rights, { tool, accesses: [access] }).decision !== "deny"

/** Whose rules keep a run from calling an agent. */
export const whoDenies = (tool: string, rights: readonly RuleSet[], access: AgentAccess): string =>
  judge(rights, { tool, accesses: [access] }).of

/** Its definition says so, or names the agent itself among those it may call. */
const isRecursive = ({ name, recursive, tools }: Agent): boolean =>
  recursive ??
  tools.allow.some((text) => {
    const { name: tool, argument } = splitToolName(text)
    const meant = lookUpTool(tool)
    const isAgent = tool === "Agent" || (meant.type === "equivalent" && meant.name === "Agent")
    return isAgent && argument?.split(",").some((pattern) => matches(pattern.trim(), name)) === true
  })
