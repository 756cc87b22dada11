import type { AgentSource } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"

/** The access to an agent, with all its names: a rule may use any of them. */
export function getAgentAccess(agents: Pick<AgentSource, "find">, name: string): AgentAccess {
  const agent = agents.find(name)
  if (!agent) return { type: "agent", name }
  const aliases = (agent.aliases ?? []).filter(
    (alias) => alias !== agent.name && (agents.find(alias) ?? agent).name === agent.name,
  )
  return { type: "agent", name: agent.name, ...(aliases.length > 0 && { aliases }) }
}

export type AgentAccess = Extract<Access, { type: "agent" }>
