import type { AgentSource } from "../../agent/agent.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Hook } from "../ports/hook.ts"

/** Why a hook does not judge a run: it would go round in circles. */
export type HookGuard =
  /** In or below a run that it spawned. */
  | { readonly type: "spawned" }
  /** In or below a run of an agent that it would spawn. */
  | { readonly type: "agent"; readonly agent: string }

/** Undefined where it judges the run. */
export function guardOf(
  agents: AgentSource,
  hook: Pick<Hook, "name" | "spawns">,
  { agent, above = [], spawnedBy }: Pick<RunStart, "agent" | "above" | "spawnedBy">,
): HookGuard | undefined {
  if (spawnedBy?.includes(hook.name)) return { type: "spawned" }
  const found = sparedBy(agents, hook).find((spared) => spared === agent || above.includes(spared))
  return found === undefined ? undefined : { type: "agent", agent: found }
}

/** The agents whose runs, and those below them, a hook does not judge: those it would spawn. */
export const sparedBy = (agents: AgentSource, { spawns = [] }: Pick<Hook, "spawns">): readonly string[] =>
  spawns.map((name) => agents.find(name)?.name ?? name)
