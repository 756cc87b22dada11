import { getKnownUsage } from "../../ground/usage.ts"
import type { UsageByModel } from "../log/event-outcome.ts"
import { addUnsettled } from "../log/unsettled.ts"
import type { LimitWarning, MomentFacts } from "../ports/hooked-moment.ts"
import type { RunState } from "../state/state.ts"
import { computeWorkedTime, isClockStopped } from "./resting.ts"

/** The limits that a run has come near to, and that its hooks were not asked about yet. */
export function findNearLimits(
  state: RunState,
  now: number,
): readonly (MomentFacts & { moment: "limit_near" })[] {
  if (!state.moments!.hooks.limit_near) return []
  return uses(state, now).flatMap(({ limit, used, allowed }) =>
    allowed !== undefined && used >= allowed * nearly && !isNear(state, limit)
      ? [{ moment: "limit_near" as const, limit, used, allowed }]
      : [],
  )
}

const isNear = ({ moments }: RunState, limit: LimitWarning): boolean =>
  moments!.near.includes(`limit_near:${limit}`)

function uses(
  state: RunState,
  now: number,
): readonly { readonly limit: LimitWarning; readonly used: number; readonly allowed: number | undefined }[] {
  const { maxTurns, maxToolCalls, maxTokens, maxCost, timeout } = state.start!.limits
  const below = [state.usage, state.usageBelow]
  const unsettled = addUnsettled(state.unsettled, state.unsettledBelow)
  return [
    { limit: "turns", used: state.turn, allowed: maxTurns },
    { limit: "tool-calls", used: state.callCount, allowed: maxToolCalls },
    { limit: "tokens", used: unsettled.tokens + tokensOf(below), allowed: maxTokens },
    { limit: "cost", used: unsettled.cost + costOf(below), allowed: maxCost },
    { limit: "timeout", used: computeWorkedTime(state, now), allowed: timeout },
  ]
}

const tokensOf = (usages: readonly UsageByModel[]): number =>
  sum(usages, (usage) => {
    const { inputTokens, outputTokens } = getKnownUsage(usage)
    return inputTokens + outputTokens
  })

const costOf = (usages: readonly UsageByModel[]): number => sum(usages, (usage) => getKnownUsage(usage).cost)

const sum = (usages: readonly UsageByModel[], count: (usage: UsageByModel[string]) => number): number =>
  usages.flatMap((usage) => Object.values(usage)).reduce((total, usage) => total + count(usage), 0)

/** The time at which a run comes near its timeout; undefined if no hook has to be asked then. */
export function findNearClock(state: RunState, now: number): number | undefined {
  const { timeout } = state.start!.limits
  if (timeout === undefined || !state.moments!.hooks.limit_near || isNear(state, "timeout")) return undefined
  if (isClockStopped(state)) return undefined
  const at = state.lastAt + timeout * nearly + (state.waited ?? 0) - state.active
  return at > now ? at : undefined
}

const nearly = 0.8
