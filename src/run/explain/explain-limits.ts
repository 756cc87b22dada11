import type { Limits } from "../../ground/limits.ts"
import { limitNames } from "../../ground/limits.ts"
import { limitSayings } from "../begin/settle-limits.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { LimitRank } from "../rights/precedence.ts"

export interface ExplainedLimit {
  readonly name: keyof Limits
  /** Absent where the run has none of its own. */
  readonly value?: number
  readonly source?: LimitRank
  readonly over: readonly { readonly source: LimitRank; readonly value: number }[]
  /** What everything below the root counts against together, or shares: of the nearest above that has one. */
  readonly shared?: { readonly value: number; readonly agent: string }
}

export function explainLimits(
  environment: Environment,
  beginning: Beginning,
  settled: Limits,
  runs: readonly RunStart[],
): readonly ExplainedLimit[] {
  const sayings = limitSayings(environment, beginning)
  return ([...limitNames] as (keyof Limits)[]).map((name) => {
    const said = sayings.flatMap(({ source, values }) => {
      const value = values[name]
      return value === undefined ? [] : [{ source, value }]
    })
    const value = settled[name]
    const shared = sharedOf(name, runs)
    if (value === undefined) return { name, over: said, ...shared }
    const [first, ...over] = said
    // What no longer is as it was said was bounded; and of two clocks of one length the parent's runs out first.
    const { within = runs.at(-1)?.limits.timeout } = runs.at(-1) ?? {}
    const isBounded = first?.value !== value || (name === "timeout" && within === value)
    return isBounded
      ? { name, value, source: "parent", over: said, ...shared }
      : { name, value, source: first.source, over, ...shared }
  })
}

const counted: ReadonlySet<keyof Limits> = new Set(["maxTokens", "maxCost", "maxSpawns", "maxConcurrency"])

function sharedOf(name: keyof Limits, runs: readonly RunStart[]): Pick<ExplainedLimit, "shared"> {
  const holder = counted.has(name) ? runs.findLast(({ limits }) => limits[name] !== undefined) : undefined
  return holder ? { shared: { value: holder.limits[name]!, agent: holder.agent } } : {}
}
