import type { Agent } from "../../agent/agent.ts"
import { listStepAgents } from "../../agent/pipeline.ts"
import type { KnownAgents } from "./check-text.ts"
import { shapeProblems } from "./shape.ts"

/**
 * The shortest chain of pipeline steps from the first name to the wanted agent, both included. Agents with `recursive: true`
 * are left out, because they are allowed to be part of a circle.
 */
export function findCircle(wanted: Agent, first: string, agents: KnownAgents): readonly string[] | undefined {
  const seen = new Set<string>()
  const ways: (readonly string[])[] = [[first]]
  for (const way of ways) {
    const agent = agents.find(way.at(-1)!)
    if (!agent?.pipeline || agent.recursive === true || seen.has(agent.name)) continue
    if (agent.name === wanted.name) return way
    seen.add(agent.name)
    if (shapeProblems(agent.pipeline.steps).length > 0) continue
    for (const name of listStepAgents(agent.pipeline.steps)) ways.push([...way, name])
  }
  return undefined
}
