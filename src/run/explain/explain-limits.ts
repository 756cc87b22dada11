import type { RunLimits } from "../../ground/limits.ts"
import { limitNames } from "../../ground/limits.ts"
import { rankLimits } from "../begin/settle-limits.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { LimitRank } from "../rights/precedence.ts"

export interface ExplainedLimit {
  readonly name: keyof RunLimits
  /** Absent if the run has none of its own. */
  readonly value?: number
  readonly source?: LimitRank
  readonly over: readonly { readonly source: LimitRank; readonly value: number }[]
  /** The limit that all runs below share. It comes from the nearest run above with such a limit. */
  readonly shared?: { readonly value: number; readonly agent: string }
}

export function explainLimits(
  environment: Environment,
  beginning: Beginning,
  effectiveLimits: RunLimits,
  runs: readonly RunStart[],
): readonly ExplainedLimit[] {
  const sayings = rankLimits(environment, beginning)
  return ([...limitNames] as (keyof RunLimits)[]).map((name) => {
    const claims = sayings.flatMap(({ source, values }) => {
      const value = values[name]
      return value === undefined ? [] : [{ source, value }]
    })
    const value = effectiveLimits[name]
    const shared = findShared(name, runs)
    if (value === undefined) return { name, over: claims, ...shared }
    const [first, ...over] = claims
    // A value that no source names was bounded by the parent. Of two equal timeouts, the parent's runs out first.
    const { within = runs.at(-1)?.limits.timeout } = runs.at(-1) ?? {}
    const isBounded = first?.value !== value || (name === "timeout" && within === value)
    return isBounded
      ? { name, value, source: "parent", over: claims, ...shared }
      : { name, value, source: first.source, over, ...shared }
  })
}

const sharedLimits: ReadonlySet<keyof RunLimits> = new Set([
  "maxTokens",
  "maxCost",
  "maxSpawns",
  "maxConcurrency",
])

function findShared(name: keyof RunLimits, runs: readonly RunStart[]): Pick<ExplainedLimit, "shared"> {
  const holder = sharedLimits.has(name)
    ? runs.findLast(({ limits }) => limits[name] !== undefined)
    : undefined
  return holder ? { shared: { value: holder.limits[name]!, agent: holder.agent } } : {}
}
