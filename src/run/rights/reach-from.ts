import type { Agent } from "../../agent/agent.ts"
import { listStepAgents } from "../../agent/pipeline.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { Hook } from "../ports/hook.ts"
import { listAgentHooks } from "./hooks.ts"
import { createReachReader, type ReachableAgent } from "./reach.ts"

/** The agents that a run of this agent may put to work, including those that effective hooks start. */
export async function findReach(
  environment: StartEnvironment,
  agent: Agent,
): Promise<readonly ReachableAgent[]> {
  const agents = environment.agents.all()
  const hooks = await readEffectiveHooks(environment, new Set([agent, ...agents]))
  return createReachReader({
    agents,
    tools: environment.tools,
    rights: [environment.rights],
    startedBy: (one) => listHookAndStepAgents(one, hooks.get(one)),
  })(agent)
}

/** The hooks of each agent, with those of a workflow that it names. */
export async function readEffectiveHooks(
  environment: StartEnvironment,
  agents: Iterable<Agent>,
): Promise<ReadonlyMap<Agent, readonly Hook[]>> {
  const hooksByAgent = new Map<Agent, readonly Hook[]>()
  for (const agent of agents)
    hooksByAgent.set(agent, await listAgentHooks(environment, await withSteps(environment, agent)))
  return hooksByAgent
}

/** An agent without its workflow does not start, so its steps do not matter. */
async function withSteps({ lifecycle }: StartEnvironment, agent: Agent): Promise<Agent> {
  if (typeof agent.workflow !== "string" || !lifecycle?.writtenOut) return agent
  try {
    return await lifecycle.writtenOut(agent)
  } catch {
    return agent
  }
}

/** The agents that the hooks, steps and pipeline of an agent start. */
export const listHookAndStepAgents = (
  { pipeline }: Agent,
  hooks: readonly Hook[] = [],
): readonly string[] => [
  ...hooks.flatMap(({ spawns = [] }) => spawns),
  ...(pipeline ? listStepAgents(pipeline.steps) : []),
]
