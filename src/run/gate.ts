import type { ModelError } from "../model.ts"

/** By what models share: one that is told to wait makes all of them wait. */
export class Gates {
  readonly #gates = new Map<string, Gate>()

  of({ gate }: { readonly gate?: string }): Gate | undefined {
    if (gate === undefined) return undefined
    const known = this.#gates.get(gate)
    if (known) return known
    const made = new Gate()
    this.#gates.set(gate, made)
    return made
  }
}

/** Milliseconds between two requests after a provider said "later", at first and at most. */
const [firstGap, longestGap] = [100, 5_000]

/**
 * The requests of one key. While the provider takes them all, they pass at once; when it says "later", nobody passes
 * until then, and afterwards one by one: closer together with each that is answered, further apart with each that is not.
 */
export class Gate {
  #closedUntil = 0
  #gap = 0
  #lastTime = 0
  readonly #waiting = new Set<() => void>()

  /** Undefined: pass now. Otherwise the time to come back at; whoever comes back says which time that was. */
  enter(now: number, given: number | undefined): number | undefined {
    if (this.#gap === 0 && now >= this.#closedUntil) return undefined
    // The gate may have been closed again since the time was given.
    if (given !== undefined && given >= this.#closedUntil) return now >= given ? undefined : given
    this.#lastTime = Math.max(now, this.#closedUntil, this.#lastTime + this.#gap)
    return this.#lastTime
  }

  /** Calls back after that many milliseconds, or when the gate stands open before. The result takes that back. */
  wait(delay: number, go: () => void): () => void {
    const leave = () => {
      clearTimeout(timer)
      this.#waiting.delete(pass)
    }
    const pass = () => {
      leave()
      go()
    }
    // Above this a timer fires at once.
    const timer = setTimeout(pass, Math.min(Math.max(0, delay), 2 ** 31 - 1))
    this.#waiting.add(pass)
    return leave
  }

  /** What became of a request that passed. */
  heard(error: ModelError | undefined, now: number, delay: number): void {
    if (error?.kind === "rate-limit" || error?.kind === "overloaded") {
      // Requests that were on their way when it closed tell nothing new.
      if (now >= this.#closedUntil) this.#gap = Math.max(firstGap, Math.min(this.#gap * 2, delay, longestGap))
      this.#closedUntil = Math.max(this.#closedUntil, now + delay)
    } else if (error === undefined && this.#gap > 0 && now >= this.#closedUntil) this.#narrow()
  }

  #narrow(): void {
    this.#gap /= 2
    if (this.#gap >= firstGap / 10) return
    this.#gap = 0
    this.#lastTime = 0
    for (const pass of [...this.#waiting]) pass()
  }
}
