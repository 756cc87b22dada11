import { checkDefinition } from "./check.ts"
import type { HookFacts } from "./finding.ts"
import type { CheckOwn } from "./source.ts"
import { isStopping } from "./stopping.ts"

/** The agents and tools that an agent's own hooks can be for. */
export type NamesAround = Pick<HookFacts, "agents" | "tools">

/** The findings about an agent's own hooks that keep the agent from starting. */
export const checkOwn =
  (around: () => NamesAround): CheckOwn =>
  (agent, hooks) =>
    checkDefinition(agent, hooks, { ...around(), skills: new Set(), locked: [] }).filter(isStopping)
