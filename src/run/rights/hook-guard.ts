import type { AgentSource } from "../../agent/agent.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Hook } from "../ports/hook.ts"

/** The reason why a hook does not judge a run: it would spawn runs without end. */
export type HookGuard =
  /** The run is one that the hook spawned, or is below one. */
  | { readonly type: "spawned" }
  /** The run is of an agent that the hook would spawn, or is below one. */
  | { readonly type: "agent"; readonly agent: string }

/** Undefined if the hook judges the run. */
export function findHookGuard(
  agents: AgentSource,
  hook: Pick<Hook, "name" | "spawns">,
  { agent, above = [], spawnedBy }: Pick<RunStart, "agent" | "above" | "spawnedBy">,
): HookGuard | undefined {
  if (spawnedBy?.includes(hook.name)) return { type: "spawned" }
  const match = listSpawnedAgents(agents, hook).find((spared) => spared === agent || above.includes(spared))
  return match === undefined ? undefined : { type: "agent", agent: match }
}

/** The agents that a hook would spawn. It does not judge their runs or the runs below. */
export const listSpawnedAgents = (
  agents: AgentSource,
  { spawns = [] }: Pick<Hook, "spawns">,
): readonly string[] => spawns.map((name) => agents.find(name)?.name ?? name)
