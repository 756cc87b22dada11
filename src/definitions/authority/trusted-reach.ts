import type { Agent } from "../../agent/agent.ts"
import type { ReachLimit } from "../../run/ports/granted.ts"
import type { Reached } from "../../run/rights/reach.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isProjects } from "./claims.ts"
import { reachIn } from "./reach.ts"
import type { Standing } from "./standing.ts"
import type { Trusting } from "./trusted-agents.ts"

/**
 * Whom a project's agents may have work: those that a person was shown with them, and who ask for no more than they did
 * then. The person's own agents are not limited; nor is anybody whom a person trusts for this once.
 */
export function trustedReach(workspace: Workspace, standing: Standing, trusting: Trusting): ReachLimit {
  if (trusting === "all") return () => undefined
  let known: { readonly all: readonly Agent[]; reachOf(agent: Agent): readonly Reached[] } | undefined
  return (agent) => {
    const { scope, file } = agent.origin
    if (!isProjects(scope) || file === undefined) return undefined
    const all = workspace.registry.all()
    if (known?.all !== all) known = { all, reachOf: reachIn(workspace, all) }
    return standing.shownReach(file, known.reachOf(agent)).map(({ name }) => name)
  }
}
