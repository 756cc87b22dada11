import type { Agent } from "../agent.ts"
import type { Beginning } from "./begin.ts"
import type { Environment, Hook } from "./environment.ts"
import type { RunStart } from "./event.ts"

type Hooked = Pick<Environment, "hooks" | "lifecycle">

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
  const above = start && (hooks.length > 0 || start.hooks) ? [...(start.above ?? []), start.agent] : []
  return {
    ...(hooks.length > 0 && { hooks: hooks.map(({ name }) => name) }),
    ...(spawnedBy.length > 0 && { spawnedBy }),
    ...(above.length > 0 && { above }),
  }
}

/** By name. Where it cannot be told which they are now, those that the run has already hold, and block what they cannot judge. */
export async function hookNames(environment: Hooked, agent: Agent): Promise<readonly string[]> {
  try {
    return (await hooksOf(environment, agent)).map(({ name }) => name)
  } catch {
    return [...environment.hooks.keys()]
  }
}
