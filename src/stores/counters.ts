import { parentOf } from "../run/id.ts"
import type { Charge, Refusal, Stored } from "../run/store.ts"

/**
 * What the runs of one tree have consumed. Only runs with an allowance are counted, each with all its descendants:
 * a charge of `r.1.2` counts for `r.1.2`, `r.1` and `r`.
 */
export class Counters {
  readonly #counters = new Map<string, Counter>()

  /** Why these events may not be recorded, or undefined. Counts nothing. */
  check(events: readonly Stored[]): Refusal | undefined {
    if (!events.some((event) => event.charge !== undefined)) return undefined
    const added = new Map<string, Added>()
    const fresh = new Map<string, Charge>()
    for (const event of events) {
      if (event.allowance !== undefined) fresh.set(event.run, event.allowance)
      if (event.charge === undefined && event.settle === undefined) continue
      for (let run: string | undefined = event.run; run !== undefined; run = parentOf(run)) {
        if (!this.#counters.has(run) && !fresh.has(run)) continue
        const sum = added.get(run) ?? { charge: zero(), settle: zero() }
        add(sum.charge, event.charge)
        add(sum.settle, event.settle)
        added.set(run, sum)
      }
    }
    for (const limit of limits) {
      const refusals = [...added].flatMap(
        ([run, sum]) => this.#refusal(run, limit, sum, fresh.get(run)) ?? [],
      )
      if (refusals.length > 0)
        return refusals.reduce((left, right) => (right.remaining < left.remaining ? right : left))
    }
    return undefined
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

  #refusal(
    run: string,
    limit: keyof Charge,
    sum: Added,
    fresh: Charge | undefined,
  ): LimitRefusal | undefined {
    const counter = this.#counters.get(run)
    const allowed = (counter?.allowance ?? fresh)?.[limit]
    if (allowed === undefined || sum.charge[limit] <= 0) return undefined
    const used = counter?.used[limit] ?? 0
    const total = used + sum.settle[limit] + sum.charge[limit]
    if (total <= allowed * (1 + rounding)) return undefined
    return {
      type: "limit",
      limit,
      remaining: Math.max(0, allowed - used),
      message: `run ${run} may consume ${allowed} ${limit} in all; this would make it ${total}`,
    }
  }
}

type LimitRefusal = Extract<Refusal, { type: "limit" }>

interface Counter {
  readonly allowance: Charge
  readonly used: Total
}

interface Added {
  readonly charge: Total
  readonly settle: Total
}

type Total = { -readonly [limit in keyof Charge]-?: number }

const limits = ["tokens", "cost", "spawns"] as const satisfies readonly (keyof Charge)[]

/** Ten charges of 0.1 make a little more than 1 in binary. */
const rounding = 1e-9

const zero = (): Total => ({ tokens: 0, cost: 0, spawns: 0 })

function add(total: Total, charge: Charge | undefined): void {
  if (charge === undefined || charge === null) return
  for (const limit of limits) {
    const amount = charge[limit]
    // A sum that is not a number would compare as below every allowance for ever.
    if (typeof amount === "number" && Number.isFinite(amount)) total[limit] += amount
  }
}
