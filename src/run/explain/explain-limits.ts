import type { RunLimits } from "../../ground/limits.ts"
import { limitNames } from "../../ground/limits.ts"
import { rankLimits } from "../begin/settle-limits.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { LimitRank } from "../rights/precedence.ts"

export interface ExplainedLimit {
  readonly name: keyof RunLimits
  /** The limit of the run. Absent: no limit applies to the run alone. */
  readonly value?: number
  readonly source?: LimitRank
  /** The values of other sources, which do not take effect. */
  readonly over: readonly { readonly source: LimitRank; readonly value: number }[]
  /** The limit that the run shares with other runs of its tree. The nearest caller with such a limit sets it. */
  readonly shared?: { readonly value: number; readonly agent: string }
}

export function explainLimits(
  environment: Environment,
  beginning: Beginning,
  effectiveLimits: RunLimits,
  runs: readonly RunStart[],
): readonly ExplainedLimit[] {
  const ranks = rankLimits(environment, beginning)
  return ([...limitNames] as (keyof RunLimits)[]).map((name) => {
    const values = ranks.flatMap(({ source, values: limits }) => {
      const value = limits[name]
      return value === undefined ? [] : [{ source, value }]
    })
    const value = effectiveLimits[name]
    const shared = findShared(name, runs)
    if (value === undefined) return { name, over: values, ...shared }
    const [first, ...over] = values
    // If the first source has another value, the parent's limit lowered it. Of two equal timeouts, the timeout of the
    // parent ends first.
    const { within = runs.at(-1)?.limits.timeout } = runs.at(-1) ?? {}
    const isBounded = first?.value !== value || (name === "timeout" && within === value)
    return isBounded
      ? { name, value, source: "parent", over: values, ...shared }
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
