import type { Agent } from "../../agent/agent.ts"
import { checkLimits, defaultLimits, type RunLimits } from "../../ground/limits.ts"
import { computeElapsedTime } from "../decide/resting.ts"
import { readClock } from "../log/clock.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import {
  type LimitRank,
  mergeInOrder,
  orderBySource,
  precedence,
  type SourceValues,
} from "../rights/precedence.ts"
import type { RunState } from "../state/state.ts"

type LimitBeginning = Pick<Beginning, "run" | "agent" | "parent" | "limits">

/** The limits of each source, highest precedence first. The parent's bounds apply on top of them. */
export const rankLimits = (
  environment: StartEnvironment,
  { run, agent, limits = {} }: LimitBeginning,
): readonly SourceValues<LimitRank, RunLimits>[] =>
  orderBySource<LimitRank, RunLimits>(precedence.limits, {
    parent: undefined,
    call: checkLimits(`Run ${run}`, limits),
    definition: agent.limits,
    configuration: environment.limits,
    default: defaultLimits,
  })

/** Settles the limits of a run. A child never gets more time or depth than its parent has left. */
export function settleLimits(environment: StartEnvironment, beginning: LimitBeginning): RunStart["limits"] {
  const { agent, parent } = beginning
  const limits = withoutIdleTimeout(agent, mergeInOrder(rankLimits(environment, beginning))) as RunLimits &
    typeof defaultLimits
  if (!parent) return limits
  const { maxTokens, maxCost, maxSpawns, maxConcurrency: _, ...otherLimits } = limits
  const parentLimits = parent.start!.limits
  return {
    ...otherLimits,
    // The tree counts these against every ancestor's allowance. A child repeats only those that its own agent sets.
    ...(agent.limits.maxTokens !== undefined && { maxTokens }),
    ...(agent.limits.maxCost !== undefined && { maxCost }),
    ...(agent.limits.maxSpawns !== undefined && { maxSpawns }),
    // The default depth is for roots. A child without a depth has its parent's.
    maxDepth: Math.min(
      agent.limits.maxDepth ?? environment.limits.maxDepth ?? parentLimits.maxDepth,
      parentLimits.maxDepth,
    ),
    timeout: Math.max(1, Math.min(limits.timeout, timeLeft(parent) ?? limits.timeout)),
  }
}

/** The time that a parent has left for a child: of its `within`, or else of its timeout. */
function timeLeft(parent: RunState): number | undefined {
  const { limits, within = limits.timeout } = parent.start!
  return within === undefined ? undefined : within - computeElapsedTime(parent, readClock())
}

/** The time for the runs below this one, where its own timeout is only the default of its format. */
export function settleWithin(
  { limits: usual }: Pick<StartEnvironment, "limits">,
  { agent, parent, limits }: LimitBeginning,
): number | undefined {
  if (limits?.timeout !== undefined || !agent.origin.unsaid?.includes("timeout")) return undefined
  const time = Math.max(agent.limits.timeout ?? 0, usual.timeout ?? defaultLimits.timeout)
  return parent ? Math.max(1, Math.min(time, timeLeft(parent) ?? time)) : time
}

/** Warns where the parent has less time left than the child's own timeout. */
export function warnOfShortTime(
  { timeout }: RunStart["limits"],
  { agent, parent, limits }: LimitBeginning,
): readonly string[] {
  const requestedTimeout =
    limits?.timeout ?? (agent.origin.unsaid?.includes("timeout") ? undefined : agent.limits.timeout)
  if (
    !parent ||
    requestedTimeout === undefined ||
    timeout === undefined ||
    timeout >= requestedTimeout - cutWorthTelling
  )
    return []
  const { agent: caller, origin } = parent.start!
  const place = origin?.file === undefined ? "" : ` (${origin.file})`
  return [
    `Its timeout of ${seconds(requestedTimeout)} is cut to ${seconds(timeout)}, because its caller ${caller}${place} has no more time left. Give ${caller} a longer timeout, or ${agent.name} a shorter one.`,
  ]
}

/** A child always starts a moment after its parent, so smaller cuts are no news. */
const cutWorthTelling = 1_000
const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`

/** A program gives no sign of life until it ends, so `idleTimeout` does not apply. */
function withoutIdleTimeout({ executor }: Agent, limits: RunLimits): RunLimits {
  if (executor === undefined) return limits
  const { idleTimeout: _, ...rest } = limits
  return rest
}
