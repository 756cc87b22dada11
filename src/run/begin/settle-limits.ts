import type { Agent } from "../../agent/agent.ts"
import { checkLimits, defaultLimits, type Limits } from "../../ground/limits.ts"
import { elapsed } from "../decide/resting.ts"
import { now } from "../log/clock.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import { inOrder, type LimitRank, overlaid, precedence, type Saying } from "../rights/precedence.ts"
import type { RunState } from "../state/state.ts"

type Limited = Pick<Beginning, "run" | "agent" | "parent" | "limits">

/** Who says which limits, the first to win first. The parent's bounds come on top. */
export const limitSayings = (
  environment: Surroundings,
  { run, agent, limits = {} }: Limited,
): readonly Saying<LimitRank, Limits>[] =>
  inOrder<LimitRank, Limits>(precedence.limits, {
    parent: undefined,
    call: checkLimits(`Run ${run}`, limits),
    definition: agent.limits,
    configuration: environment.limits,
    default: defaultLimits,
  })

/** What is said holds as far as the parent lets it: nothing outlives or outnumbers it. */
export function settleLimits(environment: Surroundings, limited: Limited): RunStart["limits"] {
  const { agent, parent } = limited
  const settled = heardOf(agent, overlaid(limitSayings(environment, limited))) as Limits &
    typeof defaultLimits
  if (!parent) return settled
  const { maxTokens, maxCost, maxSpawns, maxConcurrency: _, ...own } = settled
  const above = parent.start!.limits
  return {
    ...own,
    // Counted by the tree against every ancestor's allowance; repeated here only where this run is tighter.
    ...(agent.limits.maxTokens !== undefined && { maxTokens }),
    ...(agent.limits.maxCost !== undefined && { maxCost }),
    ...(agent.limits.maxSpawns !== undefined && { maxSpawns }),
    // The default is for trees that nobody gave a depth: this one's root has one.
    maxDepth: Math.min(
      agent.limits.maxDepth ?? environment.limits.maxDepth ?? above.maxDepth,
      above.maxDepth,
    ),
    timeout: Math.max(1, Math.min(settled.timeout, leftOf(parent) ?? settled.timeout)),
  }
}

/** What is left for a child of the time that a run has, or of what it has for those below it. */
function leftOf(parent: RunState): number | undefined {
  const { limits, within = limits.timeout } = parent.start!
  return within === undefined ? undefined : within - elapsed(parent, now())
}

/** Where only the format of its definition says how long a run may take: what bounds those below it. */
export function settleWithin(
  { limits: usual }: Pick<Surroundings, "limits">,
  { agent, parent, limits }: Limited,
): number | undefined {
  if (limits?.timeout !== undefined || !agent.origin.unsaid?.includes("timeout")) return undefined
  const own = Math.max(agent.limits.timeout ?? 0, usual.timeout ?? defaultLimits.timeout)
  return parent ? Math.max(1, Math.min(own, leftOf(parent) ?? own)) : own
}

/** What is said of a child whose own time is cut by those above it. */
export function cutShort(
  { timeout }: RunStart["limits"],
  { agent, parent, limits }: Limited,
): readonly string[] {
  const wanted =
    limits?.timeout ?? (agent.origin.unsaid?.includes("timeout") ? undefined : agent.limits.timeout)
  if (!parent || wanted === undefined || timeout === undefined || timeout >= wanted - cutWorthTelling)
    return []
  const { agent: caller, origin } = parent.start!
  const place = origin?.file === undefined ? "" : ` (${origin.file})`
  return [
    `Its timeout of ${seconds(wanted)} is cut to ${seconds(timeout)}: that is what is left of the time of ${caller}${place}, which waits for it. Give ${caller} a longer timeout, or ${agent.name} a shorter one.`,
  ]
}

/** A moment passes before any child begins. */
const cutWorthTelling = 1_000
const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`

/** A program at work gives no sign of life until it has ended. */
function heardOf({ executor }: Agent, limits: Limits): Limits {
  if (executor === undefined) return limits
  const { idleTimeout: _, ...rest } = limits
  return rest
}
