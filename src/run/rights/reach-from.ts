import type { Agent } from "../../agent/agent.ts"
import { agentsOf } from "../../agent/pipeline.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { hooksOf } from "./hooks.ts"
import { type Reached, reachReader } from "./reach.ts"

/** Whom a run of this agent may have work, as the runtime knows them: with the hooks that are followed here. */
export async function reachFrom(environment: Surroundings, agent: Agent): Promise<readonly Reached[]> {
  const agents = environment.agents.all()
  const hooks = await followedHooks(environment, new Set([agent, ...agents]))
  return reachReader({
    agents,
    tools: environment.tools,
    rights: [environment.rights],
    startedBy: (one) => startedBy(one, hooks.get(one)),
  })(agent)
}

/** The hooks of each agent, with those of a workflow that it names. */
export async function followedHooks(
  environment: Surroundings,
  agents: Iterable<Agent>,
): Promise<ReadonlyMap<Agent, readonly Hook[]>> {
  const found = new Map<Agent, readonly Hook[]>()
  for (const agent of agents)
    found.set(agent, await hooksOf(environment, await withSteps(environment, agent)))
  return found
}

/** An agent whose workflow is not there does not start, so nothing comes of its steps. */
async function withSteps({ lifecycle }: Surroundings, agent: Agent): Promise<Agent> {
  if (typeof agent.workflow !== "string" || !lifecycle?.writtenOut) return agent
  try {
    return await lifecycle.writtenOut(agent)
  } catch {
    return agent
  }
}

/** The agents that the hooks, steps and pipeline of an agent start. */
export const startedBy = ({ pipeline }: Agent, hooks: readonly Hook[] = []): readonly string[] => [
  ...hooks.flatMap(({ spawns = [] }) => spawns),
  ...(pipeline ? agentsOf(pipeline.steps) : []),
]
