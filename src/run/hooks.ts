import type { Agent, AgentSource } from "../agent.ts"
import type { Beginning } from "./begin.ts"
import type { Environment, Hook } from "./environment.ts"
import type { RunStart } from "./event.ts"

type Hooked = Pick<Environment, "agents" | "hooks" | "lifecycle">

/** All hooks that judge the runs of an agent, in their order: those of the program before those that are written down. */
export function hooksOf(
  { hooks, lifecycle }: Hooked,
  agent: Agent,
): Promise<readonly Hook[]> | readonly Hook[] {
  const registered = [...hooks.values()]
  const written = lifecycle?.hooksOf(agent)
  if (written === undefined) return registered
  return "then" in written ? written.then((list) => [...registered, ...list]) : [...registered, ...written]
}

/** What a run begins with that concerns hooks. */
export async function hookedBy(
  environment: Hooked,
  { agent, parent, hook }: Pick<Beginning, "agent" | "parent" | "hook">,
): Promise<Pick<RunStart, "hooks" | "spawnedBy" | "above">> {
  const hooks = await hooksOf(environment, agent)
  const start = parent?.start
  const spawnedBy = [...(start?.spawnedBy ?? []), ...(hook === undefined ? [] : [hook])]
  const matters =
    hooks.length > 0 || start?.hooks || (environment.lifecycle && definesHooks(environment.agents))
  const above = start && matters ? [...(start.above ?? []), start.agent] : []
  return {
    ...(hooks.length > 0 && { hooks: hooks.map(({ name }) => name) }),
    ...(spawnedBy.length > 0 && { spawnedBy }),
    ...(above.length > 0 && { above }),
  }
}

/** Whether a run that is yet to come may have hooks of its own. A list of agents is looked through once. */
function definesHooks(agents: AgentSource): boolean {
  const all = agents.all()
  const known = defining.get(all) ?? all.some(({ hooks }) => hooks !== undefined)
  defining.set(all, known)
  return known
}

const defining = new WeakMap<readonly Agent[], boolean>()

/** By name. Where it cannot be told which they are now, those that the run has already hold, and block what they cannot judge. */
export async function hookNames(environment: Hooked, agent: Agent): Promise<readonly string[]> {
  try {
    return (await hooksOf(environment, agent)).map(({ name }) => name)
  } catch {
    return [...environment.hooks.keys()]
  }
}
