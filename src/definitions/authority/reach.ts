import type { Agent } from "../../agent/agent.ts"
import { createReachReader, type ReachableAgent } from "../../run/rights/reach.ts"
import { isCoveredBy, type RequestedTools } from "../../run/rights/requested-tools.ts"
import type { Workspace } from "../registry/workspace.ts"
import { findStartedAgents } from "../rules/starters.ts"

/** Finds the agents that each agent of a workspace can reach, according to its files. */
export function createReachSearch(
  { configuration: { hooks }, hookFiles }: Workspace,
  agents: readonly Agent[],
): (agent: Agent) => readonly ReachableAgent[] {
  return createReachReader({ agents, startedBy: findStartedAgents({ hooks, hookFiles }), tools: new Map() })
}

/**
 * The reach of a project's files as it was shown to people: the agents that each file reaches, and the tools that these
 * ask for. An agent that asks for the same tools from every caller is listed once, in `agents`.
 */
export interface ShownReach {
  /** Absent in old records, which list only tools, and not the denied ones. */
  readonly version?: typeof version
  readonly agents: { readonly [name: string]: RequestedTools }
  readonly files: { readonly [file: string]: readonly (string | ReachableAgent)[] }
}

const version = 2

/** The reached agents that a file may call: only those shown with it, if they ask for no more than they did then. */
export function filterShownReach(
  shown: ShownReach | undefined,
  file: string,
  reach: readonly ReachableAgent[],
): readonly ReachableAgent[] {
  if (shown?.version !== version || !Object.hasOwn(shown.files, file)) return []
  const askedByName = new Map(
    shown.files[file]!.map((one) =>
      typeof one === "string" ? [one, shown.agents[one] ?? { tools: [] }] : [one.name, one],
    ),
  )
  return reach.filter((one) => askedByName.has(one.name) && isShownAs(one, askedByName.get(one.name)!))
}

/** Cached, because many files reach the same agents. */
function isShownAs(now: ReachableAgent, shown: RequestedTools): boolean {
  const results = comparisons.get(now) ?? new WeakMap<RequestedTools, boolean>()
  const answer = results.get(shown) ?? isCoveredBy(now, shown)
  comparisons.set(now, results.set(shown, answer))
  return answer
}

const comparisons = new WeakMap<ReachableAgent, WeakMap<RequestedTools, boolean>>()

export function recordShownReach(
  last: ShownReach | undefined,
  items: readonly (readonly [file: string, reach: readonly ReachableAgent[]])[],
): ShownReach {
  // The entries of other files stay unchanged.
  const before = last?.version === version ? last : undefined
  const agents = new Map(Object.entries(before?.agents ?? {}))
  const same = new Set<ReachableAgent>()
  const entryOf = (one: ReachableAgent): string | ReachableAgent => {
    const { name, ...request } = one
    const earlier = agents.get(name)
    if (!earlier) agents.set(name, request)
    if (!earlier || same.has(one) || JSON.stringify(earlier) === JSON.stringify(request)) same.add(one)
    return same.has(one) ? name : one
  }
  const files = items.map(([file, reach]) => [file, reach.map(entryOf)] as const)
  return {
    version,
    agents: Object.fromEntries(agents),
    files: { ...before?.files, ...Object.fromEntries(files) },
  }
}

export const describeReached = (reached: ReachableAgent): string =>
  `${reached.name} (${describeAskedTools(reached)})`

/** Describes the tools that a reached agent asks for, and their restrictions. */
export function describeAskedTools({ tools, denied, asks, mode, fork, executor }: RequestedTools): string {
  const restrictions = [
    ...(mode ? [`${mode} mode`] : []),
    ...(fork ? ["no more than its caller"] : []),
    ...(denied ? [`not ${denied.join(", ")}`] : []),
    ...(asks ? [`asks before ${asks.join(", ")}`] : []),
  ]
  const grants = [...tools, ...(executor === undefined ? [] : [`run by the executor ${executor}`])]
  return [grants.join(", ") || "no tools", ...restrictions].join("; ")
}
