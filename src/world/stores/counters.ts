import { parentOf } from "../../run/log/id.ts"
import type { Charge, Refusal, Stored } from "../../run/log/store.ts"

/**
 * What the runs of one tree have consumed. Only runs with an allowance are counted, each with all its descendants:
 * a charge of `r.1.2` counts for `r.1.2`, `r.1` and `r`.
 */
export class Counters {
  readonly #counters = new Map<string, Counter>()

  /** Why these events may not be recorded, or undefined. Counts nothing. */
  check(events: readonly Stored[]): Refusal | undefined {
    let tightest: LimitRefusal | undefined
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!
      if (event.charge === undefined) continue
      for (let run: string | undefined = event.run; run !== undefined; run = parentOf(run)) {
        const refusal = this.#refusal(run, events, index)
        if (refusal && (tightest === undefined || refusal.remaining < tightest.remaining)) tightest = refusal
      }
    }
    return tightest
  }

  /** Counts what has been recorded. Never refuses. */
  count(event: Stored): void {
    if (event.seq === 0 && event.allowance !== undefined)
      this.#counters.set(event.run, { allowance: event.allowance, used: zero() })
    if (event.charge === undefined && event.settle === undefined) return
    for (let run: string | undefined = event.run; run !== undefined; run = parentOf(run)) {
      const counter = this.#counters.get(run)
      if (counter === undefined) continue
      add(counter.used, event.charge)
      add(counter.used, event.settle)
    }
  }

  /** Whether the charge at `index`, with what stands before it in the batch, goes beyond what `run` may consume. */
  #refusal(run: string, events: readonly Stored[], index: number): LimitRefusal | undefined {
    const counter = this.#counters.get(run)
    const allowance = counter?.allowance ?? events.find((event) => event.run === run)?.allowance
    if (allowance === undefined) return undefined
    for (const limit of limits) {
      const allowed = allowance[limit]
      const charge = amount(events[index]!.charge, limit)
      if (allowed === undefined || charge <= 0) continue
      const used = counter?.used[limit] ?? 0
      let total = used + charge + amount(events[index]!.settle, limit)
      for (const before of events.slice(0, index))
        if (before.run === run || before.run.startsWith(`${run}.`))
          total += amount(before.charge, limit) + amount(before.settle, limit)
      if (total <= allowed * (1 + rounding)) continue
      return {
        type: "limit",
        run,
        limit,
        remaining: Math.max(0, allowed - used),
        message: `run ${run} may consume ${allowed} ${limit} in all; this would make it ${total}`,
      }
    }
    return undefined
  }
}

type LimitRefusal = Extract<Refusal, { type: "limit" }>

interface Counter {
  readonly allowance: Charge
  readonly used: Total
}

type Total = { -readonly [limit in keyof Charge]-?: number }

const limits = ["tokens", "cost", "spawns"] as const satisfies readonly (keyof Charge)[]

/** Ten charges of 0.1 make a little more than 1 in binary. */
const rounding = 1e-9

const zero = (): Total => ({ tokens: 0, cost: 0, spawns: 0 })

function add(total: Total, charge: Charge | undefined): void {
  if (charge === undefined) return
  for (const limit of limits) total[limit] += amount(charge, limit)
}

/** A sum that is not a number would compare as below every allowance for ever. */
function amount(charge: Charge | null | undefined, limit: keyof Charge): number {
  const value = charge?.[limit]
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}
