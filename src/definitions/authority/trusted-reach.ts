import type { Agent } from "../../agent/agent.ts"
import type { ReachLimit } from "../../run/ports/granted-tools.ts"
import type { ReachableAgent } from "../../run/rights/reach.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isFromProject } from "./claims.ts"
import { createReachSearch } from "./reach.ts"
import type { TrustPolicy } from "./trusted-agents.ts"
import type { WorkspaceTrust } from "./workspace-trust.ts"

/**
 * Limits the agents that a project's agents may call. They must have been shown to the user with them, and must ask for
 * no more than they did then. The user's own agents are not limited. With `all`, no agent is.
 */
export function createReachLimit(
  workspace: Workspace,
  standing: WorkspaceTrust,
  trusting: TrustPolicy,
): ReachLimit {
  if (trusting === "all") return () => undefined
  let cached: { readonly all: readonly Agent[]; reachOf(agent: Agent): readonly ReachableAgent[] } | undefined
  return (agent) => {
    const { scope, file } = agent.origin
    if (!isFromProject(scope) || file === undefined) return undefined
    const all = workspace.registry.all()
    if (cached?.all !== all) cached = { all, reachOf: createReachSearch(workspace, all) }
    return standing.shownReach(file, cached.reachOf(agent)).map(({ name }) => name)
  }
}
