import type { Agent } from "../agent.ts"
import { agentsOf } from "../pipeline.ts"
import { toolsNamed } from "./definition.ts"
import type { Grant, Surroundings } from "./environment.ts"
import { hooksOf } from "./hooks.ts"
import { everyTool, type Reached, reachReader } from "./reach.ts"

/** Whom a run of this agent may have work, as the runtime knows them: with the hooks that are followed here. */
export async function reachFrom(environment: Surroundings, agent: Agent): Promise<readonly Reached[]> {
  const agents = environment.agents.all()
  const started = new Map<Agent, readonly string[]>()
  for (const one of new Set([agent, ...agents])) {
    const hooks = await hooksOf(environment, one)
    const steps = one.pipeline ? agentsOf(one.pipeline.steps) : []
    started.set(one, [...hooks.flatMap(({ spawns = [] }) => spawns), ...steps])
  }
  return reachReader({
    agents,
    tools: environment.tools,
    rights: [environment.rights],
    startedBy: (one) => started.get(one) ?? [],
  })(agent)
}

/** The tools that a run of this agent may have used below it. Where that cannot be told, every one that the tree may have. */
export async function reachedTools(
  environment: Surroundings,
  agent: Agent,
  { ceiling }: Pick<Grant, "ceiling">,
): Promise<readonly string[]> {
  try {
    const reach = await reachFrom(environment, agent)
    const entries = reach.flatMap(({ tools }) => tools)
    if (entries.some((entry) => entry.startsWith(everyTool) || entry.includes("*"))) return ceiling
    const named = new Set(entries.flatMap((entry) => toolsNamed(entry, environment.tools)))
    return ceiling.filter((name) => named.has(name))
  } catch {
    return ceiling
  }
}
