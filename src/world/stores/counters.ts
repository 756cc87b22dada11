import { findParentRun } from "../../run/log/id.ts"
import type { StoreCharge, StoredEvent, StoreRefusal } from "../../run/log/store.ts"

/**
 * Counts what the runs of one tree consume. Only runs with an allowance are counted, each with all its descendants: a
 * charge of `r.1.2` counts for `r.1.2`, `r.1` and `r`.
 */
export class Counters {
  readonly #counters = new Map<string, Counter>()

  /** Says why these events may not be recorded, or returns undefined. Counts nothing. */
  check(events: readonly StoredEvent[]): StoreRefusal | undefined {
    let tightest: LimitRefusal | undefined
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!
      if (event.charge === undefined) continue
      for (let run: string | undefined = event.run; run !== undefined; run = findParentRun(run)) {
        const refusal = this.#refusal(run, events, index)
        if (refusal && (tightest === undefined || refusal.remaining < tightest.remaining)) tightest = refusal
      }
    }
    return tightest
  }

  /** Counts a recorded event. Never refuses. */
  count(event: StoredEvent): void {
    if (event.seq === 0 && event.allowance !== undefined)
      this.#counters.set(event.run, { allowance: event.allowance, used: zero() })
    if (event.charge === undefined && event.settle === undefined) return
    for (let run: string | undefined = event.run; run !== undefined; run = findParentRun(run)) {
      const counter = this.#counters.get(run)
      if (counter === undefined) continue
      add(counter.used, event.charge)
      add(counter.used, event.settle)
    }
  }

  /** Refuses the charge at `index` if, with the events before it in the batch, it exceeds the allowance of `run`. */
  #refusal(run: string, events: readonly StoredEvent[], index: number): LimitRefusal | undefined {
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

type LimitRefusal = Extract<StoreRefusal, { type: "limit" }>

interface Counter {
  readonly allowance: StoreCharge
  readonly used: Total
}

type Total = { -readonly [limit in keyof StoreCharge]-?: number }

const limits = ["tokens", "cost", "spawns"] as const satisfies readonly (keyof StoreCharge)[]

/** In binary, ten charges of 0.1 add up to slightly more than 1. */
const rounding = 1e-9

const zero = (): Total => ({ tokens: 0, cost: 0, spawns: 0 })

function add(total: Total, charge: StoreCharge | undefined): void {
  for (const limit of limits) total[limit] += amount(charge, limit)
}

/** Ignores invalid amounts: a sum of NaN would never exceed an allowance. */
function amount(charge: StoreCharge | null | undefined, limit: keyof StoreCharge): number {
  const value = charge?.[limit]
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}
