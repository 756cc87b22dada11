import type { Agent } from "../../agent/agent.ts"
import { agentsOf } from "../../agent/pipeline.ts"
import type { KnownAgents } from "./check-text.ts"
import { shapeProblems } from "./shape.ts"

/**
 * The shortest way on which steps of pipelines lead from a name to an agent, both included. One that says `recursive: true`
 * is on no such way: it is meant to come back, and has to see to its end itself.
 */
export function wayTo(wanted: Agent, first: string, agents: KnownAgents): readonly string[] | undefined {
  const seen = new Set<string>()
  const ways: (readonly string[])[] = [[first]]
  for (const way of ways) {
    const agent = agents.find(way.at(-1)!)
    if (!agent?.pipeline || agent.recursive === true || seen.has(agent.name)) continue
    if (agent.name === wanted.name) return way
    seen.add(agent.name)
    if (shapeProblems(agent.pipeline.steps).length > 0) continue
    for (const name of agentsOf(agent.pipeline.steps)) ways.push([...way, name])
  }
  return undefined
}
