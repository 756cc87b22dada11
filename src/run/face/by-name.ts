import { type Agent, type AgentSource, createAgentList } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"

export function toAgentSource(agents: readonly Agent[] | AgentSource): AgentSource {
  if ("names" in agents) return agents
  indexByName("agent", agents)
  return createAgentList(agents)
}

export function indexByName<Named extends { readonly name: string }>(
  what: string,
  list: readonly Named[],
): ReadonlyMap<string, Named> {
  const map = new Map<string, Named>()
  for (const item of list) {
    if (map.has(item.name))
      throw new CadreError(
        what === "agent" ? "AGENT_INVALID" : "TOOL_INVALID",
        `There are two ${what}s named "${item.name}".`,
      )
    map.set(item.name, item)
  }
  return map
}
